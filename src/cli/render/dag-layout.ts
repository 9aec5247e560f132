/**
 * Columns for everything in the drawing. What must hold: items of a layer do not touch, and between two layers no
 * column is used by two nets. The second is what keeps lines apart: a net turns in a lane of its own, and as nobody
 * else has its columns, no corner is ever overwritten and lanes may lie in any order.
 */

import type { Item } from './dag-graph.ts';

export interface Placed {
  readonly item: Item;
  readonly x: number;
  readonly width: number;
  /** Column of each net in `item.above`, where it comes in. */
  readonly tops: readonly number[];
  /** Column where `item.below` leaves. */
  readonly bottom: number;
}

export interface LayoutOptions {
  readonly columns: number;
  /** Blank columns between two boxes, at least 1. */
  readonly gap: number;
  readonly widthOf: (item: Item) => number;
}

type Layers = readonly (readonly Item[])[];

/** Sweeps of the placement; the last one goes down, so that lines end straight. */
const SWEEPS = 5;

/** Lines kept straight count for more than boxes in the middle. */
const PASS_WEIGHT = 6;

/** Null when it does not fit. */
export function layout(layers: Layers, options: LayoutOptions): readonly (readonly Placed[])[] | null {
  let xs = layers.map((layer) => packed(layer, options));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const placed = sweep % 2 === 0 ? placeDown({ layers, xs, options }) : placeUp({ layers, xs, options });
    if (placed === null) return null;
    xs = placed;
  }
  return legal(layers, xs, options);
}

interface Placement {
  readonly layers: Layers;
  readonly xs: number[][];
  readonly options: LayoutOptions;
}

function placeDown({ layers, xs, options }: Placement): number[][] | null {
  const result: number[][] = [];
  for (const [l, layer] of layers.entries()) {
    const above = { items: layers[l - 1] ?? [], xs: result[l - 1] ?? [] };
    const pull = netColumns({ ...above, options, nets: netsBelow });
    const settled = settle({ layer, xs: xs[l] ?? [], options, pull, nets: (item) => item.above });
    if (settled === null) return null;
    result.push(settled);
  }
  return result;
}

function placeUp({ layers, xs, options }: Placement): number[][] | null {
  const result: number[][] = [];
  for (let l = layers.length - 1; l >= 0; l--) {
    const below = { items: layers[l + 1] ?? [], xs: result[0] ?? [] };
    const pull = netColumns({ ...below, options, nets: (item) => item.above });
    const settled = settle({ layer: layers[l] ?? [], xs: xs[l] ?? [], options, pull, nets: netsBelow });
    if (settled === null) return null;
    result.unshift(settled);
  }
  return result;
}

type NetsOf = (item: Item) => readonly number[];

function netsBelow(item: Item): readonly number[] {
  return item.below === null ? [] : [item.below];
}

function packed(layer: readonly Item[], options: LayoutOptions): number[] {
  let next = 0;
  return layer.map((item, i) => {
    if (i > 0) next += gapBetween(layer[i - 1], item, options.gap);
    const x = next;
    next += options.widthOf(item);
    return x;
  });
}

function gapBetween(left: Item | undefined, right: Item, gap: number): number {
  return left?.node === null || right.node === null ? Math.max(1, gap - 1) : gap;
}

/** The mean column at which each net is met in a layer. */
function netColumns(layer: {
  readonly items: readonly Item[];
  readonly xs: readonly number[];
  readonly options: LayoutOptions;
  readonly nets: NetsOf;
}): ReadonlyMap<number, number> {
  const columns = new Map<number, number[]>();
  layer.items.forEach((item, i) => {
    const middle = middleOf(item, layer.xs[i] ?? 0, layer.options);
    for (const net of layer.nets(item)) columns.set(net, [...(columns.get(net) ?? []), middle]);
  });
  return new Map([...columns].map(([net, list]) => [net, mean(list)]));
}

function middleOf(item: Item, x: number, options: LayoutOptions): number {
  return item.node === null ? x : x + Math.floor(options.widthOf(item) / 2);
}

/**
 * The places nearest to where the items are pulled to (least squares), in order, apart, within the columns. With
 * the widths taken out the places only have to ascend: neighbours that would not are pooled at their weighted mean.
 */
