/**
 * One event of a run, applied: it goes to the graph, the goals and the ledger, and what those want
 * becomes derived events. This is the only place that knows all three.
 */

import type { Answer, Late, RunEvent } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';
import { step, type Applied, type Stepped } from '../kernel/step.ts';
import { checksAt } from './effects.ts';
import { goalMachine, type GoalEvent } from './goal-machine.ts';
import { toldToGraph } from './graph-event.ts';
import { isFinal, planOf } from './graph-context.ts';
import { graphMachine, type GraphSnapshot } from './graph-machine.ts';
import { indexOf, nodeAt } from './plan-index.ts';
import { ledgerAfter } from './run-ledger.ts';
import type { RunState } from './run-state.ts';
import { derivedByGraph, endOfGoal } from './wishes.ts';

export type RunApplied = Applied<RunState, RunEvent>;
type Moved = RunApplied & { readonly ok: true };
export type RunStepped = Stepped<RunState, RunEvent>;

/** Steps an event that has just happened. An answer that nobody waits for any more is recorded as late. */
export function stepRun(state: RunState, event: RunEvent): RunStepped {
  return step(applyRun, state, isAnswer(event) && !isAwaited(state, event) ? lateOf(event) : event);
}

/** Applies one event, live or stored. */
export function applyRun(state: RunState, event: RunEvent): RunApplied {
  if (event.type === 'late') return settled(after(state, event, {}));
  return isAnswer(event) ? applyAnswer(state, event) : applyToGraph(state, event);
}

function applyAnswer(state: RunState, event: Answer): RunApplied {
  if (!isAwaited(state, event)) return { ok: false, why: `nobody waits for ${event.type} of ${event.node}` };
  if (event.outcome === 'spawn' || event.outcome === 'aborted') {
    // Says nothing about the node: the machine could not run it. The node goes back to ready with the pause.
    const detail =
      event.outcome === 'spawn' ? `cannot start a command: ${event.detail ?? ''}` : 'ended from outside';
    const pause: RunEvent = { type: 'run.paused', at: event.at, why: 'infra', detail };
    const told = tellGoal(after(state, event, {}), {
      id: event.node,
      event: { type: 'unstarted' },
      at: event.at,
    });
    return { ...told, derived: [pause] };
  }
  return tellGoal(after(state, event, {}), { id: event.node, event, at: event.at });
}

function applyToGraph(state: RunState, event: Exclude<RunEvent, Answer | Late>): RunApplied {
  const told = toldToGraph(state, event);
  if (!told.ok) return told;
  const stepped = graphMachine.step(state.graph, told.event);
  if (!stepped.ok) return { ok: false, why: told.refusal(state.graph) };
  const graph = stepped.next;
  const moved = moveGoals(
    after(state, event, { graph, ledger: ledgerAfter(state, event) }),
    state.graph,
    event,
  );
  const derived = stepped.commands.map((wish) => derivedByGraph(moved.next, wish, event.at));
  return { ...moved, derived: [...moved.derived, ...derived] };
}

/** What a graph event does to the goals. */
function moveGoals(state: RunState, before: GraphSnapshot, event: RunEvent): Moved {
  switch (event.type) {
    case 'node.started': {
      const place = placeOf(state, event.node);
      const again = state.goals.has(event.node);
      return tellGoal(state, {
        id: event.node,
        event: again ? { type: 'again', epoch: event.epoch } : opening(state, place),
        at: event.at,
      });
    }
    case 'run.paused':
    case 'run.restored': {
      let moved = settled(state);
      for (const place of before.context.active) {
        const id = nodeAt(planOf(before.context), place).id;
        const told = tellGoal(moved.next, { id, event: { type: 'cut' }, at: event.at });
        moved = { ...told, derived: [...moved.derived, ...told.derived] };
      }
      return moved;
    }
    case 'node.achieved':
    case 'node.failed':
    case 'node.blocked':
    case 'node.retried':
    case 'node.skipped':
    case 'node.edited':
      return settled({ ...state, goals: without(state.goals, event.node) });
    case 'run.cleared':
      return settled({ ...state, goals: new Map() });
    default:
      return settled(state);
  }
}

function opening(state: RunState, place: number): GoalEvent {
  const graph = state.graph.context;
  const { run, retries, onCut } = nodeAt(planOf(graph), place);
  const checks = checksAt(graph, place).length;
  return {
    type: 'open',
    epoch: graph.epoch,
    retries,
    onCut,
    works: run !== null,
    checks,
    final: isFinal(graph, place),
  };
}

function tellGoal(state: RunState, told: { id: NodeId; event: GoalEvent; at: number }): Moved {
  const goal = state.goals.get(told.id) ?? goalMachine.initial;
  const stepped = goalMachine.step(goal, told.event);
  if (!stepped.ok) throw new Error(`goal ${told.id} is ${goal.value} and does not take ${told.event.type}`);
  const next = { ...state, goals: new Map(state.goals).set(told.id, stepped.next) };
  const place = placeOf(state, told.id);
  const derived = stepped.commands.map((end) =>
    endOfGoal(next, { place, goal: stepped.next, end, at: told.at }),
  );
  return { ok: true, next, derived };
}

export function isAnswer(event: RunEvent): event is Answer {
  return event.type === 'work.ended' || event.type === 'check.ended';
}

/** True when a goal in flight, on this very try, waits for this very answer. */
export function isAwaited(state: RunState, event: Answer): boolean {
  if (state.graph.value !== 'running') return false;
  const goal = state.goals.get(event.node);
  const place = indexOf(planOf(state.graph.context)).place.get(event.node);
  if (goal === undefined || place === undefined || !state.graph.context.active.includes(place)) return false;
  const { epoch, attempt, at } = goal.context;
  if (event.epoch !== epoch || event.attempt !== attempt) return false;
  return event.type === 'work.ended'
    ? goal.value === 'working'
    : goal.value === 'checking' && event.check === at;
}

function lateOf(event: Answer): Late {
  const { at, node, epoch, attempt, outcome, ms } = event;
  const check = event.type === 'check.ended' ? event.check : null;
  return { type: 'late', at, of: event.type, check, node, epoch, attempt, outcome, ms };
}

export function placeOf(state: RunState, id: NodeId): number {
  const place = indexOf(planOf(state.graph.context)).place.get(id);
  if (place === undefined) throw new Error(`no node ${id}`);
  return place;
}

function after(state: RunState, event: RunEvent, change: Partial<RunState>): RunState {
  return { ...state, ...change, lastAt: Math.max(state.lastAt, event.at) };
}

function settled(next: RunState): Moved {
  return { ok: true, next, derived: [] };
}

function without(goals: RunState['goals'], id: NodeId): RunState['goals'] {
  const rest = new Map(goals);
  rest.delete(id);
  return rest;
}
