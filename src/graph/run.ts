/**
 * One event of a run, applied: it goes to the graph, the goals and the ledger, and what those want
 * becomes derived events. This is the only place that knows all three.
 */

import type { Answer, Late, RunEvent } from '../contract/event.ts';
import type { FlowChosen } from '../contract/flow-event.ts';
import type { NodeId } from '../contract/ids.ts';
import type { NodeKept } from '../contract/goal-event.ts';
import type { SessionEvent } from '../contract/session-event.ts';
import { step, type Applied, type Stepped } from '../kernel/step.ts';
import { checksAt } from './effects.ts';
import { flowGoalMachine } from './flow-goal-machine.ts';
import { isFlowGoal, isModelPlace, stepGoal, type AnyGoal, type AnyGoalEvent } from './goals.ts';
import { goalMachine } from './goal-machine.ts';
import { toldToGraph, wokenAt, type OfGraph, type ToldToGraph } from './graph-event.ts';
import { isFinal, planOf } from './graph-context.ts';
import { graphMachine, type GraphSnapshot } from './graph-machine.ts';
import { modelGoalMachine } from './model-goal-machine.ts';
import { isAwaited } from './owed.ts';
import { indexOf, nodeAt } from './plan-index.ts';
import { applyToLedger, isOfLedger, ledgerAfter, ledgerFollows } from './run-ledger.ts';
import { isMoving, type RunState } from './run-state.ts';
import { derivedByGraph, endOfGoal } from './wishes.ts';

export type RunApplied = Applied<RunState, RunEvent>;
type Moved = RunApplied & { readonly ok: true };
export type RunStepped = Stepped<RunState, RunEvent>;

/** Steps an event that has just happened. A command's end that nobody waits for any more is recorded as late. */
export function stepRun(state: RunState, event: RunEvent): RunStepped {
  const late = isOfCommand(event) && !isAwaited(state, event);
  return step(applyRun, state, late ? lateOf(event) : event);
}

/** Applies one event, live or stored. */
export function applyRun(state: RunState, event: RunEvent): RunApplied {
  if (isRecord(event)) return settled(after(state, event, {}));
  if (isOfLedger(event)) {
    const live = isMoving(state);
    const applied = applyToLedger(state.ledger, event, live);
    if (!applied.ok) return applied;
    return { ok: true, next: after(state, event, { ledger: applied.ledger }), derived: applied.derived };
  }
  if (event.type === 'flow.chosen') return applyChoice(state, event);
  return isAnswer(event) ? applyAnswer(state, event) : applyToGraph(state, event);
}

/** Also while the run is at rest: then it goes on from there when it is resumed. */
function applyChoice(state: RunState, event: FlowChosen): RunApplied {
  const { node, step, branch, at } = event;
  const goal = state.goals.get(node);
  const isOpen = isMoving(state) || state.graph.value === 'paused';
  const told: AnyGoalEvent = isMoving(state) ? event : { type: 'pick', step, branch };
  if (!isOpen || !goal || !isFlowGoal(goal) || !stepGoal(goal, told).ok) {
    return { ok: false, why: `there is no branch ${branch} to choose at the step ${step}` };
  }
  return tellGoal(after(state, event, {}), { id: node, event: told, at });
}

function applyAnswer(state: RunState, event: Answer): RunApplied {
  if (!isAwaited(state, event)) return { ok: false, why: `nobody waits for ${event.type}` };
  const { at } = event;
  const next = after(state, event, {});
  switch (event.type) {
    case 'run.planned':
      return applyToGraph(state, event);
    case 'plan.refused': {
      const detail = `the plan was refused:\n${event.faults.join('\n')}`;
      return { ok: true, next, derived: [{ type: 'run.paused', at, why: 'infra', detail, resetAt: null }] };
    }
    case 'effect.failed': {
      const { why, detail, resetAt } = event;
      return { ok: true, next, derived: [{ type: 'run.paused', at, why, detail, resetAt }] };
    }
    case 'wake.ended': {
      const woken = tellGoal(next, { id: event.node, event, at });
      return tellGraph(woken.next, { told: wokenAt(placeOf(next, event.node)), event });
    }
    case 'base.ended':
      return tellGoal({ ...next, base: state.base ?? event.tree }, { id: event.node, event, at });
    case 'work.ended':
    case 'check.ended':
      return event.outcome === 'spawn' || event.outcome === 'aborted'
        ? unstarted(next, event)
        : tellGoal(next, { id: event.node, event: seen(next, event), at });
    default:
      return tellGoal(next, { id: event.node, event, at });
  }
}

/** Says nothing about the node: the machine could not run it. The node goes back to ready with the pause. */
function unstarted(state: RunState, { node, outcome, detail, at }: OfCommand): RunApplied {
  const told = tellGoal(state, { id: node, event: { type: 'unstarted' }, at });
  const words = outcome === 'spawn' ? `cannot start a command: ${detail ?? ''}` : 'ended from outside';
  return { ...told, derived: [{ type: 'run.paused', at, why: 'infra', detail: words, resetAt: null }] };
}

