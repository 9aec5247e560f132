/** Events of a flow: the agent's moves, and what a person decides in its place. */

import type { Fence } from './command.ts';
import type { NodeId } from './ids.ts';

interface Timed {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * How a move ended. `said`: the agent came to an end by itself. `short`: it used up its requests, or made the same call
 * again and again. `failed`: the provider answered with nothing that can be used.
 */
export type MoveOutcome = 'said' | 'short' | 'failed';

/** The agent was asked for one step of the chart, and has answered. */
export interface MoveEnded extends Timed, Fence {
  readonly type: 'move.ended';
  /** 1-based, counts all moves of the flow. */
  readonly move: number;
  /** Id in the chart. */
  readonly step: string;
  readonly outcome: MoveOutcome;
  /** What the last choice tag of its answer holds; null when there is none. Only decisions look at it. */
  readonly choice: string | null;
  /** The tree after it; null when no snapshot could be taken. */
  readonly tree: string | null;
  /** One line for a person: why it fell short, or why its choice leads nowhere; null when it led on. */
  readonly detail: string | null;
}

/** A person has decided instead of the agent. */
export interface FlowChosen extends Timed {
  readonly type: 'flow.chosen';
  readonly node: NodeId;
  readonly step: string;
  /** Label of the exit. */
  readonly branch: string;
  /** Moves so far, the one that it takes the place of included. */
  readonly move: number;
}

export type FlowEvent = MoveEnded | FlowChosen;
