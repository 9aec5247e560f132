/** Statements that draw no node and no arrow: styling, directions, titles, and the frames of subgraphs. */

import { ok } from '../contract/fault.ts';
import {
  blanksFrom,
  endsStatement,
  failAt,
  isBlank,
  lineEndFrom,
  skipGap,
  type Cursor,
  type Read,
} from './mermaid-cursor.ts';
import { idEnd, isReserved, letterAt, reservedMessage } from './mermaid-id.ts';
import { readLabel } from './mermaid-label.ts';
import { goesOnAsNode, startsLink } from './mermaid-link.ts';
import { readQuoted, readShape } from './mermaid-shape.ts';

export interface Frames {
  /** Ids of the subgraphs. */
  readonly ids: Set<string>;
  /** Where those begin that are open now. */
  readonly open: number[];
}

/** True when there was such a statement; else the cursor stands where it stood. */
export function readLayout(cursor: Cursor, frames: Frames): Read<boolean> {
  const { text, at: from } = cursor;
  const end = idEnd(text, from);
  const word = text.slice(from, end);
  switch (word.toLowerCase()) {
    case 'classdef':
    case 'class':
    case 'style':
    case 'linkstyle':
    case 'click':
      if (!isBlank(text[end]) || goesOnAsNode(text, end)) return ok(false);
      cursor.at = end;
      return skipStyling(cursor);
    case 'subgraph':
      if (goesOnAsNode(text, end)) return ok(false);
      if (!isBlank(text[end]) && !endsStatement(text, end)) return ok(false);
      cursor.at = end;
      return readFrame(cursor, frames, from);
    case 'end':
      // The one word that is also a node's usual name: alone, it closes a frame, or nothing.
      if (!endsStatement(text, blanksFrom(text, end))) return ok(false);
      if (word !== 'end' && arrowFollows(cursor, end)) return ok(false);
      frames.open.pop();
      cursor.at = end;
      return ok(true);
    case 'direction':
      return skipDirection(cursor, end);
    case 'acctitle':
    case 'accdescr':
      return skipDescription(cursor, end);
    default:
      return ok(false);
  }
}

/** On one of the next lines. */
function arrowFollows(cursor: Cursor, end: number): boolean {
  const ahead = { ...cursor, at: end };
  skipGap(ahead);
  return startsLink(ahead.text, ahead.at);
}

/** To the end of the statement. What stands in quotes, or in the brackets of a call, holds no end of it. */
function skipStyling(cursor: Cursor): Read<true> {
  const { text } = cursor;
  let depth = 0;
  const from = cursor.at;
  for (; cursor.at < text.length; cursor.at += 1) {
    const char = text[cursor.at];
    if (char === '"') {
      const quoted = readQuoted(cursor);
      if (!quoted.ok) return quoted;
      cursor.at -= 1;
    } else if (char === '>' && depth <= 0 && '-='.includes(text[cursor.at - 1] ?? ' ')) {
      return failAt(
        cursor,
        cursor.at,
        'An arrow cannot stand in a line of styling. Put text like it in quotes.',
      );
    } else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === ';' && (depth > 0 || startsProperty(text, cursor.at + 1))) continue;
    else if (endsStatement(text, cursor.at)) break;
  }
  if (blanksFrom(text, from) >= cursor.at)
    return failAt(cursor, from, 'The name of what is styled must follow.');
  return ok(true);
}

/** After a `;`: `stroke:#333` goes on with the styling as in a style sheet. */
function startsProperty(text: string, from: number): boolean {
  let at = blanksFrom(text, from);
  const name = at;
  while (letterAt(text, at) > 0 || (at > name && text[at] === '-' && letterAt(text, at + 1) > 0)) at += 1;
  return at > name && text[at] === ':' && text[at + 1] !== ':';
}

const WAYS: ReadonlySet<string> = new Set(['tb', 'td', 'bt', 'rl', 'lr']);

/** `direction`, and `LR` on a line of its own: two nodes, if one takes it at its word. */
function isWayBelow(cursor: Cursor, from: number): boolean {
  const ahead = { ...cursor, at: from };
  skipGap(ahead);
  const end = idEnd(ahead.text, ahead.at);
  return WAYS.has(ahead.text.slice(ahead.at, end).toLowerCase()) && endsStatement(ahead.text, end);
}

function skipDirection(cursor: Cursor, end: number): Read<boolean> {
  const { text } = cursor;
  const from = blanksFrom(text, end);
  if (endsStatement(text, from) && isWayBelow(cursor, from))
    return failAt(cursor, cursor.at, 'The direction must follow on this line.');
  const to = idEnd(text, from);
  if (from === end || !WAYS.has(text.slice(from, to).toLowerCase())) return ok(false);
  if (!endsStatement(text, blanksFrom(text, to))) return ok(false);
  cursor.at = to;
  return ok(true);
}

function skipDescription(cursor: Cursor, end: number): Read<boolean> {
  const { text } = cursor;
  const at = blanksFrom(text, end);
  if (text[at] === ':' && text[at + 1] !== ':') {
    cursor.at = lineEndFrom(text, at);
    return ok(true);
  }
  if (text[at] !== '{' || text.slice(cursor.at, end) !== 'accDescr') return ok(false);
  const close = text.indexOf('}', at);
  // One that holds a brace has most likely gone on into the drawing.
  const inner = text.indexOf('{', at + 1);
  if (close < 0 || (inner >= 0 && inner < close))
    return failAt(cursor, at, 'The description that opens here is never closed. Write } after it.');
  cursor.at = close + 1;
  return ok(true);
}

/** A title of one word is the id as well; with brackets after it, the id stands before them. */
function readFrame(cursor: Cursor, frames: Frames, from: number): Read<true> {
  const { text } = cursor;
  const start = blanksFrom(text, cursor.at);
  cursor.at = start;
  let name: string;
  if (text[start] === '"') {
    const quoted = readQuoted(cursor);
    if (!quoted.ok) return quoted;
    name = readLabel(quoted.value);
  } else {
    while (!endsStatement(text, cursor.at) && !'["'.includes(text[cursor.at] ?? ' ')) {
      if (startsLink(text, cursor.at) && !isDash(text, cursor.at))
        return failAt(
          cursor,
          cursor.at,
          'An arrow cannot stand in the title of a subgraph. Begin a new line.',
        );
      cursor.at += 1;
    }
    name = text.slice(start, cursor.at).trim();
  }
  if (text[cursor.at] === '[') {
    const title = readShape(cursor);
    if (!title.ok) return title;
  }
  const classes = name.indexOf(':::');
  if (classes >= 0) name = name.slice(0, classes).trim();
  if (isReserved(name)) return failAt(cursor, start, reservedMessage(name));
  if (name !== '' && !hasBlank(name)) frames.ids.add(name);
  frames.open.push(from);
  return ok(true);
}

/** `--` alone is a dash in a title. */
function isDash(text: string, at: number): boolean {
  return text.startsWith('--', at) && !'->ox'.includes(text[at + 2] ?? ' ');
}

function hasBlank(name: string): boolean {
  for (const char of name) {
    if (isBlank(char) || char === '\n') return true;
  }
  return false;
}