/** A model must read which check it was; a command's goal only counts. */
function seen(state: RunState, event: OfCommand): AnyGoalEvent {
  if (event.type === 'work.ended') return event;
  const checks = checksAt(state.graph.context, placeOf(state, event.node));
  return { ...event, run: checks[event.check]?.run ?? '' };
}

function applyToGraph(state: RunState, event: OfGraph): RunApplied {
  const told = toldToGraph(state, event);
  return told.ok ? tellGraph(state, { told, event }) : told;
}

function tellGraph(
  state: RunState,
  { told, event }: { readonly told: ToldToGraph & { readonly ok: true }; readonly event: RunEvent },
): RunApplied {
  const stepped = graphMachine.step(state.graph, told.event);
  if (!stepped.ok) return { ok: false, why: told.refusal(state.graph) };
  const graph = stepped.next;
  const changed = after(state, event, { graph, ledger: ledgerAfter(state, event) });
  const moved = moveGoals(changed, state.graph, event);
  const follows = ledgerFollows(moved.next, state.ledger, event);
  const wanted = stepped.commands.map((wish) => derivedByGraph(moved.next, wish, event.at));
  return { ...moved, derived: [...moved.derived, ...follows, ...wanted] };
}

/** What a graph event does to the goals. */
function moveGoals(state: RunState, before: GraphSnapshot, event: RunEvent): Moved {
  switch (event.type) {
    case 'node.started': {
      const again = state.goals.has(event.node);
      const told = again
        ? { event: { type: 'again', epoch: event.epoch, maxMoves: movesOf(state) } as const }
        : opening(state, placeOf(state, event.node));
      return tellGoal(state, { id: event.node, at: event.at, ...told });
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

function opening(state: RunState, place: number): { readonly goal: AnyGoal; readonly event: AnyGoalEvent } {
  const { context } = state.graph;
  const { epoch, models, flow } = context;
  if (flow) {
    const event = { type: 'open', epoch, flow: flow.flow, maxMoves: flow.maxMoves } as const;
    return { goal: flowGoalMachine.initial, event };
  }
  const { run, retries, onCut, checks: own } = nodeAt(planOf(context), place);
  const checks = checksAt(context, place).length;
  const final = isFinal(context, place);
  if (models && isModelPlace(models, planOf(context), place)) {
    const panel = final ? models.panel.final : models.panel.node;
    const needsBrief = !final && own.length === 0;
    const event = { type: 'open', epoch, final, checks, panel, caps: models.caps, needsBrief } as const;
    return { goal: modelGoalMachine.initial, event };
  }
  const event = { type: 'open', epoch, retries, onCut, works: run !== null, checks, final } as const;
  return { goal: goalMachine.initial, event };
}

function movesOf({ graph }: RunState): number | null {
  return graph.context.flow?.maxMoves ?? null;
}

interface Told {
  readonly id: NodeId;
  readonly event: AnyGoalEvent;
  readonly at: number;
  /** The goal that is told; the node's own when left out. */
  readonly goal?: AnyGoal;
}

function tellGoal(state: RunState, told: Told): Moved {
  const goal = told.goal ?? state.goals.get(told.id);
  const stepped = goal && stepGoal(goal, told.event);
  if (!stepped?.ok) {
    throw new Error(`goal ${told.id} is ${goal?.value ?? 'not there'} and does not take ${told.event.type}`);
  }
  const next = { ...state, goals: new Map(state.goals).set(told.id, stepped.next) };
  const place = placeOf(state, told.id);
  const derived = stepped.wishes.map((end) =>
    endOfGoal(next, { place, goal: stepped.next, end, at: told.at }),
  );
  return { ok: true, next, derived };
}

const ANSWERS: ReadonlySet<string> = new Set<Answer['type']>([
  'work.ended',
  'check.ended',
  'run.planned',
  'plan.refused',
  'base.ended',
  'brief.ended',
  'round.ended',
  'vote.ended',
  'strategy.ended',
  'wake.ended',
  'move.ended',
  'effect.failed',
]);

export function isAnswer(event: RunEvent): event is Answer {
  return ANSWERS.has(event.type);
}

type OfCommand = Extract<Answer, { type: 'work.ended' | 'check.ended' }>;

function isOfCommand(event: RunEvent): event is OfCommand {
  return event.type === 'work.ended' || event.type === 'check.ended';
}

/** What is kept for people and for sessions; no machine needs it. */
type Recorded = Late | NodeKept | SessionEvent;

const RECORDS: ReadonlySet<string> = new Set<Recorded['type']>([
  'late',
  'node.kept',
  'session.asked',
  'turn.ended',
  'tools.ended',
  'session.compacted',
]);

function isRecord(event: RunEvent): event is Recorded {
  return RECORDS.has(event.type);
}

function lateOf(event: OfCommand): Late {
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
