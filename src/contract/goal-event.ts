/** Events of planning, and of goals that a model works on. */

import type { Fence } from './command.ts';
import type { Brief, Round, Vote } from './goal.ts';
import type { NodeId } from './ids.ts';
import type { Plan } from './plan.ts';

interface Timed {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A plan that passed the gate. */
export interface RunPlanned extends Timed {
  readonly type: 'run.planned';
  /** Of the planning that it answers: a late plan of an older one is not taken. */
  readonly epoch: number;
  readonly plan: Plan;
  /** One line each. */
  readonly warnings: readonly string[];
}

/** The gate refused what the planner submitted, as often as it may. */
export interface PlanRefused extends Timed {
  readonly type: 'plan.refused';
  readonly epoch: number;
  /** All faults of the last draft, one line each. */
  readonly faults: readonly string[];
}

export interface RunApproved extends Timed {
  readonly type: 'run.approved';
}

/** The node's own base: what its work is compared with. */
export interface BaseEnded extends Timed, Fence {
  readonly type: 'base.ended';
  readonly tree: string;
}

export interface BriefEnded extends Timed, Fence {
  readonly type: 'brief.ended';
  /** Null when the role could not write one. */
  readonly brief: Brief | null;
  readonly detail: string | null;
}

export interface RoundEnded extends Timed, Fence, Round {
  readonly type: 'round.ended';
  readonly round: number;
}

export interface VoteEnded extends Timed, Fence, Vote {
  readonly type: 'vote.ended';
  readonly verification: number;
  readonly seat: number;
  /** 1-based: an inconclusive vote is asked for again. */
  readonly ballot: number;
  /** The tree that was judged. */
  readonly tree: string;
}

export interface StrategyEnded extends Timed, Fence {
  readonly type: 'strategy.ended';
  readonly round: number;
  /** Null when there is none: then the same gap again ends the node. */
  readonly suggestion: string | null;
}

/** The worker waits for something: the node gives its slot back, and no request is sent for it until then. */
export interface NodeParked extends Timed {
  readonly type: 'node.parked';
  readonly node: NodeId;
  /** Absolute, in milliseconds since the epoch. */
  readonly until: number;
  /** A process whose end may come before; null for none. */
  readonly pid: number | null;
  readonly detail: string;
}

/** What a parked node waited for has come. */
export interface WakeEnded extends Timed, Fence {
  readonly type: 'wake.ended';
  readonly round: number;
}

/** The effect could not be done for a reason that says nothing about its node: the run pauses, the node goes back to ready. */
export interface EffectFailed extends Timed {
  readonly type: 'effect.failed';
  /** Key of the effect. */
  readonly effect: string;
  readonly why: 'provider' | 'infra';
  readonly detail: string;
  /** When it is worth trying again, absolute; null when nobody said. */
  readonly resetAt: number | null;
}

/** The partial work of a node that was cut, kept as a patch. A record: nothing follows from it. */
export interface NodeKept extends Timed {
  readonly type: 'node.kept';
  readonly node: NodeId;
  /** Snapshots before and after. */
  readonly base: string;
  readonly tree: string;
  /** Address of the patch; null when there is no difference, or it is too large to store (then `detail` says so). */
  readonly patch: string | null;
  /** Paths that differ. */
  readonly files: number;
  readonly detail: string | null;
}

export type GoalRunEvent =
  | RunPlanned
  | PlanRefused
  | RunApproved
  | BaseEnded
  | BriefEnded
  | RoundEnded
  | VoteEnded
  | StrategyEnded
  | NodeParked
  | WakeEnded
  | EffectFailed
  | NodeKept;
