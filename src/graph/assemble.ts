/** A draft that met every rule, as the plan it is. */

import type { NodeId } from '../contract/ids.ts';
import type { Check, Plan, PlanNode } from '../contract/plan.ts';
import type { DraftCheck, DraftNode, Placed } from './draft.ts';
import { finalNode } from './final.ts';
import { itemAt } from './item-at.ts';
import { planHash } from './plan-hash.ts';
import { scopeEntry } from './scope.ts';
import { oneLine, tidy } from './text.ts';

export function assemble(content: {
  readonly objective: string;
  readonly checks: readonly DraftCheck[];
  readonly workspace: Placed | null;
  /** In plan order. */
  readonly nodes: readonly DraftNode[];
  readonly ids: readonly NodeId[];
  /** By place in `nodes`: the places each depends on, in order. */
  readonly deps: readonly (readonly number[])[];
}): Plan {
  const { ids } = content;
  const objective = content.objective.trim();
  const nodes = content.nodes.map((node, i) => {
    const deps = itemAt(content.deps, i).map((dep) => itemAt(ids, dep));
    return plannedNode(node, itemAt(ids, i), deps);
  });
  const plan = {
    objective,
    checks: content.checks.map(plannedCheck),
    workspace: content.workspace?.value.trim() ?? null,
    nodes: [...nodes, finalNode(objective, ids)],
  };
  return { version: 1, hash: planHash(plan), ...plan };
}

export function plannedNode(node: DraftNode, id: NodeId, deps: readonly NodeId[]): PlanNode {
  const { slug, timeout, retries, onCut, budget } = node;
  const title = oneLine(node.title);
  return {
    id,
    slug,
    title,
    // A command says what is done; only a model needs it in words.
    spec: tidy(node.spec) || title,
    deps,
    scope: paths(node.scope),
    checks: node.checks.map(plannedCheck),
    run: node.run?.value.trim() ?? null,
    timeout,
    retries,
    onCut,
    frozen: paths(node.frozen),
    budget,
  };
}

function plannedCheck({ value, once }: DraftCheck): Check {
  return { run: value.trim(), once };
}

function paths(entries: readonly Placed[]): readonly string[] {
  const read: string[] = [];
  for (const { value } of entries) {
    const entry = scopeEntry(value);
    if (entry.ok) read.push(entry.scope);
  }
  return read.length > 1 ? [...new Set(read)] : read;
}
