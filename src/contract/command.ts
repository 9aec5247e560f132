/** A wanted effect: all that it needs, and the fence its answer must match. */

import type { NodeId } from './ids.ts';

/** Identifies one try of one node; an answer with another fence is late. */
export interface Fence {
  readonly node: NodeId;
  /** The run's epoch when the node was started; every owner, pause, retry, skip and edit makes a new one. */
  readonly epoch: number;
  /** 1-based, counts the node's tries of `1 + retries`. */
  readonly attempt: number;
}

export interface WorkCommand extends Fence {
  readonly type: 'work';
  readonly run: string;
  /** Milliseconds; null for the default. */
  readonly timeout: number | null;
  /** True when an earlier start of the same command was cut and may have had effects. */
  readonly rerun: boolean;
}

export interface CheckCommand extends Fence {
  readonly type: 'check';
  /** 0-based place among the checks of this node (of the whole plan, for the final node). */
  readonly check: number;
  readonly run: string;
  /** A fingerprint of the tree on which this very check was green; on the same tree it need not run again. */
  readonly green: string | null;
  /** The snapshot from before a model's work: what the check rests on must be as it was there. Null for command nodes. */
  readonly base: string | null;
}

/** Write a plan for the objective. */
export interface PlanCommand {
  readonly type: 'plan';
  readonly epoch: number;
}

/** Take the snapshot that a model's work will be compared with. */
export interface BaseCommand extends Fence {
  readonly type: 'base';
}

/** Write down what must hold when the node is done. */
export interface BriefCommand extends Fence {
  readonly type: 'brief';
}

/** Let the worker work until it claims, is blocked, waits, or stops. */
export interface RoundCommand extends Fence {
  readonly type: 'round';
  readonly round: number;
}

/** Let one skeptic try to refute the claim. */
export interface VoteCommand extends Fence {
  readonly type: 'vote';
  readonly verification: number;
  readonly seat: number;
  readonly ballot: number;
}

/** Suggest another way: the same gap has come back. */
export interface StrategyCommand extends Fence {
  readonly type: 'strategy';
  readonly round: number;
}

/** Wait for what a parked node waits for. Takes no slot. */
export interface WakeCommand extends Fence {
  readonly type: 'wake';
  readonly round: number;
  /** Absolute, in milliseconds since the epoch. */
  readonly until: number;
  readonly pid: number | null;
}

/** Ask the agent of a flow for one step of its chart. */
export interface MoveCommand extends Fence {
  readonly type: 'move';
  /** 1-based, counts all moves of the flow. */
  readonly move: number;
  /** Id in the chart. */
  readonly step: string;
}

/** What a model's session does. */
export type SessionCommand =
  PlanCommand | BriefCommand | RoundCommand | VoteCommand | StrategyCommand | MoveCommand;

/** Every effect there is. */
export type Effect = WorkCommand | CheckCommand | BaseCommand | SessionCommand | WakeCommand;

/** Names one effect; equal for a command and the event that answers it. */
export function effectKey(e: Effect | AnswerOf): string {
  switch (e.type) {
    case 'plan':
    case 'run.planned':
    case 'plan.refused':
      return `plan ${e.epoch}`;
    case 'effect.failed':
      return e.effect;
    default:
      return `${e.node} ${e.epoch}.${e.attempt} ${partOf(e)}`;
  }
}

type NodeEffect = Exclude<Effect, PlanCommand> | Extract<AnswerOf, Fence>;

function partOf(e: NodeEffect): string {
  switch (e.type) {
    case 'work':
    case 'work.ended':
      return 'work';
    case 'check':
    case 'check.ended':
      return `check ${e.check}`;
    case 'base':
    case 'base.ended':
      return 'base';
    case 'brief':
    case 'brief.ended':
      return 'brief';
    case 'round':
    case 'round.ended':
      return `round ${e.round}`;
    case 'vote':
    case 'vote.ended':
      return `vote ${e.verification}.${e.seat}.${e.ballot}`;
    case 'strategy':
    case 'strategy.ended':
      return `strategy ${e.round}`;
    case 'wake':
    case 'wake.ended':
      return `wake ${e.round}`;
    case 'move':
    case 'move.ended':
      return `move ${e.move}`;
  }
}

/** The events that answer an effect, as far as their names go. */
type AnswerOf =
  | { readonly type: 'run.planned' | 'plan.refused'; readonly epoch: number }
  | { readonly type: 'effect.failed'; readonly effect: string }
  | (Fence & { readonly type: 'work.ended' | 'base.ended' | 'brief.ended' })
  | (Fence & { readonly type: 'check.ended'; readonly check: number })
  | (Fence & { readonly type: 'move.ended'; readonly move: number })
  | (Fence & { readonly type: 'round.ended' | 'strategy.ended' | 'wake.ended'; readonly round: number })
  | (Fence & {
      readonly type: 'vote.ended';
      readonly verification: number;
      readonly seat: number;
      readonly ballot: number;
    });
