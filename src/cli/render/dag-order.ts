/** The order of the items in each layer: a few barycenter sweeps down and up, the one with fewest crossings wins. */

import type { Item } from './dag-graph.ts';

type Layers = readonly (readonly Item[])[];

const SWEEPS = 8;

export function orderLayers(start: Layers): Layers {
  let layers = start;
  let best = start;
  let fewest = crossings(start);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    layers = sweep % 2 === 0 ? sweepDown(layers) : sweepUp(layers);
    const count = crossings(layers);
    if (count < fewest) {
      best = layers;
      fewest = count;
    }
  }
  return best;
}

function sweepDown(layers: Layers): Layers {
  const result: (readonly Item[])[] = [];
  for (const layer of layers) {
    const pull = netMeans(result.at(-1) ?? [], (item) => (item.below === null ? [] : [item.below]));
    result.push(sorted(layer, pull, (item) => item.above));
  }
  return result;
}

function sweepUp(layers: Layers): Layers {
  const result: (readonly Item[])[] = [];
  for (const layer of layers.toReversed()) {
    const pull = netMeans(result[0] ?? [], (item) => item.above);
    result.unshift(sorted(layer, pull, (item) => (item.below === null ? [] : [item.below])));
  }
  return result;
}

type NetsOf = (item: Item) => readonly number[];

/** Where in this layer each net is met, on the average; layers differ in length, so from 0 to 1. */
function netMeans(layer: readonly Item[], nets: NetsOf): ReadonlyMap<number, number> {
  const places = new Map<number, number[]>();
  layer.forEach((item, i) => {
    for (const net of nets(item)) places.set(net, [...(places.get(net) ?? []), (i + 0.5) / layer.length]);
  });
  return new Map([...places].map(([net, list]) => [net, mean(list)]));
}

function sorted(layer: readonly Item[], pull: ReadonlyMap<number, number>, nets: NetsOf): readonly Item[] {
  const keyed = layer.map((item, i) => {
    const pulls = nets(item).flatMap((net) => pull.get(net) ?? []);
    return { item, key: pulls.length === 0 ? (i + 0.5) / layer.length : mean(pulls) };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Pairs of connections that cross, over all gaps between layers. */
function crossings(layers: Layers): number {
  let count = 0;
  for (let i = 1; i < layers.length; i++)
    count += inversions(bottomsByTop(layers[i - 1] ?? [], layers[i] ?? []));
  return count;
}

/** For each connection, in the order of its upper end, the place of its lower end. */
function bottomsByTop(upper: readonly Item[], lower: readonly Item[]): readonly number[] {
  const bottoms = new Map<number, number[]>();
  lower.forEach((item, i) => {
    for (const net of item.above) bottoms.set(net, [...(bottoms.get(net) ?? []), i]);
  });
  return upper.flatMap((item) => (item.below === null ? [] : (bottoms.get(item.below) ?? [])));
}

/** Pairs that stand in descending order: for each value the larger ones before it, by a Fenwick tree of counts. */
function inversions(values: readonly number[]): number {
  const size = Math.max(0, ...values) + 2;
  const tree = new Uint32Array(size + 1);
  let count = 0;
  values.forEach((value, seen) => {
    let upTo = 0;
    for (let i = value + 1; i > 0; i -= i & -i) upTo += tree[i] ?? 0;
    count += seen - upTo;
    for (let i = value + 1; i <= size; i += i & -i) tree[i] = (tree[i] ?? 0) + 1;
  });
  return count;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
