/** The plan as a drawing: layers from top to bottom, a box a node, and lines that end in arrowheads. */

import type { NodeView, RunView } from '../../contract/view.ts';
import type { Item, Net } from './dag-graph.ts';
import type { GapNet } from './dag-lines.ts';
import type { Placed } from './dag-layout.ts';
import type { Screen } from './screen.ts';
import { FINAL_NODE } from '../../contract/ids.ts';
import { clip, clipMiddle, flow, pad, plain, width } from './text.ts';
import { dagGraph } from './dag-graph.ts';
import { glyphOf, paintStatus, STATUSES } from './words.ts';
import { drawGap } from './dag-lines.ts';
import { headerLines } from './header.ts';
import { layout } from './dag-layout.ts';
import { orderLayers } from './dag-order.ts';

/** Beyond this a drawing says less than the list, and its layout takes its time. */
const MAX_BOXES = 200;

/** From roomy to tight: columns for the text in a box, and between two boxes. */
const FITS: readonly { readonly text: number; readonly gap: number }[] = [
  { text: 32, gap: 3 },
  { text: 24, gap: 3 },
  { text: 18, gap: 2 },
  { text: 12, gap: 2 },
  { text: 10, gap: 1 },
];

/** What a box shows of a node. */
export type DrawnNode = Pick<NodeView, 'id' | 'slug' | 'title' | 'deps' | 'status'>;

/** Null when there is nothing to draw or it would not fit: then show the list. */
export function drawDag(view: RunView, screen: Screen): readonly string[] | null {
  const drawn = drawNodes(view.nodes, screen);
  return drawn && [...headerLines(view, screen), '', ...drawn];
}

/** The drawing and its legend. */
export function drawNodes(
  nodes: readonly DrawnNode[],
  screen: Screen,
  options: { readonly everyLine?: boolean } = {},
): readonly string[] | null {
  if (nodes.length === 0 || nodes.length > MAX_BOXES) return null;
  const graph = dagGraph(nodes, options);
  const layers = orderLayers(graph.layers);
  for (const fit of FITS) {
    const labels = nodes.map((node) => label(node, fit.text, screen));
    const widthOf = (item: Item): number => boxWidth(item, labels);
    const placed = layout(layers, { columns: screen.columns, gap: fit.gap, widthOf });
    if (placed === null) continue;
    const { lines, crossed } = draw({ placed, labels, nets: graph.nets, screen });
    const legend = legendWords(nodes, { crossed, implied: graph.implied, screen });
    // Not the dot: it is the glyph of a status.
    const wrap = { columns: screen.columns, separator: '   ', ascii: screen.ascii };
    return [...lines, '', ...flow(legend, wrap)];
  }
  return null;
}

/** What is written in a box. */
interface Label {
  readonly head: string;
  /** The title, when it says more than the slug. */
  readonly title: string | null;
  readonly paint: (text: string) => string;
}

function label(node: DrawnNode, columns: number, screen: Screen): Label {
  const { ascii } = screen;
  const slug = plain(node.slug, ascii);
  const title = plain(node.title, ascii).trim();
  return {
    head: `${glyphOf(node.status, screen)} ${clipMiddle(slug, columns - 2, ascii)}`,
    title: title === '' || title === slug ? null : clip(title, columns, ascii),
    paint: paintStatus(node.status, screen.palette),
  };
}

/** Wide enough for the text, and for its arrowheads to keep out of the way of lines that come down above it. */
function boxWidth(item: Item, labels: readonly Label[]): number {
  const text = item.node === null ? undefined : labels[item.node];
  if (text === undefined) return 1;
  const inside = Math.max(width(text.head), text.title === null ? 0 : width(text.title)) + 2;
  return Math.max(inside, 2 * item.above.length + 1) + 2;
}

interface Drawing {
  readonly placed: readonly (readonly Placed[])[];
  readonly labels: readonly Label[];
  readonly nets: readonly Net[];
  readonly screen: Screen;
}

