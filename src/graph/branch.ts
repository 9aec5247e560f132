/** Branches as people name them. */

import { oneLineLabel } from '../contract/flow.ts';
import type { FlowView } from '../contract/view.ts';

/** The branches of the decision where a flow stands; none anywhere else. */
export function branchesHere({ steps, at }: FlowView): readonly string[] {
  const step = steps.find(({ id }) => id === at);
  return step?.kind === 'decision' ? step.exits.flatMap(({ label }) => label ?? []) : [];
}

/** The branch that a person means: case and outer blanks do not matter where that is enough to tell them apart. */
export function branchMeant(typed: string, labels: readonly string[]): string | null {
  if (labels.includes(typed)) return typed;
  const plain = (text: string) => oneLineLabel(text).toLowerCase();
  const same = labels.filter((label) => plain(label) === plain(typed));
  return same.length === 1 ? (same[0] ?? null) : null;
}
