/**
 * A draft: a plan as it was proposed. The parsers make it from Markdown or JSON and never throw; what they could not
 * read they note. It claims nothing: only the gate says whether it is a plan.
 */

import type { PlanFault, PlanWarning } from '../contract/fault.ts';
import type { OnCut } from '../contract/plan.ts';

/** A person wrote it into a file, or a model proposed it. */
export type PlanSource = 'file' | 'planner';

/** A text and where it stands; the line is 1-based, null when the format has none that helps. */
export interface Placed {
  readonly value: string;
  readonly line: number | null;
}

export interface DraftCheck extends Placed {
  readonly once: boolean;
}

/** What a node or the plan says about itself, by the name it has in JSON. */
export type DraftField =
  | 'objective'
  | 'slug'
  | 'title'
  | 'spec'
  | 'deps'
  | 'scope'
  | 'checks'
  | 'run'
  | 'timeout'
  | 'retries'
  | 'onCut'
  | 'frozen'
  | 'budget'
  | 'workspace';

export interface DraftNode {
  /** 0-based place among the entries of the text, those that could not be read included. */
  readonly entry: number;
  readonly line: number | null;
  readonly slug: string;
  readonly title: string;
  readonly spec: string;
  readonly deps: readonly Placed[];
  readonly scope: readonly Placed[];
  readonly checks: readonly DraftCheck[];
  readonly run: Placed | null;
  /** Milliseconds. */
  readonly timeout: number | null;
  readonly retries: number;
  readonly onCut: OnCut;
  readonly frozen: readonly Placed[];
  /** Tokens. */
  readonly budget: number | null;
  /** Fields with a fault of their own already: nothing that follows from their being absent is held against it. */
  readonly unread: readonly DraftField[];
}

/** Said about one entry; null is the plan as a whole. */
export interface Noted<T> {
  readonly entry: number | null;
  readonly note: T;
}

export interface Draft {
  readonly file: string;
  readonly objective: string;
  readonly checks: readonly DraftCheck[];
  readonly workspace: Placed | null;
  readonly nodes: readonly DraftNode[];
  readonly unread: readonly DraftField[];
  /** The text as a whole is no plan: its faults are all there is to say. */
  readonly unreadable: boolean;
  readonly faults: readonly Noted<PlanFault>[];
  readonly warnings: readonly Noted<PlanWarning>[];
}

export interface Caps {
  readonly bytes: number;
  readonly nodes: number;
  /** Deps of one node; null for no cap. */
  readonly deps: number | null;
}

export const CAPS: Readonly<Record<PlanSource, Caps>> = {
  planner: { bytes: 256 * 1024, nodes: 24, deps: 16 },
  file: { bytes: 16 * 1024 * 1024, nodes: 10_000, deps: null },
};

export const MAX_TITLE = 200;
export const MAX_SPEC = 20_000;
export const MAX_CHECKS = 16;
/** Characters; well under what an operating system takes as one argument. */
export const MAX_COMMAND = 20_000;
export const MAX_RETRIES = 10;
/** Milliseconds. */
export const MAX_TIMEOUT = 24 * 60 * 60 * 1000;
