/**
 * The goal of a node whose agent follows a chart: what it remembers, and how each event changes it. It never fails. Where
 * it cannot go on by itself the run pauses, and it goes on from that very step: its moves may be used up, or the agent
 * may not have chosen.
 */

import type { BaseEnded } from '../contract/goal-event.ts';
import type { FlowChosen, MoveEnded } from '../contract/flow-event.ts';
import { exitNamed, type Flow, type FlowNode } from '../contract/flow.ts';
import { never } from '../contract/never.ts';

export type FlowGoalState = 'idle' | 'basing' | 'moving' | 'spent' | 'undecided' | 'achieved';

/** Why a move is made: what the one before has come to. */
export type MoveWhy = 'start' | 'next' | 'chosen' | 'no_choice' | 'unknown_choice' | 'short' | 'failed';

export interface FlowGoalContext {
  readonly kind: 'flow';
  /** The run's epoch when the goal was opened: names its session. */
  readonly born: number;
  /** The run's epoch of its present start. */
  readonly epoch: number;
  readonly attempt: 1;
  /** Null before it is opened. */
  readonly flow: Flow | null;
  /** Null is no limit. */
  readonly maxMoves: number | null;
  readonly next: FlowGoalState;
  /** Snapshot from before its work. */
  readonly base: string | null;
  /** Id of the step that is next or in flight. */
  readonly step: string;
  /** The move that is in flight, or was last; 0 before the first. */
  readonly move: number;
  /** How often the agent was asked for this step, one time after the other. */
  readonly tries: number;
  readonly why: MoveWhy;
  /** What there is to say of that: the branch that a person chose, the choice that is none, what fell short. */
  readonly note: string | null;
  /** The branch that a person chose while the run was at rest: taken when it goes on. */
  readonly picked: string | null;
  readonly green: readonly never[];
}

export type FlowGoalEvent =
  | {
      readonly type: 'open';
      readonly epoch: number;
      readonly flow: Flow;
      readonly maxMoves: number | null;
    }
  | { readonly type: 'again'; readonly epoch: number; readonly maxMoves: number | null }
  | { readonly type: 'cut' }
  /** A choice while the run is at rest. */
  | { readonly type: 'pick'; readonly step: string; readonly branch: string }
  | BaseEnded
  | MoveEnded
  | FlowChosen;

export const NEW_FLOW_GOAL: FlowGoalContext = {
  kind: 'flow',
  born: 0,
  epoch: 0,
  attempt: 1,
  flow: null,
  maxMoves: null,
  next: 'idle',
  base: null,
  step: '',
  move: 0,
  tries: 0,
  why: 'start',
  note: null,
  picked: null,
  green: [],
};

/** An agent that gives no usable answer is asked again so often, then a person is. */
const REPEATS = 5;

export function evolveFlowGoal(context: FlowGoalContext, event: FlowGoalEvent): FlowGoalContext {
  switch (event.type) {
    case 'open': {
      const { epoch, flow, maxMoves } = event;
      return { ...context, born: epoch, epoch, flow, maxMoves, next: 'basing' };
    }
    case 'again':
      return goneOnWith({ ...context, epoch: event.epoch, maxMoves: event.maxMoves });
    case 'cut':
      // It goes on with the same move.
      return context;
    case 'base.ended': {
      const [first] = stepAt(context, flowOf(context).begin).exits;
      return arrive({ ...context, base: event.tree }, { to: first?.to, why: 'start', note: null });
    }
    case 'move.ended':
      return afterMove(context, event);
    case 'flow.chosen':
      return take(context, event.branch);
    case 'pick':
      return { ...context, picked: event.branch };
    default:
      return never(event);
  }
}

export function flowOf({ flow }: FlowGoalContext): Flow {
  if (!flow) throw new Error('the goal has no flow yet');
  return flow;
}

export function stepAt(context: FlowGoalContext, id: string): FlowNode {
  const step = flowOf(context).nodes.find((node) => node.id === id);
  if (!step) throw new Error(`the flow has no step ${id}`);
  return step;
}

/** Where the exit of this label leads from the present step; undefined when there is none. */
export function targetOf(context: FlowGoalContext, branch: string | null): string | undefined {
  const { kind, exits } = stepAt(context, context.step);
  return kind === 'decision' && branch !== null ? exitNamed(exits, branch)?.to : undefined;
}

/** After a rest: whoever was at the end of its tries gets new ones, and moves may have been added. */
function goneOnWith(context: FlowGoalContext): FlowGoalContext {
  const { next, why, note, picked } = context;
  if (picked !== null) return take({ ...context, picked: null }, picked);
  return next === 'spent' || next === 'undecided'
    ? ask({ ...context, tries: next === 'undecided' ? 0 : context.tries }, why, note)
    : context;
}

function take(context: FlowGoalContext, branch: string): FlowGoalContext {
  return arrive(context, { to: targetOf(context, branch), why: 'chosen', note: branch });
}

function afterMove(context: FlowGoalContext, event: MoveEnded): FlowGoalContext {
  const { outcome, choice, detail } = event;
  if (outcome !== 'said') return askAgain(context, outcome, detail);
  const { kind, exits } = stepAt(context, context.step);
  if (kind !== 'decision') return arrive(context, { to: exits[0]?.to, why: 'next', note: null });
  const to = targetOf(context, choice);
  if (to !== undefined) return arrive(context, { to, why: 'next', note: choice });
  return askAgain(context, choice === null || choice === '' ? 'no_choice' : 'unknown_choice', choice);
}

interface Arrival {
  readonly to: string | undefined;
  readonly why: MoveWhy;
  readonly note: string | null;
}

function arrive(context: FlowGoalContext, { to, why, note }: Arrival): FlowGoalContext {
  if (to === undefined) throw new Error(`no way leads on from ${context.step}`);
  const there = { ...context, step: to, tries: 0 };
  return to === flowOf(context).end ? { ...there, next: 'achieved', why, note } : ask(there, why, note);
}

function askAgain(context: FlowGoalContext, why: MoveWhy, note: string | null): FlowGoalContext {
  return context.tries > REPEATS ? { ...context, next: 'undecided', why, note } : ask(context, why, note);
}

function ask(context: FlowGoalContext, why: MoveWhy, note: string | null): FlowGoalContext {
  const { move, tries, maxMoves } = context;
  if (maxMoves !== null && move >= maxMoves) return { ...context, next: 'spent', why, note };
  return { ...context, next: 'moving', move: move + 1, tries: tries + 1, why, note };
}
