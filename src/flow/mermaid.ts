/**
 * Mermaid flow charts: the nodes and arrows that are drawn, and nothing that is not. What is not understood is a fault
 * with its place; nothing is passed over but comments, styling, and the frames of subgraphs.
 */

import { ok, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { newChart, type Chart, type ChartBuilder } from './chart.ts';
import {
  blanksFrom,
  endsStatement,
  failAt,
  isAt,
  isBreak,
  newCursor,
  placeOf,
  skipGap,
  skipSpace,
  type Cursor,
  type Read,
} from './mermaid-cursor.ts';
import { readData } from './mermaid-data.ts';
import { isHeader, readHeader, refuseOtherKinds, skipFrontMatter } from './mermaid-head.ts';
import { idEnd, isReserved } from './mermaid-id.ts';
import { readLayout, type Frames } from './mermaid-layout.ts';
import { readLink, startsLink, startsWithHead, type Link } from './mermaid-link.ts';
import { readNode } from './mermaid-node.ts';

/** A fan draws every pair, so a short text could draw more than there is room for. */
const MOST_LINKS = 100_000;

interface Reading {
  readonly cursor: Cursor;
  readonly chart: ChartBuilder;
  readonly frames: Frames;
  readonly linkIds: Set<string>;
  /** Where each node stands first. */
  readonly named: Map<string, number>;
  /** Ids that arrows lead to if their labels are none, and where those arrows are. */
  readonly doubts: Map<string, number>;
  links: number;
}

export function parseMermaid(text: string): Result<Chart, FlowParseFault> {
  const reading: Reading = {
    cursor: newCursor(text),
    chart: newChart(),
    frames: { ids: new Set(), open: [] },
    linkIds: new Set(),
    named: new Map(),
    doubts: new Map(),
    links: 0,
  };
  const { cursor } = reading;
  const head = readHead(cursor);
  if (!head.ok) return head;
  for (;;) {
    skipGap(cursor);
    if (cursor.at >= text.length) break;
    if (isAt(cursor, ';')) cursor.at += 1;
    else {
      const statement = readStatement(reading);
      if (!statement.ok) return statement;
    }
  }
  const flaw = flawOfFrames(reading) ?? flawOfLinkIds(reading) ?? flawOfDoubts(reading);
  return flaw ?? ok(reading.chart);
}

function readHead(cursor: Cursor): Read<null> {
  const front = skipFrontMatter(cursor);
  if (!front.ok) return front;
  skipGap(cursor);
  const other = refuseOtherKinds(cursor);
  if (!other.ok) return other;
  const header = readHeader(cursor);
  return header.ok ? ok(null) : header;
}

function readStatement(reading: Reading): Read<null> {
  const { cursor, frames, linkIds } = reading;
  const { text, at } = cursor;
  const end = idEnd(text, at);
  if (isReserved(text.slice(at, end)) && isHeader(text, at))
    return failAt(cursor, at, 'A chart has one header, and it stands above everything else.');
  const layout = readLayout(cursor, frames);
  if (!layout.ok) return layout;
  if (!layout.value) {
    const isLinkData = linkIds.has(text.slice(at, end)) && text.startsWith('@{', end);
    const drawn = isLinkData ? readLinkData(cursor, end) : readChain(reading);
    if (!drawn.ok) return drawn;
  }
  skipSpace(cursor);
  if (endsStatement(text, cursor.at)) return ok(null);
  return failAt(
    cursor,
    cursor.at,
    'This is not understood here. An arrow, the end of the line or a ; was expected.',
  );
}

/** `e1@{ animate: true }` says how an arrow looks. */
function readLinkData(cursor: Cursor, end: number): Read<null> {
  cursor.at = end;
  const label = readData(cursor);
  if (!label.ok) return label;
  return label.value === null
    ? ok(null)
    : failAt(cursor, end, 'An arrow has its label as in -->|text|, and not in braces.');
}

/** `A & B --> C --> D`; an arrow may also stand at the end of a line, or at the beginning of the next. */
function readChain(reading: Reading): Read<null> {
  const { cursor } = reading;
  let sources = readFan(reading);
  for (;;) {
    if (!sources.ok) return sources;
    const going = goOn(cursor, sources.value);
    if (!going.ok) return going;
    const from = cursor.at;
    const link = going.value ? readLink(cursor) : ok(null);
    if (!link.ok) return link;
    if (link.value === null) return ok(null);
    skipGap(cursor);
    const targets = readFan(reading);
    if (!targets.ok) return targets;
    const drawn = draw(reading, { from, link: link.value, sources: sources.value, targets: targets.value });
    if (!drawn.ok) return drawn;
    sources = targets;
  }
}

/** Whether an arrow may come now; at the end of a line it stands on the next one with text. */
function goOn(cursor: Cursor, sources: readonly string[]): Read<boolean> {
  const { text } = cursor;
  skipSpace(cursor);
  if (!isBreak(text[cursor.at])) return ok(true);
  const end = cursor.at;
  skipGap(cursor);
  if (startsLink(text, cursor.at)) return ok(true);
  const head = text.charAt(cursor.at);
  // The language goes on with the arrow here, most people begin a node. After that very node it is the same.
  const same = sources.length === 1 && sources[0] === head;
  if (startsWithHead(text, cursor.at) && !same)
    return failAt(
      cursor,
      cursor.at,
      `The "${head}" here can be a node or the head of an arrow from the line above. Put a blank after it, or the arrow on the line above.`,
    );
  cursor.at = end;
  return ok(false);
}

/** `A & B` */
function readFan({ cursor, chart, named }: Reading): Read<readonly string[]> {
  const { text } = cursor;
  const ids: string[] = [];
  for (;;) {
    const node = readNode(cursor);
    if (!node.ok) return node;
    const { id, labels, from } = node.value;
    for (const label of labels.length === 0 ? [null] : labels) {
      const known = chart.name(id, label, placeOf(cursor, from));
      if (!known.ok) return known;
    }
    if (!named.has(id)) named.set(id, from);
    ids.push(id);
    const and = blanksFrom(text, cursor.at);
    if (text[and] !== '&') return ok(ids);
    cursor.at = and + 1;
    skipGap(cursor);
  }
}

interface Drawing {
  readonly from: number;
  readonly link: Link;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
}

function draw(reading: Reading, { from, link, sources, targets }: Drawing): Read<null> {
  const { cursor, chart, linkIds, doubts } = reading;
  if (link.doubt !== null && !doubts.has(link.doubt)) doubts.set(link.doubt, from);
  if (link.id !== null) linkIds.add(link.id);
  if (!link.drawn) return ok(null);
  reading.links += sources.length * targets.length * (link.both ? 2 : 1);
  if (reading.links > MOST_LINKS)
    return failAt(cursor, from, `The chart draws more than ${MOST_LINKS} arrows. Draw fewer.`);
  for (const source of sources) {
    for (const target of targets) {
      chart.link(source, target, link.label);
      if (link.both) chart.link(target, source, link.label);
    }
  }
  return ok(null);
}

/** What is said about an arrow above it would be a node. */
function flawOfLinkIds({ cursor, linkIds, named }: Reading): Result<never, FlowParseFault> | null {
  for (const id of linkIds) {
    const from = named.get(id);
    if (from !== undefined)
      return failAt(
        cursor,
        from,
        `"${id}" is the id of an arrow as well. Choose another, or say it below the arrow.`,
      );
  }
  return null;
}

/** Nobody can stand at a subgraph, so an arrow to it would lead to a node that is not drawn. */
function flawOfFrames({ cursor, frames, named }: Reading): Result<never, FlowParseFault> | null {
  for (const [id, from] of named) {
    if (!frames.ids.has(id)) continue;
    const message = `"${id}" is a subgraph, and an arrow must begin and end at a node. Draw it to a node inside.`;
    return failAt(cursor, from, message);
  }
  const open = frames.open.at(-1);
  return open === undefined
    ? null
    : failAt(cursor, open, 'The subgraph that begins here is never closed. Write end under it.');
}

function flawOfDoubts({ cursor, doubts, named }: Reading): Result<never, FlowParseFault> | null {
  for (const [id, from] of doubts) {
    if (!named.has(id)) continue;
    const message = `This can be an arrow with a label, or one with a round head or a cross to the node "${id}". Put blanks around the label.`;
    return failAt(cursor, from, message);
  }
  return null;
}
