/**
 * What is told of each node beyond its status: its attempts, its command's end, its checks. Machines do not need
 * it, people do. Kept as events go by; a new try of a node starts its record anew.
 */

import type { CheckEnded, Ended, RunEvent, WorkEnded } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';
import type { SessionEvent } from '../contract/session-event.ts';
import { newGoalRecord, noteGoal, noteSession, type GoalRecord } from './goal-records.ts';

export interface CheckRecord {
  readonly end: Ended & { readonly reused: boolean; readonly restored: readonly string[] };
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
  /** The attempt that the record is about; 0 when the next start begins anew. */
  attempt: number;
  /** What a model did for it. */
  goal: GoalRecord;
}

export interface Records {
  add(event: RunEvent): void;
  of(node: NodeId): NodeRecord | null;
  /** What the planner did, before there were nodes. */
  readonly planning: GoalRecord;
  /** How often its plan was refused for good. */
  readonly refusals: number;
}

export function keepRecords(): Records {
  const records = new Map<NodeId, NodeRecord>();
  const open = (node: NodeId) => {
    let record = records.get(node);
    if (!record) records.set(node, (record = newRecord()));
    return record;
  };
  const planning = newGoalRecord();
  let refusals = 0;
  return {
    planning,
    get refusals() {
      return refusals;
    },
    of: (node) => records.get(node) ?? null,
    add(event) {
      if (event.type === 'run.paused' || event.type === 'run.restored') {
        for (const record of records.values()) record.startedAt = null;
      }
      if (event.type === 'plan.refused') refusals++;
      if ('session' in event) noteSession(goalOf(event), event);
      if (!('node' in event) || event.type === 'late') return;
      const record = open(event.node);
      note(record, event);
      noteGoal(record.goal, event);
    },
  };

  function goalOf({ session }: SessionEvent): GoalRecord {
    return session.node === null ? planning : open(session.node).goal;
  }
}

function newRecord(): NodeRecord {
  return {
    attempts: 0,
    rerun: false,
    startedAt: null,
    ms: 0,
    work: null,
    checks: [],
    detail: null,
    attempt: 0,
    goal: newGoalRecord(),
  };
}

type NodeEvent = Exclude<Extract<RunEvent, { node: NodeId }>, { type: 'late' }>;

function note(record: NodeRecord, event: NodeEvent): void {
  switch (event.type) {
    case 'node.started':
      record.startedAt = event.at;
      record.rerun = event.rerun;
      record.detail = null;
      // Gone on with after a cut: what has ended counts, nothing of it is tried again.
      if (record.attempt !== event.attempt || !hasEnds(record)) newTry(record, event);
      break;
    case 'work.ended':
      if (record.attempt !== event.attempt) newTry(record, { attempt: event.attempt, rerun: false });
      record.work = endOf(event);
      record.ms += event.ms;
      break;
    case 'check.ended':
      if (record.attempt !== event.attempt) newTry(record, { attempt: event.attempt, rerun: false });
      record.checks[event.check] = {
        end: { ...endOf(event), reused: event.reused, restored: event.restored },
      };
      record.ms += event.ms;
      break;
    case 'node.failed':
    case 'node.blocked':
      record.detail = event.detail;
      record.startedAt = null;
      record.attempt = 0;
      break;
    case 'round.ended':
      // What was checked before was another state of things.
      record.checks = [];
      break;
    case 'node.parked':
      record.startedAt = null;
      record.detail = event.detail;
      break;
    case 'node.achieved':
      record.startedAt = null;
      record.attempt = 0;
      break;
    case 'node.retried':
    case 'node.skipped':
    case 'node.edited':
      Object.assign(record, { ...newRecord(), attempts: record.attempts, ms: record.ms });
      break;
  }
}

function newTry(record: NodeRecord, { attempt, rerun }: { attempt: number; rerun: boolean }): void {
  // A retry begins without an event of its own: if it was cut, its rerun is the first that is heard of it.
  const unheard = rerun && record.attempt > 0 && record.attempt < attempt;
  record.attempts += unheard ? 2 : 1;
  record.rerun = rerun;
  record.work = null;
  record.checks = [];
  record.attempt = attempt;
}

/** A command that was cut, or could not be started, has no end of its own. */
function hasEnds({ work, checks }: NodeRecord): boolean {
  return work ? work.outcome === 'exit' && work.exit === 0 : checks.length > 0;
}

function endOf(event: WorkEnded | CheckEnded): Ended {
  const { outcome, exit, detail, ms, output, bytes, tail } = event;
  return { outcome, exit, detail, ms, output, bytes, tail };
}
