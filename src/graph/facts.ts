/** What the shape of a plan says about how it will run. */

import type { NodeId } from '../contract/ids.ts';
import type { Plan } from '../contract/plan.ts';

/** All of it without the final node, which comes after everything. */
export interface PlanFacts {
  /** The order in which nodes are offered to run. */
  readonly order: readonly NodeId[];
  /**
   * Nodes on the fullest level, where a node's level is the longest chain of deps below it. That many may run side
   * by side; now and then a few more could (finding the exact number costs a matching). It is 1 only for a chain.
   */
  readonly width: number;
  /** A longest chain of deps, first node first; of several the one that ends, and comes from, earliest in the order. */
  readonly criticalPath: readonly NodeId[];
}

export function planFacts(plan: Plan): PlanFacts {
  const nodes = plan.nodes.slice(0, -1);
  const level = new Map<NodeId, number>();
  const before = new Map<NodeId, NodeId>();
  const count: number[] = [];
  let last: NodeId | null = null;
  for (const { id, deps } of nodes) {
    let own = 0;
    for (const dep of deps) {
      const above = (level.get(dep) ?? 0) + 1;
      if (above <= own) continue;
      own = above;
      before.set(id, dep);
    }
    level.set(id, own);
    if (own === count.length) last = id;
    count[own] = (count[own] ?? 0) + 1;
  }
  const criticalPath: NodeId[] = [];
  for (let id = last ?? undefined; id !== undefined; id = before.get(id)) criticalPath.push(id);
  return {
    order: nodes.map(({ id }) => id),
    width: count.reduce((most, nodesOnLevel) => Math.max(most, nodesOnLevel), 0),
    criticalPath: criticalPath.reverse(),
  };
}
