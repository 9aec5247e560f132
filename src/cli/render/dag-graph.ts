/**
 * What the drawing of a plan has to show: boxes in layers, and nets. A net is one connected drawing of lines: every
 * source of it leads to every target. Nodes with the very same dependents share one, so a layer that depends on all
 * of the layer before it is one bus and not a web, and the reader has one rule: whatever a line joins, it means.
 */

import type { NodeView } from '../../contract/view.ts';
import { FINAL_NODE } from '../../contract/ids.ts';

/** What a drawing knows of a node's place in it. */
export type GraphNode = Pick<NodeView, 'id' | 'deps'>;

export interface Net {
  /** Indexes of nodes, ascending; all in layers above those of the targets. */
  readonly sources: readonly number[];
  readonly targets: readonly number[];
}

/** A place in a layer: a box, or a line on its way to a lower layer. */
export interface Item {
  readonly layer: number;
  /** Index of the node; null for a line passing by. */
  readonly node: number | null;
  /** The net that leaves at its bottom; null when none does. */
  readonly below: number | null;
  /** The nets that come in at its top. */
  readonly above: readonly number[];
}

export interface DagGraph {
  readonly nets: readonly Net[];
  /** Layers from the top, each in its first order: the plan's. */
  readonly layers: readonly (readonly Item[])[];
  /** Dependencies that others already imply: not drawn. Those of the final node do not count. */
  readonly implied: number;
}

/** `everyLine`: also those that others imply. */
export function dagGraph(nodes: readonly GraphNode[], { everyLine = false } = {}): DagGraph {
  const { deps, implied } = everyLine ? allDeps(nodes) : drawnDeps(nodes);
  const layerOf = longestPaths(deps);
  const nets = netsOf(deps);
  return { nets, layers: fillLayers(layerOf, nets), implied };
}

/** Direct dependencies without the redundant ones; the final node's are the nodes nobody else depends on. */
function drawnDeps(nodes: readonly GraphNode[]): { deps: readonly (readonly number[])[]; implied: number } {
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  const ancestors: Set<number>[] = [];
  const wanted = new Set<number>();
  let implied = 0;
  const deps = nodes.map((node, i) => {
    const isFinal = node.id === FINAL_NODE;
    const all = isFinal ? range(i).filter((d) => !wanted.has(d)) : earlier(node, i, index);
    const direct = all.filter((d) => !all.some((other) => ancestors[other]?.has(d)));
    if (!isFinal) implied += all.length - direct.length;
    for (const d of direct) wanted.add(d);
    ancestors.push(new Set(direct.flatMap((d) => [d, ...(ancestors[d] ?? [])])));
    return direct;
  });
  return { deps, implied };
}

function allDeps(nodes: readonly GraphNode[]) {
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  return { deps: nodes.map((node, i) => earlier(node, i, index)), implied: 0 };
}

/** A plan's nodes name earlier ones only; anything else here would be a view of no plan, and is not drawn. */
function earlier(node: GraphNode, place: number, index: ReadonlyMap<string, number>): number[] {
  const found = node.deps.map((id) => index.get(id)).filter((d) => d !== undefined && d < place);
  return [...new Set(found as number[])].sort((a, b) => a - b);
}

function longestPaths(deps: readonly (readonly number[])[]): readonly number[] {
  const layers: number[] = [];
  for (const direct of deps) layers.push(1 + Math.max(-1, ...direct.map((d) => layers[d] ?? 0)));
  return layers;
}

function netsOf(deps: readonly (readonly number[])[]): readonly Net[] {
  const targets = new Map<number, number[]>();
  deps.forEach((direct, to) => {
    for (const from of direct) targets.set(from, [...(targets.get(from) ?? []), to]);
  });
  const bySet = new Map<string, { sources: number[]; targets: number[] }>();
  for (const from of range(deps.length)) {
    const set = targets.get(from);
    if (set === undefined) continue;
    const net = bySet.get(set.join());
    if (net === undefined) bySet.set(set.join(), { sources: [from], targets: set });
    else net.sources.push(from);
  }
  return [...bySet.values()];
}

function fillLayers(layerOf: readonly number[], nets: readonly Net[]): readonly (readonly Item[])[] {
  const layers: Item[][] = range(Math.max(-1, ...layerOf) + 1).map(() => []);
  const below = new Map<number, number>();
  const above = new Map<number, number[]>();
  nets.forEach((net, n) => {
    for (const from of net.sources) below.set(from, n);
    for (const to of net.targets) above.set(to, [...(above.get(to) ?? []), n]);
  });
  layerOf.forEach((layer, node) => {
    layers[layer]?.push({ layer, node, below: below.get(node) ?? null, above: above.get(node) ?? [] });
  });
  nets.forEach((net, n) => {
    const first = Math.min(...net.sources.map((from) => layerOf[from] ?? 0));
    const last = Math.max(...net.targets.map((to) => layerOf[to] ?? 0));
    for (let layer = first + 1; layer < last; layer++) {
      layers[layer]?.push({ layer, node: null, below: n, above: [n] });
    }
  });
  return layers;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
