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
}

/** Every effect there is. */
export type Effect = WorkCommand | CheckCommand;

/** Names one effect; equal for a command and the event that answers it. */
export function effectKey(e: Effect | AnswerOf): string {
  const kind = e.type === 'work' || e.type === 'work.ended' ? 'work' : `check ${e.check}`;
  return `${e.node} ${e.epoch}.${e.attempt} ${kind}`;
}

type AnswerOf =
  | (Fence & { readonly type: 'work.ended' })
  | (Fence & { readonly type: 'check.ended'; readonly check: number });
