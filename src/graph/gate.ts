/**
 * The gate: the only way from a draft to a plan. Pure; the same draft gives the same plan, byte for byte, or all
 * faults at once in a fixed order, each with its witness and the way to mend it.
 */

import type { PlanFault, PlanWarning } from '../contract/fault.ts';
import type { NodeId } from '../contract/ids.ts';
import type { Plan } from '../contract/plan.ts';
import { stableOrder } from '../kernel/order.ts';
import { assemble } from './assemble.ts';
import { cycleRules, resolveDeps } from './dep-rules.ts';
import type { Draft, DraftNode, PlanSource } from './draft.ts';
import { tooManyNodes } from './draft-parts.ts';
import { itemAt } from './item-at.ts';
import { checkRules, isModelNode, nodeRules, ownerOf, type Means } from './node-rules.ts';
import { fault, faultsInOrder, warn, warningsInOrder, type Notes } from './notes.ts';
import { slugRules } from './slug-rules.ts';
import { shapeWarnings } from './warnings.ts';

export interface GateOptions extends Means {
  readonly source: PlanSource;
  /** What the run may spend, and how many judge it at the end; null when there is no limit to hold the plan to. */
  readonly budget: { readonly tokens: number; readonly panel: number } | null;
}

export type Gated =
  | { readonly ok: true; readonly plan: Plan; readonly warnings: readonly PlanWarning[] }
  | { readonly ok: false; readonly faults: readonly PlanFault[]; readonly warnings: readonly PlanWarning[] };

export function gate(draft: Draft, options: GateOptions): Gated {
  const notes: Notes = { file: draft.file, faults: [...draft.faults], warnings: [...draft.warnings] };
  if (draft.unreadable || tooManyNodes(notes, draft.nodes.length, options.source)) return refused(notes);
  const { nodes, workspace } = options.source === 'planner' ? withoutPersonal(notes, draft) : draft;
  if (options.source === 'file') unkeptBudgets(notes, nodes);
  planRules(notes, draft);
  const ids = slugRules(notes, nodes);
  for (const node of nodes) nodeRules(notes, node, options);
  const deps = resolveDeps(notes, nodes, options.source);
  cycleRules(notes, nodes, deps);
  budgetRule(notes, nodes, options);
  if (notes.faults.length > 0) return refused(notes);

  const ordered = inOrder(nodes, ids, deps);
  const plan = assemble({ ...draft, ...ordered, workspace });
  const owners = ordered.nodes.map(({ entry, slug, line }) => ({ entry, slug, line }));
  shapeWarnings(notes, { plan, deps: ordered.deps, owners, hasPanel: options.hasPanel });
  return { ok: true, plan, warnings: warningsInOrder(notes) };
}

function refused(notes: Notes): Gated {
  return { ok: false, faults: faultsInOrder(notes), warnings: warningsInOrder(notes) };
}

/** Said, because whoever writes a limit relies on it. */
function unkeptBudgets(notes: Notes, nodes: readonly DraftNode[]): void {
  for (const node of nodes) {
    if (node.budget === null) continue;
    const owner = ownerOf(node);
    const message = `${owner.name}: "budget" of a single node is not kept yet: limit the run with --budget`;
    warn(notes, 'ignored_key', { ...owner, message });
  }
}

/** A model may not choose what runs as work, what may be spent, or where. */
function withoutPersonal(notes: Notes, draft: Draft): Pick<Draft, 'nodes' | 'workspace'> {
  const ignore = (node: DraftNode | null, key: string) => {
    const owner = ownerOf(node);
    const message = `${owner.name}: "${key}" is ignored in a plan by a model: only a person may set it`;
    warn(notes, 'ignored_key', { ...owner, message });
  };
  if (draft.workspace) ignore(null, 'workspace');
  const nodes = draft.nodes.map((node): DraftNode => {
    if (node.run) ignore(node, 'run');
    if (node.budget !== null) ignore(node, 'budget');
    return node.run || node.budget !== null ? { ...node, run: null, budget: null } : node;
  });
  return { nodes, workspace: null };
}

function planRules(notes: Notes, draft: Draft): void {
  if (draft.nodes.length === 0 && draft.faults.every(({ entry }) => entry === null)) {
    const message =
      'the plan has no nodes: give it at least one (`## slug: Title`, in JSON an entry of "nodes")';
    fault(notes, 'empty', { message });
  }
  if (draft.objective.trim() === '' && !draft.unread.includes('objective')) {
    const message = 'the plan has no objective: say first what it is for (`# …`, in JSON "objective")';
    fault(notes, 'empty_field', { witness: 'objective', message });
  }
  const { workspace } = draft;
  if (workspace?.value.trim() === '') {
    const message = 'the workspace is blank: name a folder, or leave it out';
    fault(notes, 'empty_field', { line: workspace.line, witness: 'workspace', message });
  }
  checkRules(notes, null, draft.checks);
}

/** Tokens that a node worked on by a model needs at the very least, and a vote of the final panel. */
const NODE_TOKENS = 8_000;
const VOTE_TOKENS = 12_000;

/** The least that a run can do with: the final verification keeps a tenth, and no less than its votes. */
export function leastBudget({ nodes, panel }: { readonly nodes: number; readonly panel: number }): number {
  const work = NODE_TOKENS * nodes;
  return Math.max(work + VOTE_TOKENS * panel, Math.ceil((work * 10) / 9));
}

function budgetRule(notes: Notes, nodes: readonly DraftNode[], options: GateOptions): void {
  const byModel = nodes.filter((node) => isModelNode(node, options)).length;
  if (options.budget === null || byModel === 0) return;
  const { tokens, panel } = options.budget;
  const least = leastBudget({ nodes: byModel, panel });
  if (tokens >= least) return;
  const message = `a budget of ${tokens} tokens is too small for this plan: give at least ${least}, or plan fewer nodes`;
  fault(notes, 'budget_too_small', { witness: String(tokens), message });
}

/** Nodes in plan order, deps as places in it. */
function inOrder(nodes: readonly DraftNode[], ids: readonly NodeId[], deps: readonly (readonly number[])[]) {
  const order = stableOrder(deps);
  const place = new Int32Array(nodes.length);
  order.forEach((from, to) => (place[from] = to));
  return {
    nodes: order.map((from) => itemAt(nodes, from)),
    ids: order.map((from) => itemAt(ids, from)),
    deps: order.map((from) => inPlaces(itemAt(deps, from), place)),
  };
}

/** In ascending order. By insertion: these lists are short, and ten thousand calls of `sort` cost more than the rest. */
function inPlaces(deps: readonly number[], place: Int32Array): readonly number[] {
  const places = deps.map((dep) => itemAt(place, dep));
  if (places.length > 64) return places.sort((a, b) => a - b);
  places.forEach((own, i) => {
    let at = i;
    for (; at > 0 && itemAt(places, at - 1) > own; at--) places[at] = itemAt(places, at - 1);
    places[at] = own;
  });
  return places;
}