function settle(job: {
  readonly layer: readonly Item[];
  readonly xs: readonly number[];
  readonly options: LayoutOptions;
  readonly pull: ReadonlyMap<number, number>;
  readonly nets: NetsOf;
}): number[] | null {
  const { layer, options } = job;
  const offsets = packed(layer, options);
  const last = layer.length - 1;
  const total = (offsets[last] ?? 0) + (layer[last] === undefined ? 0 : options.widthOf(layer[last]));
  if (total > options.columns) return null;
  const pools: { sum: number; weight: number; count: number }[] = [];
  layer.forEach((item, i) => {
    const want = wanted(job, item, job.xs[i] ?? 0) - (offsets[i] ?? 0);
    const weight = item.node === null ? PASS_WEIGHT : 1;
    let pool = { sum: want * weight, weight, count: 1 };
    for (let left = pools.at(-1); left !== undefined && place(left) > place(pool); left = pools.at(-1)) {
      pools.pop();
      pool = { sum: left.sum + pool.sum, weight: left.weight + pool.weight, count: left.count + pool.count };
    }
    pools.push(pool);
  });
  const room = options.columns - total;
  const places = pools.flatMap((pool) => Array.from({ length: pool.count }, () => place(pool)));
  return places.map((y, i) => (offsets[i] ?? 0) + Math.min(room, Math.max(0, Math.round(y))));
}

function place(pool: { readonly sum: number; readonly weight: number }): number {
  return pool.sum / pool.weight;
}

function wanted(
  { options, pull, nets }: { options: LayoutOptions; pull: ReadonlyMap<number, number>; nets: NetsOf },
  item: Item,
  x: number,
): number {
  const pulls = nets(item).flatMap((net) => pull.get(net) ?? []);
  return pulls.length === 0 ? x : mean(pulls) - (middleOf(item, x, options) - x);
}

/** Moves everything to the left edge, then what still shares a column with another net out of its way. */
function legal(
  layers: Layers,
  xs: readonly number[][],
  options: LayoutOptions,
): readonly (readonly Placed[])[] | null {
  const left = Math.min(...xs.flat());
  const result: Placed[][] = [];
  for (const [l, layer] of layers.entries()) {
    const taken = new Map<number, number>();
    for (const above of result[l - 1] ?? [])
      if (above.item.below !== null) taken.set(above.bottom, above.item.below);
    const row: Placed[] = [];
    for (const [i, item] of layer.entries()) {
      const before = row.at(-1);
      const least =
        before === undefined ? 0 : before.x + before.width + gapBetween(before.item, item, options.gap);
      const placed = place1({ item, x: Math.max(least, (xs[l]?.[i] ?? 0) - left), taken, options });
      if (placed === null || placed.x + placed.width > options.columns) return null;
      row.push(placed);
    }
    result.push(row);
  }
  return result;
}

interface Spot {
  readonly item: Item;
  readonly x: number;
  /** Columns in which a net comes down from the layer above. */
  readonly taken: ReadonlyMap<number, number>;
  readonly options: LayoutOptions;
}

function place1(spot: Spot): Placed | null {
  const { item, taken, options } = spot;
  const net = item.below;
  if (item.node !== null) {
    const width = options.widthOf(item);
    const tops = ports(spot, width);
    return tops && { item, x: spot.x, width, tops, bottom: middleOf(item, spot.x, options) };
  }
  let x = spot.x;
  while (taken.has(x) && taken.get(x) !== net) x += 1;
  return { item, x, width: 1, tops: [x], bottom: x };
}

/** Free columns on the top of a box for its nets, from left to right in the order in which they arrive. */
function ports({ item, x, taken }: Spot, width: number): readonly number[] | null {
  const inside = Array.from({ length: width - 2 }, (_, i) => x + 1 + i);
  const arriving = item.above.map((net) => {
    const columns = [...taken].filter(([, owner]) => owner === net).map(([column]) => column);
    return { net, columns, from: mean(columns) };
  });
  arriving.sort((a, b) => a.from - b.from);
  const chosen = new Map<number, number>();
  let next = 0;
  for (const [i, { net, columns }] of arriving.entries()) {
    const after = arriving.length - 1 - i;
    const usable = inside.filter(
      (column) =>
        column >= next &&
        (taken.get(column) ?? net) === net &&
        inside.filter((later) => later > column && !taken.has(later)).length >= after,
    );
    const middle = x + Math.round(((i + 1) * (width - 1)) / (arriving.length + 1));
    const straight = nearest(
      columns.filter((column) => inside.includes(column)),
      middle,
    );
    const column = nearest(usable, straight ?? middle);
    if (column === null) return null;
    chosen.set(net, column);
    next = column + 1;
  }
  return item.above.map((net) => chosen.get(net) ?? 0);
}

function nearest(columns: readonly number[], to: number): number | null {
  let best: number | null = null;
  for (const column of columns)
    if (best === null || Math.abs(column - to) < Math.abs(best - to)) best = column;
  return best;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
