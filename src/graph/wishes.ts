/** What machines want, as the events that follow: times, fences and reasons are filled in here. */

import type { RunEvent } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';
import { never } from '../contract/never.ts';
import { deadline } from '../kernel/ledger.ts';
import type { GraphWish } from './admit.ts';
import type { GoalSnapshot, GoalWish } from './goal-machine.ts';
import { checksAt, openFinalChecks } from './effects.ts';
import { idAt, isFinal } from './graph-context.ts';
import type { RunState } from './run-state.ts';

export function derivedByGraph(state: RunState, wish: GraphWish, at: number): RunEvent {
  switch (wish.type) {
    case 'complete':
      return { type: 'run.completed', at };
    case 'stuck':
      return { type: 'run.paused', at, why: 'stuck', detail: null };
    case 'start': {
      // Nothing starts at or after the deadline, however late its timer fires.
      const due = state.ledger && deadline(state.ledger);
      if (due !== null && at >= due) return { type: 'run.paused', at, why: 'deadline', detail: null };
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
  readonly goal: GoalSnapshot;
  readonly end: GoalWish;
  readonly at: number;
}

export function endOfGoal(state: RunState, { place, goal, end, at }: GoalTold): RunEvent {
  const node = idAt(state.graph.context, place);
  switch (end) {
    case 'achieved':
      return { type: 'node.achieved', at, node };
    case 'failed': {
      const why = goal.context.short?.why ?? 'exit';
      return {
        type: 'node.failed',
        at,
        node,
        why,
        detail: failure(state, place, goal),
        red: redNodes(state, place, goal),
      };
    }
    case 'blocked':
      return {
        type: 'node.blocked',
        at,
        node,
        why: 'cut',
        detail: 'its command was cut, and on-cut says block',
      };
    default:
      return never(end);
  }
}

/** One line: what fell short, and for a check which one. */
function failure(state: RunState, place: number, goal: GoalSnapshot): string {
  const { short, red } = goal.context;
  const [first] = red;
  if (first === undefined) return short?.detail ?? '';
  const run = checksAt(state.graph.context, place)[first]?.run ?? '';
  const more = red.length > 1 ? ` (and ${red.length - 1} more red)` : '';
  return `check \`${run}\`: ${short?.detail ?? ''}${more}`;
}

/** For the final node: whose checks went red. */
function redNodes(state: RunState, place: number, goal: GoalSnapshot): readonly NodeId[] {
  const graph = state.graph.context;
  if (!isFinal(graph, place)) return [];
  const checks = openFinalChecks(graph);
  return [...new Set(goal.context.red.flatMap((check) => checks[check]?.nodes ?? []))];
}
