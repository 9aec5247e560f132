/** What schedulers ask of a plan, worked out once per plan: plans are frozen, so the answer never changes. */

import type { NodeId } from '../contract/ids.ts';
import type { Plan, PlanNode } from '../contract/plan.ts';

export interface PlanIndex {
  readonly place: ReadonlyMap<NodeId, number>;
  /** By place: the places of a node's deps, and of the nodes that name it as a dep. */
  readonly deps: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
}

const known = new WeakMap<Plan, PlanIndex>();

export function indexOf(plan: Plan): PlanIndex {
  let index = known.get(plan);
  if (!index) known.set(plan, (index = makeIndex(plan)));
  return index;
}

/** The node at a place that the scheduler itself handed out. */
export function nodeAt(plan: Plan, place: number): PlanNode {
  const node = plan.nodes[place];
  if (!node) throw new Error(`no node at ${place}`);
  return node;
}

function makeIndex(plan: Plan): PlanIndex {
  const place = new Map(plan.nodes.map((node, i) => [node.id, i]));
  const dependents: number[][] = plan.nodes.map(() => []);
  const deps = plan.nodes.map((node, i) =>
    node.deps.map((id) => {
      const dep = place.get(id);
      if (dep === undefined) throw new Error(`${node.id} depends on ${id}, which the plan does not hold`);
      dependents[dep]?.push(i);
      return dep;
    }),
  );
  return { place, deps, dependents };
}
