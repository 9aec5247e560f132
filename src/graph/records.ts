/**
 * What is told of each node beyond its status: its attempts, its command's end, its checks. Machines do not need
 * it, people do. Kept as events go by; a new try of a node starts its record anew.
 */

import type { CheckEnded, Ended, RunEvent, WorkEnded } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';
import type { SessionEvent } from '../contract/session-event.ts';
import type { MoveView } from '../contract/view.ts';
import { moveOf, pickedUp } from './flow-view.ts';
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
  /** The way through its chart, if it follows one. */
  trail: MoveView[];
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
  let lastAt = 0;
  return {
    planning,
    get refusals() {
      return refusals;
    },
    of: (node) => records.get(node) ?? null,
    add(event) {
      if (event.type === 'run.paused' || event.type === 'run.restored' || event.type === 'run.cleared') {
        // Nobody knows how long a process that died went on; what it stored last it did.
        const until = event.type === 'run.restored' ? lastAt : event.at;
        for (const record of records.values()) rest(record, until);
      }
      lastAt = event.at;
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
    trail: [],
  };
}

/** No longer in flight. */
function rest(record: NodeRecord, at: number): void {
  if (record.startedAt !== null) record.goal.ms += Math.max(0, at - record.startedAt);
  record.startedAt = null;
}

type NodeEvent = Exclude<Extract<RunEvent, { node: NodeId }>, { type: 'late' }>;

function note(record: NodeRecord, event: NodeEvent): void {
  switch (event.type) {
    case 'node.started':
      record.trail = pickedUp(record.trail);
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
      rest(record, event.at);
      record.detail = event.detail;
      record.attempt = 0;
      break;
    case 'round.ended':
      // What was checked before was another state of things.
      record.checks = [];
      break;
    case 'move.ended':
    case 'flow.chosen':
      record.trail.push(moveOf(event, record.startedAt === null));
      record.goal.doing = null;
      break;
    case 'node.parked':
      rest(record, event.at);
      record.detail = event.detail;
      break;
    case 'node.achieved':
      rest(record, event.at);
      record.attempt = 0;
      break;
    case 'node.retried':
    case 'node.skipped':
    case 'node.edited':
      begunAnew(record);
      break;
    default:
      break;
  }
}

/** That it was tried, and how long that took, is not forgotten. */
function begunAnew(record: NodeRecord): void {
  const { attempts, ms, goal } = record;
  Object.assign(record, { ...newRecord(), attempts, ms, goal: { ...newGoalRecord(), ms: goal.ms } });
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
