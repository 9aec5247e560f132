/** What machines want, as the events that follow: times, fences and reasons are filled in here. */

import type { NodeBlocked, NodeFailed, RunEvent } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';
import { never } from '../contract/never.ts';
import { deadline } from '../kernel/ledger.ts';
import type { GraphWish } from './admit.ts';
import { isModelGoal, type AnyGoal, type AnyGoalWish } from './goals.ts';
import { checksAt, openFinalChecks } from './effects.ts';
import { idAt, isFinal } from './graph-context.ts';
import type { RunState } from './run-state.ts';

export function derivedByGraph(state: RunState, wish: GraphWish, at: number): RunEvent {
  switch (wish.type) {
    case 'complete':
      return { type: 'run.completed', at };
    case 'stuck':
      return { type: 'run.paused', at, why: 'stuck', detail: null, resetAt: null };
    case 'start': {
      // Nothing starts at or after the deadline, however late its timer fires.
      const due = state.ledger && deadline(state.ledger);
      if (due !== null && at >= due) {
        return { type: 'run.paused', at, why: 'deadline', detail: null, resetAt: null };
      }
      const node = idAt(state.graph.context, wish.place);
      const goal = state.goals.get(node);
      return {
        type: 'node.started',
        at,
        node,
        epoch: state.graph.context.epoch,
        attempt: goal?.context.attempt ?? 1,
        rerun: goal?.value === 'working' && goal.context.cut,
      };
    }
    default:
      return never(wish);
  }
}

interface GoalTold {
  readonly place: number;
  readonly goal: AnyGoal;
  readonly end: AnyGoalWish;
  readonly at: number;
}

export function endOfGoal(state: RunState, { place, goal, end, at }: GoalTold): RunEvent {
  const node = idAt(state.graph.context, place);
  switch (end) {
    case 'achieved':
      return { type: 'node.achieved', at, node };
    case 'parked': {
      if (!isModelGoal(goal)) throw new Error(`${node} has no worker that could wait`);
      const { until, pid, note } = goal.context;
      return { type: 'node.parked', at, node, until, pid, detail: note ?? '' };
    }
    case 'failed':
      return {
        type: 'node.failed',
        at,
        node,
        ...failure(state, place, goal),
        red: redNodes(state, place, goal),
      };
    case 'blocked':
      return { type: 'node.blocked', at, node, ...blocked(goal) };
    default:
      return never(end);
  }
}

function blocked(goal: AnyGoal): Pick<NodeBlocked, 'why' | 'detail'> {
  if (!isModelGoal(goal)) return { why: 'cut', detail: 'its command was cut, and on-cut says block' };
  const { why = 'infra', detail = '' } = goal.context.end ?? {};
  return { why: why as NodeBlocked['why'], detail };
}

/** One line: what fell short, and for a check which one. */
function failure(state: RunState, place: number, goal: AnyGoal): Pick<NodeFailed, 'why' | 'detail'> {
  if (isModelGoal(goal)) {
    const { why = 'no_progress', detail = '' } = goal.context.end ?? {};
    return { why: why as NodeFailed['why'], detail };
  }
  const { short, red } = goal.context;
  const why = short?.why ?? 'exit';
  const [first] = red;
  if (first === undefined) return { why, detail: short?.detail ?? '' };
  const run = checksAt(state.graph.context, place)[first]?.run ?? '';
  const more = red.length > 1 ? ` (and ${red.length - 1} more red)` : '';
  return { why, detail: `check \`${run}\`: ${short?.detail ?? ''}${more}` };
}

/** For the final node: whose checks went red. */
function redNodes(state: RunState, place: number, goal: AnyGoal): readonly NodeId[] {
  const graph = state.graph.context;
  if (!isFinal(graph, place)) return [];
  const checks = openFinalChecks(graph);
  const red = isModelGoal(goal) ? goal.context.redChecks : goal.context.red;
  return [...new Set(red.flatMap((check) => checks[check]?.nodes ?? []))];
}
