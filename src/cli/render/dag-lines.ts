/** The lines between two layers: every net that has to turn gets a lane, a row in which its horizontal part runs. */

/** One net between two layers. No column occurs in two nets; the layout sees to that. */
export interface GapNet {
  /** Columns in which it comes down from the upper layer. */
  readonly tops: readonly number[];
  /** Columns in which it goes on into the lower layer. */
  readonly bottoms: readonly number[];
  /** Those of `bottoms` that end at a box. */
  readonly arrows: readonly number[];
}

export interface Gap {
  readonly rows: readonly (readonly string[])[];
  readonly crossed: boolean;
}

const UP = 1;
const DOWN = 2;
const LEFT = 4;
const RIGHT = 8;

/** By the sum of the arms. A crossing is no joint: there the vertical line goes through and the other is broken. */
const JOINTS = ' ??│?┘┐┤?└┌├─┴┬┼';

export function drawGap(nets: readonly GapNet[], width: number): Gap {
  const lanes = orderLanes(packLanes(nets.filter(turns)));
  const laneOf = new Map(lanes.flatMap((lane, row) => lane.map((net) => [net, row] as const)));
  const rows = Array.from({ length: lanes.length + 1 }, () => Array.from({ length: width }, () => ' '));
  lanes.forEach((lane, row) => {
    for (const net of lane) for (let x = from(net); x <= to(net); x++) put(rows, row, x, '─');
  });
  let crossed = false;
  const down = (x: number, first: number, end: number): void => {
    for (let row = first; row < end; row++) {
      crossed ||= rows[row]?.[x] === '─';
      put(rows, row, x, '│');
    }
  };
  for (const net of nets) {
    const lane = laneOf.get(net) ?? 0;
    for (const x of net.tops) down(x, 0, lane);
    for (const x of net.bottoms) down(x, laneOf.has(net) ? lane + 1 : 0, rows.length);
    for (const x of net.arrows) put(rows, rows.length - 1, x, '▼');
    if (laneOf.has(net))
      for (const x of new Set([...net.tops, ...net.bottoms])) put(rows, lane, x, joint(net, x));
  }
  return { rows, crossed };
}

function put(rows: string[][], row: number, x: number, sign: string): void {
  const cells = rows[row];
  if (cells !== undefined) cells[x] = sign;
}

function turns(net: GapNet): boolean {
  return from(net) !== to(net);
}

function from(net: GapNet): number {
  return Math.min(...net.tops, ...net.bottoms);
}

function to(net: GapNet): number {
  return Math.max(...net.tops, ...net.bottoms);
}

function joint(net: GapNet, x: number): string {
  const up = net.tops.includes(x) ? UP : 0;
  const down = net.bottoms.includes(x) ? DOWN : 0;
  return JOINTS[up + down + (x > from(net) ? LEFT : 0) + (x < to(net) ? RIGHT : 0)] ?? '?';
}

/** As few lanes as can be: in the order of their left ends, each into the first lane with room (and a blank). */
function packLanes(nets: readonly GapNet[]): readonly (readonly GapNet[])[] {
  const lanes: { nets: GapNet[]; end: number }[] = [];
  for (const net of nets.toSorted((a, b) => from(a) - from(b) || to(a) - to(b))) {
    const lane = lanes.find(({ end }) => end + 1 < from(net));
    if (lane === undefined) {
      lanes.push({ nets: [net], end: to(net) });
    } else {
      lane.nets.push(net);
      lane.end = to(net);
    }
  }
  return lanes.map((lane) => lane.nets);
}

/** Exchanges neighbouring lanes while that saves crossings. Each exchange saves one at least, so it ends. */
function orderLanes(start: readonly (readonly GapNet[])[]): readonly (readonly GapNet[])[] {
  const lanes = [...start];
  for (let changed = true; changed;) {
    changed = false;
    for (let i = 1; i < lanes.length; i++) {
      const [upper = [], lower = []] = [lanes[i - 1], lanes[i]];
      if (laneCost(lower, upper) >= laneCost(upper, lower)) continue;
      lanes[i - 1] = lower;
      lanes[i] = upper;
      changed = true;
    }
  }
  return lanes;
}

/** Crossings of these lanes with each other: lines down into the lower one, and out of the upper one. */
function laneCost(upper: readonly GapNet[], lower: readonly GapNet[]): number {
  let cost = 0;
  for (const a of upper) {
    for (const b of lower) {
      cost += b.tops.filter((x) => from(a) < x && x < to(a)).length;
      cost += a.bottoms.filter((x) => from(b) < x && x < to(b)).length;
    }
  }
  return cost;
}
