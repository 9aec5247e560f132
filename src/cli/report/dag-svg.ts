/** A drawing in HTML: the layers, orders and columns of the drawing on the screen, as an SVG. */

import type { NodeId } from '../../contract/ids.ts';
import { dagGraph, type Item } from '../render/dag-graph.ts';
import { layout, type Placed } from '../render/dag-layout.ts';
import { orderLayers } from '../render/dag-order.ts';
import { clip, clipMiddle, plain, width } from '../render/text.ts';
import { html, NOTHING, type Html } from './html-text.ts';

/** What is drawn at one place. */
export interface SvgBox {
  readonly id: NodeId;
  /** Of boxes before it. */
  readonly depIds: readonly NodeId[];
  readonly shape: 'box' | 'round' | 'pointed' | 'label';
  /** Class of its colours. */
  readonly look: string;
  /** Null for none. */
  readonly glyph: string | null;
  readonly name: string;
  /** Follows the name, however much of that is cut; plain text. */
  readonly often: string;
  readonly title: string;
  /** What is shown when it is pointed at. */
  readonly tip: string;
}

/** Beyond this a drawing says less than the list. */
const MAX_BOXES = 200;

/** From roomy to tight, as on the screen; the last one is wider than a page and is scrolled. */
const FITS: readonly { readonly text: number; readonly gap: number; readonly columns: number }[] = [
  { text: 32, gap: 3, columns: 124 },
  { text: 24, gap: 3, columns: 124 },
  { text: 18, gap: 2, columns: 124 },
  { text: 12, gap: 1, columns: 124 },
  { text: 18, gap: 2, columns: 260 },
  { text: 10, gap: 1, columns: 480 },
];

/** Pixels of a column, of a label, of a box with one line of text and with two, between lanes, and around them. */
const COLUMN = 8;
const FLAT = 22;
const LOW = 32;
const HIGH = 48;
const LANE = 10;
const ROOM = 16;
const MARGIN = 4;
const ROUND = 6;

interface Label {
  readonly head: string;
  readonly title: string | null;
}

/** `everyLine`: also those that others imply. Null when there is nothing to draw, or too much. */
export function boxesSvg(
  boxes: readonly SvgBox[],
  { name, everyLine = false }: { readonly name: string; readonly everyLine?: boolean },
): Html | null {
  if (boxes.length === 0 || boxes.length > MAX_BOXES) return null;
  const graph = dagGraph(
    boxes.map(({ id, depIds }) => ({ id, deps: depIds })),
    { everyLine },
  );
  const layers = orderLayers(graph.layers);
  for (const { text, gap, columns } of FITS) {
    const labels = boxes.map((each) => labelOf(each, text));
    const widthOf = (item: Item): number => boxWidth(item, labels);
    const placed = layout(layers, { columns, gap, widthOf });
    if (placed !== null) return draw({ placed, boxes, labels, name });
  }
  return null;
}

function labelOf({ shape, name, often, title }: SvgBox, columns: number): Label {
  const head = plain(name);
  if (shape === 'label') return { head: `${clip(head, columns)}${often}`.trim(), title: null };
  const line = plain(title).trim();
  return {
    head: `${clipMiddle(head, Math.max(4, columns - 2 - width(often)))}${often}`,
    title: line === '' || line === head ? null : clip(line, columns),
  };
}

function boxWidth(item: Item, labels: readonly Label[]): number {
  const label = item.node === null ? undefined : labels[item.node];
  if (label === undefined) return 1;
  const inside = Math.max(width(label.head) + 2, label.title === null ? 0 : width(label.title));
  return Math.max(inside, 2 * item.above.length + 1) + 3;
}

interface Drawing {
  readonly placed: readonly (readonly Placed[])[];
  readonly boxes: readonly SvgBox[];
  readonly labels: readonly Label[];
  readonly name: string;
}

function draw(drawing: Drawing): Html {
  const { placed, name } = drawing;
  const boxes: Html[] = [];
  const lines: Html[] = [];
  let y = MARGIN;
  placed.forEach((row, i) => {
    const upper = placed[i - 1];
    if (upper !== undefined) {
      const gap = gapLines(gapNets(upper, row, drawing), y);
      lines.push(...gap.lines);
      y = gap.bottom;
    }
    const height = Math.max(...row.map(({ item }) => heightOf(item, drawing)));
    for (const spot of row) {
      if (spot.item.node === null) lines.push(wire(`M${middle(spot.bottom)} ${y}v${height}`));
      else if (isLabel(spot.item, drawing)) lines.push(...through(spot, y, height));
      if (spot.item.node !== null) boxes.push(box(spot, { y, height }, drawing));
    }
    y += height;
  });
  const columns = Math.max(...placed.flat().map((spot) => spot.x + spot.width));
  const [across, down] = [columns * COLUMN + 2 * MARGIN, y + MARGIN];
  return html`<svg
    class="dag"
    role="img"
    aria-label="${name}"
    width="${across}"
    height="${down}"
    viewBox="0 0 ${across} ${down}"
  >
    ${lines}${boxes}
  </svg>`;
}

function heightOf(item: Item, drawing: Drawing): number {
  if (isLabel(item, drawing)) return FLAT;
  return item.node !== null && (drawing.labels[item.node]?.title ?? null) !== null ? HIGH : LOW;
}

function isLabel({ node }: Item, { boxes }: Pick<Drawing, 'boxes'>): boolean {
  return node !== null && boxes[node]?.shape === 'label';
}

/** A label sits on its line, which comes in above it and goes on below. */
function through({ item, tops, bottom }: Placed, y: number, height: number): readonly Html[] {
  const half = height / 2;
  return [
    ...tops.map((x) => wire(`M${middle(x)} ${y}v${half}`)),
    ...(item.below === null ? [] : [wire(`M${middle(bottom)} ${y + half}v${half}`)]),
  ];
}

