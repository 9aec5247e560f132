/** A plan with one node changed, held to the same rules as at the gate. */

import { FINAL_NODE, type NodeId } from '../contract/ids.ts';
import type { PlanFault } from '../contract/fault.ts';
import type { Plan, PlanNode } from '../contract/plan.ts';
import { plannedNode } from './assemble.ts';
import type { DraftNode, Placed } from './draft.ts';
import { nodeRules, type Means } from './node-rules.ts';
import { fault, faultsInOrder, newNotes } from './notes.ts';
import { planHash } from './plan-hash.ts';

/** Absent or null leaves a field as it is. */
export interface NodeEdit {
  readonly spec?: string | null;
  readonly run?: string | null;
  readonly checks?: readonly string[] | null;
  /** Without it the node is held to what holds with neither model nor panel. */
  readonly means?: Means;
}

export type Edited =
  { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly faults: readonly PlanFault[] };

export function editNode(plan: Plan, id: NodeId, edit: NodeEdit): Edited {
  const place = plan.nodes.findIndex((node) => node.id === id);
  const node = plan.nodes[place];
  const notes = newNotes(null);
  if (!node) {
    fault(notes, 'unknown_dep', {
      witness: id,
      message: `the plan has no node ${id}: name one of its nodes`,
    });
  } else if (id === FINAL_NODE) {
    const message = 'the final node follows from the others: edit their checks, or those of a new plan';
    fault(notes, 'reserved_slug', { slug: node.slug, witness: id, message });
  } else {
    const draft = draftOf(node, edit, place);
    nodeRules(notes, draft, edit.means ?? { hasModel: false, hasPanel: false });
    if (notes.faults.length === 0) {
      const nodes = plan.nodes.with(place, plannedNode(draft, id, node.deps));
      const content = { ...plan, nodes };
      return { ok: true, plan: { ...content, version: plan.version + 1, hash: planHash(content) } };
    }
  }
  return { ok: false, faults: faultsInOrder(notes) };
}

function draftOf(node: PlanNode, edit: NodeEdit, entry: number): DraftNode {
  const run = edit.run ?? node.run;
  const checks = edit.checks?.map((text) => ({ run: text, once: isOnce(node, text) })) ?? node.checks;
  return {
    ...node,
    entry,
    line: null,
    deps: [],
    spec: edit.spec ?? node.spec,
    run: run === null ? null : placed(run),
    checks: checks.map((check) => ({ ...placed(check.run), once: check.once })),
    scope: node.scope.map(placed),
    frozen: node.frozen.map(placed),
    unread: [],
  };
}

/** An edit names checks by their command; one that stays keeps what was said about it. */
function isOnce(node: PlanNode, text: string): boolean {
  return node.checks.some(({ run, once }) => once && run === text.trim());
}

function placed(value: string): Placed {
  return { value, line: null };
}
