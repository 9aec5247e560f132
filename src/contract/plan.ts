/** What a plan is: nodes that passed the gate. Only the gate makes one; everything below is plain JSON. */

import type { NodeId } from './ids.ts';

/** A command whose exit code decides. `once`: the final node does not repeat it. */
export interface Check {
  readonly run: string;
  readonly once: boolean;
}

/** What happens to a command that a crash or a pause cut short: run it again, or stop and ask. */
export type OnCut = 'rerun' | 'block';

export interface PlanNode {
  readonly id: NodeId;
  /** The name a person or a planner gave it; unique, case-folded. */
  readonly slug: string;
  readonly title: string;
  readonly spec: string;
  /** Ids of earlier nodes, in plan order, without repeats. */
  readonly deps: readonly NodeId[];
  /** Write scopes: `path` or `dir/**`. None means: may write anywhere. */
  readonly scope: readonly string[];
  readonly checks: readonly Check[];
  /** The node's command; null for a check-only node (and, later, for a model's node). */
  readonly run: string | null;
  /** Milliseconds the command may take; null for the default. */
  readonly timeout: number | null;
  /** Further attempts after the first. */
  readonly retries: number;
  readonly onCut: OnCut;
  /** Globs of files that no node may change to make its checks pass. */
  readonly frozen: readonly string[];
  /** Tokens, set by a person only. */
  readonly budget: number | null;
}

/** What a node is that says nothing but its name, its task and what it depends on. */
export const BARE_NODE = {
  scope: [],
  checks: [],
  run: null,
  timeout: null,
  retries: 0,
  onCut: 'rerun',
  frozen: [],
  budget: null,
} as const satisfies Partial<PlanNode>;

export interface Plan {
  /** 1 for the plan as gated; each edit adds one. */
  readonly version: number;
  /** 16 hex digits over everything but `version` and itself. */
  readonly hash: string;
  readonly objective: string;
  /** Plan-level checks: the final node runs them first. */
  readonly checks: readonly Check[];
  /** As written in the plan file, relative to it; null when the file does not say. */
  readonly workspace: string | null;
  /** Topological, stable in the order of the draft; the last one is the final node. */
  readonly nodes: readonly PlanNode[];
}