function box(
  { item, x, width: columns }: Placed,
  { y: top, height: room }: { readonly y: number; readonly height: number },
  { boxes, labels }: Drawing,
): Html {
  const of = boxes[item.node ?? -1];
  const label = labels[item.node ?? -1];
  if (of === undefined || label === undefined) return NOTHING;
  const height = of.shape === 'label' ? FLAT : room;
  const y = top + (room - height) / 2;
  const left = x * COLUMN + MARGIN;
  const first = label.title === null ? y + height / 2 + 4 : y + 20;
  const title =
    label.title === null
      ? NOTHING
      : html`<text class="t" x="${left + 10}" y="${y + 37}">${label.title}</text>`;
  const glyph = of.glyph === null ? NOTHING : html`<tspan class="g">${of.glyph}</tspan> `;
  return html`<g class="${of.look}"
    ><title>${of.tip}</title>${outline(of.shape, { left, y, across: columns * COLUMN, height })}<text
      x="${of.shape === 'label' ? left + (columns * COLUMN) / 2 : left + 10}"
      y="${first}"
      >${glyph}${label.head}</text
    >${title}</g
  >`;
}

interface Outline {
  readonly left: number;
  readonly y: number;
  readonly across: number;
  readonly height: number;
}

/** Pixels by which the ends of a pointed box come to a point. */
const POINT = 7;

function outline(shape: SvgBox['shape'], { left, y, across, height }: Outline): Html {
  if (shape === 'pointed') {
    const [half, side] = [height / 2, across - 2 * POINT];
    const path = `M${left} ${y + half}l${POINT} ${-half}h${side}l${POINT} ${half}l${-POINT} ${half}h${-side}z`;
    return html`<path class="b" d="${path}" />`;
  }
  const rx = shape === 'box' ? 7 : height / 2;
  return html`<rect x="${left}" y="${y}" width="${across}" height="${height}" rx="${rx}" />`;
}

/** One net between two layers, in columns. No column occurs in two of them. */
interface GapNet {
  readonly tops: number[];
  readonly bottoms: { readonly x: number; readonly arrow: boolean }[];
}

function gapNets(upper: readonly Placed[], lower: readonly Placed[], drawing: Drawing): readonly GapNet[] {
  const nets = new Map<number, GapNet>();
  const open = (net: number): GapNet => {
    const known = nets.get(net) ?? { tops: [], bottoms: [] };
    nets.set(net, known);
    return known;
  };
  for (const { item, bottom } of upper) if (item.below !== null) open(item.below).tops.push(bottom);
  for (const { item, tops } of lower) {
    const arrow = item.node !== null && !isLabel(item, drawing);
    item.above.forEach((net, i) => open(net).bottoms.push({ x: tops[i] ?? 0, arrow }));
  }
  return [...nets.values()].filter(({ tops, bottoms }) => tops.length > 0 && bottoms.length > 0);
}

/** Each net that turns has a lane to itself as far as it reaches. */
function gapLines(
  nets: readonly GapNet[],
  top: number,
): { readonly lines: readonly Html[]; readonly bottom: number } {
  const spans = nets.map((net) => ({ net, ...reach(net) })).sort((a, b) => a.from - b.from);
  const ends: number[] = [];
  const lanes = spans.map(({ from, to }) => {
    if (from === to) return 0;
    const free = ends.findIndex((end) => end + 1 < from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = to;
    return lane;
  });
  const bottom = top + 2 * ROOM + Math.max(0, ends.length - 1) * LANE;
  const lines = spans.flatMap(({ net, from, to }, i) =>
    netLines(net, { top, bottom, lane: top + ROOM + (lanes[i] ?? 0) * LANE, centre: (from + to) / 2 }),
  );
  return { lines, bottom };
}

function reach({ tops, bottoms }: GapNet): { readonly from: number; readonly to: number } {
  const all = [...tops, ...bottoms.map(({ x }) => x)];
  return { from: Math.min(...all), to: Math.max(...all) };
}

interface Lane {
  readonly top: number;
  readonly bottom: number;
  readonly lane: number;
  /** The column that all its lines lead to. */
  readonly centre: number;
}

function netLines({ tops, bottoms }: GapNet, { top, bottom, lane, centre }: Lane): readonly Html[] {
  const path = [
    ...tops.map((x) => bend(x, top, { lane, centre })),
    ...bottoms.map(({ x, arrow }) => bend(x, arrow ? bottom - 5 : bottom, { lane, centre })),
  ].join('');
  const heads = bottoms
    .filter(({ arrow }) => arrow)
    .map(({ x }) => `M${middle(x) - 4} ${bottom - 7}h8l-4 7z`)
    .join('');
  return [wire(path), ...(heads === '' ? [] : [html`<path class="a" d="${heads}" />`])];
}

/** From an end of the net, round the corner, along its lane. */
function bend(column: number, y: number, { lane, centre }: Pick<Lane, 'lane' | 'centre'>): string {
  const [x, to] = [middle(column), middle(centre)];
  const round = Math.min(ROUND, Math.abs(to - x));
  if (round < 1) return `M${x} ${y}V${lane}`;
  const side = Math.sign(to - x) * round;
  const above = y < lane ? -round : round;
  return `M${x} ${y}V${lane + above}q0 ${-above} ${side} ${-above}H${to}`;
}

function wire(path: string): Html {
  return html`<path class="w" d="${path}" />`;
}

function middle(column: number): number {
  return Math.round((column + 0.5) * COLUMN + MARGIN);
}
