/**
 * What is told of each node beyond its status: its attempts, its command's end, its checks. Machines do not need
 * it, people do. Kept as events go by; a new try of a node starts its record anew.
 */

import type { CheckEnded, Ended, RunEvent, WorkEnded } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';

export interface CheckRecord {
  readonly end: Ended & { readonly reused: boolean };
}

export interface NodeRecord {
  attempts: number;
  rerun: boolean;
  startedAt: number | null;
  ms: number;
  work: Ended | null;
  /** By place of the check. */
  checks: CheckRecord[];
  /** Why it failed or is blocked. */
  detail: string | null;
  /** The try that the record is about. */
  fence: string;
}

export interface Records {
  add(event: RunEvent): void;
  of(node: NodeId): NodeRecord | null;
}

export function keepRecords(): Records {
  const records = new Map<NodeId, NodeRecord>();
  const open = (node: NodeId) => {
    let record = records.get(node);
    if (!record) records.set(node, (record = newRecord()));
    return record;
  };
  return {
    of: (node) => records.get(node) ?? null,
    add(event) {
      if (event.type === 'run.paused' || event.type === 'run.restored') {
        for (const record of records.values()) record.startedAt = null;
      }
      if ('node' in event && event.type !== 'late') note(open(event.node), event);
    },
  };
}

function newRecord(): NodeRecord {
  return { attempts: 0, rerun: false, startedAt: null, ms: 0, work: null, checks: [], detail: null, fence: '' };
}

type NodeEvent = Exclude<Extract<RunEvent, { node: NodeId }>, { type: 'late' }>;

function note(record: NodeRecord, event: NodeEvent): void {
  switch (event.type) {
    case 'node.started':
      record.startedAt = event.at;
      record.rerun = event.rerun;
      record.detail = null;
      // Gone on with after a cut: the work that has ended counts, nothing is tried again.
      if (!record.work || !endedWell(record.work)) newTry(record, event);
      break;
    case 'work.ended':
      if (record.fence !== fenceOf(event)) newTry(record, event);
      record.work = endOf(event);
      record.ms += event.ms;
      break;
    case 'check.ended':
      if (event.check === 0) record.checks = [];
      record.checks[event.check] = { end: { ...endOf(event), reused: event.reused } };
      record.ms += event.ms;
      break;
    case 'node.failed':
    case 'node.blocked':
      record.detail = event.detail;
      record.startedAt = null;
      break;
    case 'node.achieved':
      record.startedAt = null;
      break;
    case 'node.retried':
    case 'node.skipped':
    case 'node.edited':
      Object.assign(record, { ...newRecord(), attempts: record.attempts, ms: record.ms });
      break;
  }
}

function newTry(record: NodeRecord, event: { epoch: number; attempt: number }): void {
  record.attempts++;
  record.work = null;
  record.checks = [];
  record.fence = fenceOf(event);
}

function fenceOf({ epoch, attempt }: { epoch: number; attempt: number }): string {
  return `${epoch}.${attempt}`;
}

function endedWell(work: Ended): boolean {
  return work.outcome === 'exit' && work.exit === 0;
}

function endOf(event: WorkEnded | CheckEnded): Ended {
  const { outcome, exit, detail, ms, output, bytes, tail } = event;
  return { outcome, exit, detail, ms, output, bytes, tail };
}

