/** What machines want, as the events that follow: times, fences and reasons are filled in here. */

import type { NodeBlocked, NodeFailed, RunEvent, RunPaused } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';
import { never } from '../contract/never.ts';
import { deadline } from '../kernel/ledger.ts';
import type { GraphWish } from './admit.ts';
import { isFlowGoal, isModelGoal, type AnyGoal, type AnyGoalWish } from './goals.ts';
import { checksAt, openFinalChecks } from './effects.ts';
import type { MoveWhy } from './flow-goal.ts';
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
    case 'spent':
    case 'undecided':
      return { type: 'run.paused', at, ...flowPause(goal, end), resetAt: null };
    default:
      return never(end);
  }
}

/** A flow goes no further by itself, and stays where it is. */
function flowPause(goal: AnyGoal, end: 'spent' | 'undecided'): Pick<RunPaused, 'why' | 'detail'> {
  if (!isFlowGoal(goal)) throw new Error('only flows have moves');
  const { step, move, tries, why, note } = goal.context;
  if (end === 'spent') {
    const moved = move === 1 ? 'its one move is' : `its ${move} moves are`;
    return { why: 'moves', detail: `${moved} used up at the step ${step}` };
  }
  const said = note === null ? '' : `: ${note}`;
  return {
    why: 'stuck',
    detail: `${tries} moves at the step ${step} came to nothing (${MOVE_WORDS[why]}${said})`,
  };
}

const MOVE_WORDS: Readonly<Record<MoveWhy, string>> = {
  start: 'begun',
  next: 'done',
  chosen: 'chosen',
  no_choice: 'no choice was made',
  unknown_choice: 'what was chosen is no branch',
  short: 'it did not come to an end',
  failed: 'there was no usable answer',
};

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
  if (isFlowGoal(goal)) throw new Error('a flow does not fail');
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
  if (!isFinal(graph, place) || isFlowGoal(goal)) return [];
  const checks = openFinalChecks(graph);
  const red = isModelGoal(goal) ? goal.context.redChecks : goal.context.red;
  return [...new Set(red.flatMap((check) => checks[check]?.nodes ?? []))];
}
