/**
 * An event is a fact. Everything a person is shown (shell, `--json`, reports, replay) is rendered from these,
 * as stored. Time comes in on the event: nothing that folds events reads a clock.
 */

import type { BlockedWhy, FailedWhy, PausedWhy } from './status.ts';
import type { LedgerEvent } from './budget.ts';
import type { Fence } from './command.ts';
import type { FlowEvent, MoveEnded } from './flow-event.ts';
import type { FlowRun } from './flow.ts';
import type { GoalRunEvent } from './goal-event.ts';
import type { Limits } from './limits.ts';
import type { NodeId } from './ids.ts';
import type { Plan } from './plan.ts';
import type { SessionEvent } from './session-event.ts';
import type { ModelSettings } from './settings.ts';

/** How a process ended. `spawn`: it could not be started. `aborted`: we ended it, on a pause or an abort. */
export type Outcome = 'exit' | 'signal' | 'timeout' | 'spawn' | 'aborted';

/** What is kept of a process: its end, and where its output is. */
export interface Ended {
  readonly outcome: Outcome;
  /** Exit code; null unless `outcome` is `exit`. */
  readonly exit: number | null;
  /** Signal name, for `signal`; the system's words, for `spawn`. */
  readonly detail: string | null;
  /** Milliseconds. */
  readonly ms: number;
  /** Address of the stored output (stdout and stderr interleaved, head and tail when cut); null when empty. */
  readonly output: string | null;
  /** Bytes the process wrote, stored or not. */
  readonly bytes: number;
  /** The last lines, for messages; at most 2,000 characters. */
  readonly tail: string;
}

interface Timed {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface RunCreated extends Timed {
  readonly type: 'run.created';
  readonly run: string;
  /** Version of the machines that fold this run. */
  readonly machine: 1;
  /** As the user gave it, or as the plan file says it. */
  readonly objective: string;
  /** Null when a model is to write it. */
  readonly plan: Plan | null;
  /** Null when no model works on it. */
  readonly models: ModelSettings | null;
  /** The chart that its only node follows; null for a run of a plan. */
  readonly flow: FlowRun | null;
  /** Whether a person must approve the plan that a model wrote. */
  readonly approve: boolean;
  /** Absolute path. */
  readonly workspace: string;
  readonly concurrency: number;
  readonly limits: Limits;
}

export interface RunRestored extends Timed {
  readonly type: 'run.restored';
}

export interface RunPaused extends Timed {
  readonly type: 'run.paused';
  readonly why: PausedWhy;
  /** For a person: who or what paused it. */
  readonly detail: string | null;
  /** When it is worth going on, absolute, in milliseconds since the epoch; null when nobody said. */
  readonly resetAt: number | null;
}

export interface RunResumed extends Timed {
  readonly type: 'run.resumed';
  /** The limits from now on: the old ones plus what was added. */
  readonly limits: Limits;
  readonly concurrency: number;
  /** Who works and verifies from now on; null for no change. */
  readonly models: ModelSettings | null;
  /** Moves that a flow has more than before. */
  readonly moves: number;
}

export interface RunCompleted extends Timed {
  readonly type: 'run.completed';
}

export interface RunCleared extends Timed {
  readonly type: 'run.cleared';
}

export interface NodeStarted extends Timed, Fence {
  readonly type: 'node.started';
  readonly rerun: boolean;
}

export interface WorkEnded extends Timed, Fence, Ended {
  readonly type: 'work.ended';
  readonly rerun: boolean;
}

export interface CheckEnded extends Timed, Fence, Ended {
  readonly type: 'check.ended';
  readonly check: number;
  /** Fingerprint of the tree when the check began; null when it could not be taken. */
  readonly tree: string | null;
  /** True when the check did not run, because it was green on this very tree. */
  readonly reused: boolean;
  /** Files it rests on that were changed since the node's base. With any, the end is that of a run in a copy that has them as they were. */
  readonly restored: readonly string[];
}

export interface NodeAchieved extends Timed {
  readonly type: 'node.achieved';
  readonly node: NodeId;
}

export interface NodeFailed extends Timed {
  readonly type: 'node.failed';
  readonly node: NodeId;
  readonly why: FailedWhy;
  readonly detail: string;
  /** Nodes whose checks went red, when the final node failed. */
  readonly red: readonly NodeId[];
}

export interface NodeBlocked extends Timed {
  readonly type: 'node.blocked';
  readonly node: NodeId;
  readonly why: BlockedWhy;
  readonly detail: string;
}

export interface NodeRetried extends Timed {
  readonly type: 'node.retried';
  readonly node: NodeId;
}

export interface NodeSkipped extends Timed {
  readonly type: 'node.skipped';
  readonly node: NodeId;
}

/** Carries what changed; `hash` is that of the plan that results. */
export interface NodeEdited extends Timed {
  readonly type: 'node.edited';
  readonly node: NodeId;
  readonly version: number;
  readonly hash: string;
  readonly spec: string | null;
  readonly run: string | null;
  readonly checks: readonly string[] | null;
}

/** A result of an older epoch: machines skip it. */
export interface Late extends Timed, Fence {
  readonly type: 'late';
  readonly of: 'work.ended' | 'check.ended';
  /** The place of the check; null for a command. */
  readonly check: number | null;
  readonly outcome: Outcome;
  readonly ms: number;
}

/** Events that answer an effect. */
export type Answer =
  | WorkEnded
  | CheckEnded
  | MoveEnded
  | Extract<
      GoalRunEvent,
      {
        type:
          | 'run.planned'
          | 'plan.refused'
          | 'base.ended'
          | 'brief.ended'
          | 'round.ended'
          | 'vote.ended'
          | 'strategy.ended'
          | 'wake.ended'
          | 'effect.failed';
      }
    >;

export type RunEvent =
  | RunCreated
  | RunRestored
  | RunPaused
  | RunResumed
  | RunCompleted
  | RunCleared
  | NodeStarted
  | WorkEnded
  | CheckEnded
  | NodeAchieved
  | NodeFailed
  | NodeBlocked
  | NodeRetried
  | NodeSkipped
  | NodeEdited
  | Late
  | FlowEvent
  | GoalRunEvent
  | SessionEvent
  | LedgerEvent;
