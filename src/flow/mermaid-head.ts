/** What stands before the drawing: front matter, and the header that says what kind of chart it is. */

import { ok } from '../contract/fault.ts';
import {
  blanksFrom,
  endsStatement,
  failAt,
  isBreak,
  lineEndFrom,
  type Cursor,
  type Read,
} from './mermaid-cursor.ts';
import { idEnd } from './mermaid-id.ts';
import { goesOnAsNode } from './mermaid-link.ts';

/** A line `---` at the very top, and everything to the next such line. */
export function skipFrontMatter(cursor: Cursor): Read<null> {
  const { text } = cursor;
  const open = firstText(text);
  if (!isRule(text, open)) return ok(null);
  for (let at = lineEndFrom(text, open); at < text.length; at = lineEndFrom(text, at)) {
    while (isBreak(text[at])) at += 1;
    if (!isRule(text, blanksFrom(text, at))) continue;
    cursor.at = lineEndFrom(text, at);
    return ok(null);
  }
  return failAt(cursor, open, 'The front matter that opens here is never closed. Write --- under it.');
}

function firstText(text: string): number {
  let at = blanksFrom(text, 0);
  while (isBreak(text[at])) at = blanksFrom(text, at + 1);
  return at;
}

function isRule(text: string, at: number): boolean {
  const end = blanksFrom(text, at + 3);
  return text.startsWith('---', at) && (end >= text.length || isBreak(text[end]));
}

const HEADERS: ReadonlySet<string> = new Set(['flowchart', 'graph', 'flowchart-elk']);

const DIRECTIONS: ReadonlySet<string> = new Set(['tb', 'td', 'bt', 'rl', 'lr', 'br', 'v']);

/** `flowchart TD`, alone in its statement. True when there was one. */
export function readHeader(cursor: Cursor): Read<boolean> {
  const { text, at: from } = cursor;
  const end = idEnd(text, from);
  const word = text.slice(from, end);
  if (!isHeader(text, from)) return ok(false);
  const start = blanksFrom(text, end);
  cursor.at = '<>^'.includes(text[start] ?? ' ') ? start + 1 : idEnd(text, start);
  const direction = text.slice(start, cursor.at).toLowerCase();
  if (direction !== '' && !'<>^'.includes(direction) && !DIRECTIONS.has(direction))
    return failAt(cursor, start, `After "${word}" stands a direction such as TD or LR, or nothing.`);
  const rest = blanksFrom(text, cursor.at);
  if (!endsStatement(text, rest))
    return failAt(cursor, rest, 'The header must be a line of its own. Begin the drawing on the next line.');
  return ok(true);
}

export function isHeader(text: string, from: number): boolean {
  const end = idEnd(text, from);
  const word = text.slice(from, end).toLowerCase();
  return HEADERS.has(word) && !goesOnAsNode(text, end);
}

const OTHER_KINDS: ReadonlySet<string> = new Set(
  (
    'sequenceDiagram classDiagram classDiagram-v2 stateDiagram stateDiagram-v2 erDiagram gantt pie journey gitGraph ' +
    'mindmap timeline quadrantChart requirementDiagram requirement C4Context C4Container C4Component C4Dynamic ' +
    'C4Deployment sankey sankey-beta xychart xychart-beta block block-beta packet packet-beta kanban architecture ' +
    'architecture-beta radar-beta treemap treemap-beta zenuml swimlane-beta info'
  )
    .toLowerCase()
    .split(' '),
);

/** A header of another kind of diagram, at the beginning of the chart. */
export function refuseOtherKinds(cursor: Cursor): Read<null> {
  const { text, at } = cursor;
  const end = idEnd(text, at);
  const word = text.slice(at, end);
  if (!OTHER_KINDS.has(word.toLowerCase()) || goesOnAsNode(text, end)) return ok(null);
  return failAt(
    cursor,
    at,
    `This is a ${word}, and only flow charts are understood. Begin with "flowchart TD".`,
  );
}
