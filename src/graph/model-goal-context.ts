/** What the goal of a model's node remembers, and the events it hears of. */

import type {
  BaseEnded,
  BriefEnded,
  RoundEnded,
  StrategyEnded,
  VoteEnded,
  WakeEnded,
} from '../contract/goal-event.ts';
import type { CheckEnded } from '../contract/event.ts';
import type { Brief, Gap, Vote } from '../contract/goal.ts';
import type { GoalCaps } from '../contract/settings.ts';
import type { BlockedWhy, FailedWhy } from '../contract/status.ts';
import type { Report } from '../contract/tool.ts';

export type ModelGoalState =
  | 'idle'
  | 'basing'
  | 'briefing'
  | 'working'
  | 'checking'
  | 'verifying'
  | 'strategizing'
  | 'parked'
  | 'achieved'
  | 'failed'
  | 'blocked';

/** Why a round begins. */
export type RoundWhy = 'start' | 'refuted' | 'no_report' | 'blocked' | 'failed' | 'woken';

export interface Ballot extends Vote {
  readonly seat: number;
  readonly tree: string;
}

export interface ModelGoalContext {
  readonly kind: 'model';
  /** The run's epoch when the goal was opened: names its sessions. */
  readonly born: number;
  /** The run's epoch of its present start. */
  readonly epoch: number;
  readonly attempt: 1;
  readonly final: boolean;
  readonly checks: number;
  /** Skeptics of one verification. */
  readonly panel: number;
  readonly caps: GoalCaps;
  /** Nothing says yet when the node is done. */
  readonly needsBrief: boolean;
  readonly next: ModelGoalState;
  /** True once a start of what is in flight was cut; a round that has ended was not. */
  readonly cut: boolean;
  /** Snapshot from before its work. */
  readonly base: string | null;
  readonly brief: Brief | null;
  /** The round that is next or in flight; 0 before the first. */
  readonly round: number;
  readonly why: RoundWhy;
  /** What the last round ended with, in a line for the worker. */
  readonly note: string | null;
  /** What is still to be closed: the gaps of the last refutation. */
  readonly gaps: readonly Gap[];
  /** Fingerprint of these. */
  readonly print: string | null;
  /** True once the strategist was asked about them. */
  readonly strategized: boolean;
  readonly suggestion: string | null;
  readonly claim: Report | null;
  /** Snapshot at the end of the last round. */
  readonly tree: string | null;
  /** Tool results so far that were new. */
  readonly results: number;
  /** Rounds running without progress, blocked, failed. */
  readonly idle: number;
  readonly blocked: number;
  readonly failed: number;
  /** The check that is next or in flight; how many have been seen on this state of things. */
  readonly at: number;
  readonly red: readonly Gap[];
  readonly redChecks: readonly number[];
  readonly green: readonly (string | null)[];
  /** The verification that is next or in flight; 0 before the first. */
  readonly verification: number;
  /** True from the first ballot of a verification to its result, also when its checks are seen again after a cut. */
  readonly voting: boolean;
  readonly ballot: number;
  /** How often the checks were seen again because the votes were about another tree than the round left. */
  readonly rechecks: number;
  readonly votes: readonly Ballot[];
  readonly until: number;
  readonly pid: number | null;
  /** Why it ended short. */
  readonly end: { readonly why: FailedWhy | BlockedWhy; readonly detail: string } | null;
}

export type ModelGoalOpening = Pick<
  ModelGoalContext,
  'epoch' | 'final' | 'checks' | 'panel' | 'caps' | 'needsBrief'
>;

/** A check's end, with the command that the plan says. */
export type CheckSeen = CheckEnded & { readonly run: string };

export type ModelGoalEvent =
  | ({ readonly type: 'open' } & ModelGoalOpening)
  | { readonly type: 'again'; readonly epoch: number }
  | { readonly type: 'cut' }
  | { readonly type: 'unstarted' }
  | BaseEnded
  | BriefEnded
  | RoundEnded
  | CheckSeen
  | VoteEnded
  | StrategyEnded
  | WakeEnded;

export const NEW_MODEL_GOAL: ModelGoalContext = {
  kind: 'model',
  born: 0,
  epoch: 0,
  attempt: 1,
  final: false,
  checks: 0,
  panel: 1,
  caps: { rounds: 1, verifications: 1, turns: 1 },
  needsBrief: false,
  next: 'idle',
  cut: false,
  base: null,
  brief: null,
  round: 0,
  why: 'start',
  note: null,
  gaps: [],
  print: null,
  strategized: false,
  suggestion: null,
  claim: null,
  tree: null,
  results: 0,
  idle: 0,
  blocked: 0,
  failed: 0,
  at: 0,
  red: [],
  redChecks: [],
  green: [],
  verification: 0,
  voting: false,
  ballot: 1,
  rechecks: 0,
  votes: [],
  until: 0,
  pid: null,
  end: null,
};
