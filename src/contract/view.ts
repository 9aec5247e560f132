/** What front ends render of a run: derived from its stored events and nothing else. */

import type { Ended } from './event.ts';
import type { Limits } from './limits.ts';
import type { NodeId } from './ids.ts';
import type { NodeStatus, PausedWhy, RunStatus } from './status.ts';

export interface CheckView {
  readonly run: string;
  /** Null until it has run in the node's present attempt. */
  readonly end: (Ended & { readonly reused: boolean }) | null;
}

export interface NodeView {
  readonly id: NodeId;
  readonly slug: string;
  readonly title: string;
  readonly deps: readonly NodeId[];
  readonly status: NodeStatus;
  /** Why it failed or is blocked, or whom it is held by: one line for a person; null otherwise. */
  readonly reason: string | null;
  /** The command in flight (the check's, while verifying), else the node's own; null for check-only nodes at rest. */
  readonly command: string | null;
  /** Starts of the node's work, all epochs. */
  readonly attempts: number;
  /** True when the present or last attempt repeats a command that was cut. */
  readonly rerun: boolean;
  /** When the present start began; null when not in flight. Milliseconds since the epoch. */
  readonly startedAt: number | null;
  /** Milliseconds its command and checks have taken, all attempts. */
  readonly ms: number;
  /** Three records, never one: its command ran to an end · exit 0 · every check green. */
  readonly executed: boolean;
  readonly claimed: boolean;
  readonly verified: boolean;
  readonly work: Ended | null;
  readonly checks: readonly CheckView[];
}

export interface RunView {
  readonly run: string;
  readonly objective: string;
  readonly planVersion: number;
  readonly planHash: string;
  readonly workspace: string;
  readonly status: RunStatus;
  readonly why: PausedWhy | null;
  readonly detail: string | null;
  readonly concurrency: number;
  readonly createdAt: number;
  /** Milliseconds of the stretches of running that are over. */
  readonly ran: number;
  /** Start of the present stretch of running, null while at rest. Milliseconds since the epoch. */
  readonly runningSince: number | null;
  /** When the run must pause, if a time limit is set and it is running. */
  readonly deadline: number | null;
  readonly limits: Limits;
  readonly counts: Readonly<Record<NodeStatus, number>>;
  /** In plan order; the final node last. */
  readonly nodes: readonly NodeView[];
}
