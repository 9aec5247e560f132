/** The status list: one row a node. On a narrow terminal columns go, least needed first; the reason gets its own line. */

import type { NodeView, RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import { formatTokens } from '../../contract/amount.ts';
import { waitWords } from './budget-words.ts';
import { clip, clipMiddle, flow, pad, plain, width } from './text.ts';
import { glyphOf, mark, paintStatus } from './words.ts';
import { trailLines } from './flow-chart.ts';
import { hasPlan, headerLines, nodeTime } from './header.ts';
import { isUnanimous, voteCounts } from './vote-words.ts';

export function statusTable(view: RunView, screen: Screen): readonly string[] {
  return [...headerLines(view, screen), ...nodesOf(view, screen)];
}

/** The nodes under a blank line; nothing before there is a plan, which the header says. */
export function nodesOf(view: RunView, screen: Screen): readonly string[] {
  if (view.flow) return view.flow.trail.length === 0 ? [] : ['', ...trailLines(view.flow, screen)];
  return hasPlan(view) ? ['', ...nodeTable(view.nodes, screen)] : [];
}

interface Cell {
  readonly text: string;
  readonly paint: (text: string) => string;
}

interface Column {
  readonly head: string;
  /** Of the widest cell, head included. */
  readonly width: number;
  readonly cell: (node: NodeView) => Cell;
}

/** A set of columns to try. `reason` is the least width of a reason beside them; null puts it on a line of its own. */
interface Shape {
  readonly columns: readonly Column[];
  readonly reason: number | null;
}

const GAP = 2;
const SLUG_LEAST = 12;
const REASON_LEAST = 24;
const INDENT = 2;

/** For when nothing else fits. */
const BARE: Shape = { columns: [], reason: null };

/** The rows of these nodes under a heading. */
export function nodeTable(nodes: readonly NodeView[], screen: Screen): readonly string[] {
  if (nodes.length === 0) return [clip('no nodes', screen.columns, screen.ascii)];
  const longest = widest(nodes, (node) => plain(node.slug, screen.ascii), 'node');
  const reason = widest(nodes, (node) => reasonWords(node, screen), '');
  const tries = shapes(nodes, screen, Math.min(REASON_LEAST, reason));
  const shape =
    tries.find((each) => fixedWidth(each) + Math.min(longest, SLUG_LEAST) <= screen.columns) ?? BARE;
  const slug = Math.max(1, Math.min(longest, screen.columns - fixedWidth(shape)));
  const table = { shape, screen, slug };
  return [heading(table), ...nodes.flatMap((node) => row(table, node)), ...headKey(table)];
}

function widest(nodes: readonly NodeView[], text: (node: NodeView) => string, head: string): number {
  return nodes.reduce((most, node) => Math.max(most, width(text(node))), width(head));
}

/** What the short heads stand for, when they are in use. */
function headKey({ shape, screen }: Table): readonly string[] {
  const { columns, ascii, palette } = screen;
  if (!shape.columns.some(({ head }) => head === 'E')) return [];
  const parts = ['E executed', 'C claimed', 'V verified'];
  return flow(parts, { columns, separator: '   ', ascii }).map((line) => palette.dim(line));
}

/** From all there is to what no row can do without; `least` is what a reason needs beside the rest, 0 for none. */
function shapes(nodes: readonly NodeView[], screen: Screen, least: number): readonly Shape[] {
  const { ascii, palette, now } = screen;
  const column: MakeColumn = (head, cell) => ({
    head,
    width: widest(nodes, (node) => cell(node).text, head),
    cell,
  });
  const record = (head: string, key: 'executed' | 'claimed' | 'verified'): Column =>
    column(head, (node) => ({
      text: mark(node[key], { ascii }),
      paint: node[key] ? palette.green : palette.dim,
    }));
  const status = column('status', (node) => ({
    text: node.status,
    paint: paintStatus(node.status, palette),
  }));
  const time = column('time', (node) => ({ text: nodeTime(node, now), paint: String }));
  const tries = column('tries', (node) => ({
    text: tryWords(node),
    paint: node.rerun ? palette.yellow : String,
  }));
  const long = [record('executed', 'executed'), record('claimed', 'claimed'), record('verified', 'verified')];
  const short = [record('E', 'executed'), record('C', 'claimed'), record('V', 'verified')];
  const byModels = modelColumns(nodes, column);
  if (byModels !== null) return modelShapes({ status, long, short, tries, time, least, ...byModels });
  return [
    { columns: [status, ...long, tries, time], reason: least },
    { columns: [status, ...short, tries, time], reason: least },
    { columns: [status, ...short, tries, time], reason: null },
    { columns: [status, ...short, time], reason: null },
    { columns: [status, ...short], reason: null },
    { columns: [...short], reason: null },
  ];
}

type MakeColumn = (head: string, cell: Column['cell']) => Column;

interface ModelColumns {
  readonly rounds: Column;
  readonly tokens: Column;
  /** Whether any node was tried more than once: nodes of models mostly are not. */
  readonly repeated: boolean;
}

/** Null when no model works on any node. */
function modelColumns(nodes: readonly NodeView[], column: MakeColumn): ModelColumns | null {
  if (nodes.every(({ goal }) => goal === null)) return null;
  const counted = (count: number | undefined, words: (count: number) => string) => ({
    text: count === undefined || count === 0 ? '' : words(count),
    paint: String,
  });
  return {
    rounds: column('rounds', ({ goal }) => counted(goal?.round, String)),
    tokens: column('tokens', ({ goal }) => counted(goal?.tokens, formatTokens)),
    repeated: nodes.some(({ attempts, rerun }) => attempts > 1 || rerun),
  };
}

type AllColumns = ModelColumns & {
  readonly status: Column;
  readonly long: readonly Column[];
  readonly short: readonly Column[];
  readonly tries: Column;
  readonly time: Column;
  readonly least: number;
};

function modelShapes(all: AllColumns): readonly Shape[] {
  const { status, long, short, tries, time, least, rounds, tokens, repeated } = all;
  const most = [rounds, tokens, ...(repeated ? [tries] : []), time];
  return [
    { columns: [status, ...long, ...most], reason: least },
    { columns: [status, ...short, ...most], reason: least },
    { columns: [status, ...long, ...most], reason: null },
    { columns: [status, ...short, ...most], reason: null },
    { columns: [status, ...short, rounds, tokens], reason: null },
    { columns: [status, ...short], reason: null },
    { columns: [...short], reason: null },
  ];
}

/** Of a parked node also how long it waits. */
function reasonWords({ reason, goal }: NodeView, { ascii, now }: Screen): string {
  const why = plain(reason ?? '', ascii);
  const until = goal?.until ?? null;
  if (until === null) return why;
  const words = waitWords(until, now);
  return why.trim() === '' ? words : `${words}: ${why}`;
}

/** Where the last panel was of two minds; shown only where there is room for it. */
function panelWords({ goal }: NodeView): string {
  return goal === null || isUnanimous(goal) ? '' : `panel: ${voteCounts(goal)}`;
}

function tryWords(node: NodeView): string {
  if (node.attempts === 0) return '';
  return node.rerun ? `${node.attempts} rerun` : String(node.attempts);
}

/** Columns of all but the slug: the glyph and a blank, and each other column after a gap. */
function fixedWidth({ columns, reason }: Shape): number {
  const others = columns.reduce((sum, column) => sum + GAP + column.width, 2);
  return others + (reason === null || reason === 0 ? 0 : GAP + reason);
}

interface Table {
  readonly shape: Shape;
  readonly screen: Screen;
  /** Columns of the slug. */
  readonly slug: number;
}

function heading({ shape, screen, slug }: Table): string {
  const heads = shape.columns.map((column) => pad(column.head, column.width));
  const reason = shape.reason === null || shape.reason === 0 ? [] : ['reason'];
  const cells = ['  ' + pad(clip('node', slug, screen.ascii), slug), ...heads, ...reason];
  return screen.palette.dim(clip(cells.join(' '.repeat(GAP)), screen.columns, screen.ascii));
}

function row({ shape, screen, slug }: Table, node: NodeView): readonly string[] {
  const { ascii, columns, palette } = screen;
  const paint = paintStatus(node.status, palette);
  const name = clipMiddle(plain(node.slug, ascii), slug, ascii);
  const cells = shape.columns.map((column) => {
    const { text, paint: tint } = column.cell(node);
    return (text === '' ? '' : tint(text)) + pad('', column.width - width(text));
  });
  const first = paint(glyphOf(node.status, screen)) + ' ' + pad(name, slug);
  const left = [first, ...cells].join(' '.repeat(GAP));
  const reason = reasonWords(node, screen).trim();
  const used = fixedWidth({ ...shape, reason: null }) + slug + GAP;
  if (reason === '') {
    const note = shape.reason === null ? '' : panelWords(node);
    return [note === '' || used + width(note) > columns ? left.trimEnd() : left + ' '.repeat(GAP) + note];
  }
  if (shape.reason === null) {
    return [left.trimEnd(), ' '.repeat(INDENT) + clip(reason, columns - INDENT, ascii)];
  }
  return [left + ' '.repeat(GAP) + clip(reason, columns - used, ascii)];
}
