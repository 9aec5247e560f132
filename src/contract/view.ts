/** What front ends render of a run: derived from its stored events and nothing else. */

import type { BudgetReport } from './budget.ts';
import type { Ended } from './event.ts';
import type { FlowExit, FlowNodeKind } from './flow.ts';
import type { MoveOutcome } from './flow-event.ts';
import type { Gap, Verdict } from './goal.ts';
import type { Limits } from './limits.ts';
import type { NodeId } from './ids.ts';
import type { ModelSettings } from './settings.ts';
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
  /**
   * Milliseconds, all attempts: what its command and checks have taken; for a model's node what it was in flight, up to
   * its last rest.
   */
  readonly ms: number;
  /**
   * Three records, never one: its command ran to an end · exit 0 · every check green. For a model's node: its worker
   * was answered in a round · claimed to be done · was verified.
   */
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
  /** What was found missing, in the order in which it was found, and what became of it. */
  readonly gaps: readonly GapView[];
  /** The last verification, seat by seat: of each the vote that counts. Empty before the first. */
  readonly votes: readonly VoteView[];
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
  /** `outvoted`: its skeptic stood alone, and the node was achieved all the same. */
  readonly state: 'open' | 'closed' | 'outvoted';
  /** The round of the first later claim that was judged without it; null when there is none. */
  readonly closedIn: number | null;
  /** The next round whose claim it refuted again; null when there is none. */
  readonly againIn: number | null;
  /** Of an outvoted one: the votes for and against. */
  readonly outvoted: { readonly achieved: number; readonly refuted: number } | null;
}

export interface VoteView {
  readonly seat: number;
  readonly verdict: Verdict;
  /** One line: on what it rests, or why there is no verdict. */
  readonly why: string;
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
  readonly models: {
    readonly worker: string;
    readonly verifier: string;
    /** Skeptics of one verification. */
    readonly panel: ModelSettings['panel'];
  } | null;
  /** The chart that is followed; null for a run of a plan. */
  readonly flow: FlowView | null;
  readonly counts: Readonly<Record<NodeStatus, number>>;
  /** In plan order; the final node last. */
  readonly nodes: readonly NodeView[];
}

/** A flow: its chart, where it stands in it, and the way it has come. */
export interface FlowView {
  readonly name: string;
  readonly args: string;
  /** In the order in which the chart names them. */
  readonly steps: readonly FlowStepView[];
  /** Id of the step that is next or in flight; null before the first one, and once END is reached. */
  readonly at: string | null;
  /** The branch that a person chose while the run rested; null for none. */
  readonly picked: string | null;
  /** Moves so far, the one in flight included. */
  readonly moves: number;
  /** Null is no limit. */
  readonly maxMoves: number | null;
  readonly trail: readonly MoveView[];
}

export interface FlowStepView {
  readonly id: string;
  readonly label: string;
  readonly kind: FlowNodeKind;
  readonly exits: readonly FlowExitView[];
  /** How often it was left by one of its exits; 1 for END once it is reached. */
  readonly visits: number;
}

export interface FlowExitView extends FlowExit {
  /** How often it was taken. */
  readonly taken: number;
}

export interface MoveView {
  /** Of a person's choice: the moves there were then. */
  readonly move: number;
  readonly step: string;
  readonly by: 'agent' | 'person';
  readonly outcome: MoveOutcome;
  /** What was chosen, or said to be; null for none. */
  readonly choice: string | null;
  /** Why it did not lead on, if the agent fell short. */
  readonly detail: string | null;
  /** Whether it led on. What a person chooses while the run rests does so once it goes on, unless they choose again. */
  readonly led: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
