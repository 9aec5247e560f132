/** What front ends render of a run: derived from its stored events and nothing else. */

import type { BudgetReport } from './budget.ts';
import type { Ended } from './event.ts';
import type { Gap } from './goal.ts';
import type { Limits } from './limits.ts';
import type { NodeId } from './ids.ts';
import type { NodeStatus, PausedWhy, RunStatus } from './status.ts';

export interface CheckView {
  readonly run: string;
  /** Null until it has run in the node's present attempt. */
  readonly end: (Ended & { readonly reused: boolean; readonly restored: readonly string[] }) | null;
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
  /** Null for a node that no model works on. */
  readonly goal: GoalView | null;
}

/** What a model did for a node. */
export interface GoalView {
  /** The round that is in flight, or was last; 0 before the first. */
  readonly round: number;
  readonly verification: number;
  /** What was found missing, in the order in which it was found, and whether it was closed since. */
  readonly gaps: readonly GapView[];
  /** Attempts to talk a skeptic into a verdict. */
  readonly injections: readonly string[];
  /** Tokens that its roles used, as reported. */
  readonly tokens: number;
  readonly turns: number;
  /** Of the bytes sent after a session's first request, the part that the request before had too; null before that. */
  readonly sameShare: number | null;
  /** Work that was found on the way. */
  readonly discovered: readonly string[];
  /** What it says it did. */
  readonly summary: string | null;
  /** Who is at work just now. */
  readonly doing: string | null;
  /** When a parked node goes on; milliseconds since the epoch. */
  readonly until: number | null;
  /** Address of the patch of work that was cut. */
  readonly patch: string | null;
}

export interface GapView {
  /** The round whose claim it refuted. */
  readonly round: number;
  readonly from: Gap['from'];
  readonly text: string;
  readonly closed: boolean;
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
  /** When it is worth going on, if whoever refused said so. */
  readonly resetAt: number | null;
  /** Null when no model works on it. */
  readonly budget: BudgetReport | null;
  /** The models, as the user named them. */
  readonly models: { readonly worker: string; readonly verifier: string } | null;
  readonly counts: Readonly<Record<NodeStatus, number>>;
  /** In plan order; the final node last. */
  readonly nodes: readonly NodeView[];
}
