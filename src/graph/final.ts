/** The final node: appended by the gate, after every other node, to verify the objective as a whole. */

import { FINAL_NODE, type NodeId } from '../contract/ids.ts';
import { BARE_NODE, type Plan, type PlanNode } from '../contract/plan.ts';

export function finalNode(objective: string, deps: readonly NodeId[]): PlanNode {
  return {
    id: FINAL_NODE,
    slug: FINAL_NODE,
    title: 'Verify the whole objective',
    spec: [
      'Establish that the objective below is met as a whole, in the workspace as it stands now. Take nothing from',
      'earlier claims: build, run and test again, and look at how the parts work together. Close any gap you find;',
      'add nothing that the objective does not ask for.',
      '',
      'Objective:',
      objective,
    ].join('\n'),
    deps,
    ...BARE_NODE,
  };
}

export interface FinalCheck {
  readonly run: string;
  /** Nodes that have this very check, in plan order. */
  readonly nodes: readonly NodeId[];
  /** Whether the plan itself has it. */
  readonly ofPlan: boolean;
}

const known = new WeakMap<Plan, readonly FinalCheck[]>();

/**
 * What the final node runs, each command once: the checks of the plan, then those of its nodes in plan order. A
 * node's `once` check is not repeated. Worked out once per plan: plans do not change, and schedulers ask often.
 */
export function finalChecks(plan: Plan): readonly FinalCheck[] {
  let checks = known.get(plan);
  if (!checks) known.set(plan, (checks = collect(plan)));
  return checks;
}

function collect(plan: Plan): readonly FinalCheck[] {
  const nodesOf = new Map<string, NodeId[]>();
  for (const { run } of plan.checks) nodesOf.set(run, []);
  for (const node of plan.nodes) {
    for (const { run, once } of node.checks) {
      if (once) continue;
      const nodes = nodesOf.get(run);
      if (!nodes) nodesOf.set(run, [node.id]);
      else if (nodes.at(-1) !== node.id) nodes.push(node.id);
    }
  }
  const ofPlan = new Set(plan.checks.map(({ run }) => run));
  return [...nodesOf].map(([run, nodes]) => ({ run, nodes, ofPlan: ofPlan.has(run) }));
}
