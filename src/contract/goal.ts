/** What a goal that a model works on is made of, beyond its plan node: brief, claims, gaps, votes. Plain JSON. */

import type { Report } from './tool.ts';

/** What must hold when a node is done, written down before its work begins, and not changed after. */
export interface Brief {
  readonly criteria: readonly Criterion[];
  readonly nonGoals: readonly string[];
}

export interface Criterion {
  readonly text: string;
  /** Gating: without it the node is not done. Else it is evidence that helps. */
  readonly gating: boolean;
}

/** Something that must still be closed before the node is achieved. */
export interface Gap {
  /** A red check, a skeptic, or the engine itself (a claim that nothing supports). */
  readonly from: 'check' | 'skeptic' | 'engine';
  readonly text: string;
}

/**
 * How a round ended. `claim`, `blocked`, `wait`: as the worker reported. `none`: it stopped without a report, or used
 * up its turns. `loop`: it made the same call with the same result again and again. `failed`: the provider answered
 * with nothing that can be used.
 */
export type RoundOutcome = 'claim' | 'blocked' | 'wait' | 'none' | 'loop' | 'failed';

export interface Round {
  readonly outcome: RoundOutcome;
  /** Null unless the worker reported. */
  readonly report: Report | null;
  /** The tree at the end of the round; null when no snapshot could be taken. */
  readonly tree: string | null;
  /** Tool results of this round that differ from all those before it in this goal. */
  readonly results: number;
  /** One line for a person; what failed, what was repeated. */
  readonly detail: string | null;
}

/** `inconclusive`: there was no verdict that could be read; it says nothing about the work and is never a pass. */
export type Verdict = 'achieved' | 'refuted' | 'unverifiable' | 'inconclusive';

export interface Vote {
  readonly verdict: Verdict;
  /** With `refuted` only, at least one. */
  readonly gaps: readonly string[];
  /** One line: on what it rests, or why there is none. */
  readonly why: string;
  /** What in the tree or the output tried to talk the skeptic into a verdict; null when nothing did. */
  readonly injection: string | null;
}