function draw({ placed, labels, nets, screen }: Drawing): { lines: readonly string[]; crossed: boolean } {
  const columns = Math.max(...placed.flat().map((spot) => spot.x + spot.width));
  const lines: string[] = [];
  let crossed = false;
  placed.forEach((row, i) => {
    const upper = placed[i - 1];
    if (upper !== undefined) {
      const gap = drawGap(gapNets(upper, row, nets.length), columns);
      lines.push(...gap.rows.map((cells) => cells.join('')));
      crossed ||= gap.crossed;
    }
    lines.push(...boxRows(row, labels));
  });
  return { lines: lines.map((line) => (screen.ascii ? toAscii(line) : line).trimEnd()), crossed };
}

function gapNets(upper: readonly Placed[], lower: readonly Placed[], count: number): readonly GapNet[] {
  const nets = Array.from({ length: count }, () => ({
    tops: [] as number[],
    bottoms: [] as number[],
    arrows: [] as number[],
  }));
  for (const { item, bottom } of upper) if (item.below !== null) nets[item.below]?.tops.push(bottom);
  for (const { item, tops } of lower) {
    item.above.forEach((net, i) => {
      nets[net]?.bottoms.push(tops[i] ?? 0);
      if (item.node !== null) nets[net]?.arrows.push(tops[i] ?? 0);
    });
  }
  return nets.filter(({ tops, bottoms }) => tops.length > 0 && bottoms.length > 0);
}

/** The rows of one layer: boxes of the same height, and the lines that pass between them. */
function boxRows(row: readonly Placed[], labels: readonly Label[]): readonly string[] {
  const textOf = ({ item }: Placed): Label | undefined =>
    item.node === null ? undefined : labels[item.node];
  const titled = row.some((spot) => (textOf(spot)?.title ?? null) !== null);
  const side = (spot: Placed, text: string, paint: (text: string) => string): string =>
    `│ ${paint(text)}${pad('', spot.width - 4 - width(text))} │`;
  const parts: ((spot: Placed, text: Label) => string)[] = [
    (spot) => `┌${'─'.repeat(spot.width - 2)}┐`,
    (spot, text) => side(spot, text.head, text.paint),
    ...(titled ? [(spot: Placed, text: Label) => side(spot, text.title ?? '', String)] : []),
    (spot) => bottomBorder(spot),
  ];
  return parts.map((part) => {
    let line = '';
    let at = 0;
    for (const spot of row) {
      const text = textOf(spot);
      line += ' '.repeat(spot.x - at) + (text === undefined ? '│' : part(spot, text));
      at = spot.x + spot.width;
    }
    return line;
  });
}

function bottomBorder({ item, x, width: all, bottom }: Placed): string {
  const border = '─'.repeat(all - 2);
  if (item.below === null) return `└${border}┘`;
  const port = bottom - x - 1;
  return `└${border.slice(0, port)}┬${border.slice(port + 1)}┘`;
}

/** Text is ASCII by then; what is left are the signs of the drawing. */
function toAscii(line: string): string {
  return line
    .replaceAll('─', '-')
    .replaceAll('│', '|')
    .replaceAll('▼', 'v')
    .replace(/[┌┐└┘├┤┬┴┼]/g, '+');
}

function legendWords(
  nodes: readonly DrawnNode[],
  {
    crossed,
    implied,
    screen,
  }: { readonly crossed: boolean; readonly implied: number; readonly screen: Screen },
): readonly string[] {
  const present = STATUSES.filter((status) => nodes.some((node) => node.status === status));
  const words = present.map((status) => `${glyphOf(status, screen)} ${status}`);
  if (crossed) words.push(screen.ascii ? 'lines cross at -|-' : 'lines cross at ─│─');
  if (implied > 0)
    words.push(`${implied} implied ${implied === 1 ? 'dependency' : 'dependencies'} not drawn`);
  if (nodes.some((node) => node.id === FINAL_NODE)) words.push(`${FINAL_NODE} depends on every node`);
  return words;
}
