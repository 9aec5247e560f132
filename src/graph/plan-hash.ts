/** The fingerprint of a plan: the same content has the same hash, whatever made it and in whatever order of keys. */

import { fnv64 } from '../contract/ids.ts';
import type { Check, Plan, PlanNode } from '../contract/plan.ts';

type Content = Omit<Plan, 'version' | 'hash'>;

/** FNV-1a-64 over the JSON of the plan without blanks, keys sorted, `version` and `hash` left out. */
export function planHash({ checks, nodes, objective, workspace }: Content): string {
  const content: Content = {
    checks: checks.map(sortedCheck),
    nodes: nodes.map(sortedNode),
    objective,
    workspace,
  };
  return fnv64(JSON.stringify(content));
}

function sortedNode(node: PlanNode): PlanNode {
  return {
    budget: node.budget,
    checks: node.checks.map(sortedCheck),
    deps: node.deps,
    frozen: node.frozen,
    id: node.id,
    onCut: node.onCut,
    retries: node.retries,
    run: node.run,
    scope: node.scope,
    slug: node.slug,
    spec: node.spec,
    timeout: node.timeout,
    title: node.title,
  };
}

function sortedCheck(check: Check): Check {
  return { once: check.once, run: check.run };
}
