/** The brackets of a node. Shapes are ornament: what counts is the label between them, and where they end. */

import { ok } from '../contract/fault.ts';
import { blanksFrom, failAt, hasBreak, isBlank, isBreak, type Cursor, type Read } from './mermaid-cursor.ts';
import { readLabel, readQuotedLabel } from './mermaid-label.ts';

/** The longer ones first. */
const SHAPES: readonly (readonly [open: string, ...closes: string[]])[] = [
  ['(((', ')))'],
  ['((', '))'],
  ['([', '])'],
  ['(-', '-)'],
  ['(', ')'],
  ['[[', ']]'],
  ['[(', ')]'],
  ['[/', '/]', '\\]'],
  ['[\\', '\\]', '/]'],
  ['[', ']'],
  ['{{', '}}'],
  ['{', '}'],
  ['>', ']'],
];

/** At one of `[`, `(`, `{` and `>`. */
export function readShape(cursor: Cursor): Read<string> {
  return readQuotedShape(cursor) ?? readPlainShape(cursor);
}

/** At a double quote: what stands between it and the next one. There is no escape: `#quot;` is the way to write one. */
export function readQuoted(cursor: Cursor): Read<string> {
  const open = cursor.at;
  const close = cursor.text.indexOf('"', open + 1);
  if (close < 0) return failAt(cursor, open, 'The quote that opens here is never closed. Close it.');
  cursor.at = close + 1;
  return ok(cursor.text.slice(open + 1, close));
}

/** Null when the label is not in quotes. */
function readQuotedShape(cursor: Cursor): Read<string> | null {
  const { text, at: from } = cursor;
  const shape = SHAPES.find(([open]) => text.startsWith(open, from));
  if (shape === undefined) return null;
  const [open, ...closes] = shape;
  const quote = blanksFrom(text, from + open.length);
  if (text[quote] !== '"') return null;
  cursor.at = quote;
  const written = readQuoted(cursor);
  if (!written.ok) return written;
  for (const close of closes) {
    const end = closeEnd(text, cursor.at, close);
    if (end === null) continue;
    cursor.at = end;
    return ok(readQuotedLabel(written.value));
  }
  return failAt(cursor, ...notClosed(cursor, { from, quote, close: closes[0] ?? '' }));
}

/** Quotes that close far below are quotes that were forgotten: then the place is where they were opened. */
function notClosed(
  { text, at }: Cursor,
  { from, quote, close }: { from: number; quote: number; close: string },
): [number, string] {
  const message = `The label ends with its quote, so ${close} must follow. Put the whole label in quotes, and write #quot; for a quote inside it.`;
  if (hasBreak(text, quote, at)) return [quote, `The quote that opens here is not closed well. ${message}`];
  let end = at;
  while (isBlank(text[end]) || ')]}'.includes(text[end] ?? ' ')) end += 1;
  if (end >= text.length || isBreak(text[end]))
    return [from, `The bracket that opens here is never closed. Write ${close} after the label.`];
  return [at, message];
}

/** Blanks may stand between the brackets that close. */
function closeEnd(text: string, from: number, close: string): number | null {
  let at = from;
  for (const char of close) {
    at = blanksFrom(text, at);
    if (text[at] !== char) return null;
    at += 1;
  }
  return at;
}

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['(', ')'],
  ['{', '}'],
]);

/**
 * Without quotes, a label goes to the bracket that matches the first one, and may hold such brackets in pairs and all
 * others as text. The inner brackets of a doubled shape are then found from within.
 */
function readPlainShape(cursor: Cursor): Read<string> {
  const { text, at: from } = cursor;
  const open = text[from] === '>' ? '[' : (text[from] ?? '');
  const end = matchEnd(text, { from: from + 1, open, close: PAIRS.get(open) ?? '' });
  const written = end === null ? '' : text.slice(from + 1, end - 1);
  if (end === null || (hasBreak(text, from, end) && looksDrawn(written))) {
    return failAt(cursor, from, 'The bracket that opens here is never closed. Close it.');
  }
  cursor.at = end;
  return ok(readLabel(text[from] === '>' ? written : peel(open, written)));
}

/** After the bracket that closes the one before `from`. */
function matchEnd(
  text: string,
  { from, open, close }: { from: number; open: string; close: string },
): number | null {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    else if (text[at] === close) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}

function peel(open: string, written: string): string {
  switch (open) {
    case '(': {
      const inner = within(written, '(');
      if (inner !== null) return within(inner, '(') ?? inner;
      return within(written, '[') ?? between(written, '-', '-') ?? written;
    }
    case '[': {
      const inner = within(written, '[') ?? within(written, '(');
      return inner ?? between(written, '/\\', '/\\') ?? withoutProperty(written);
    }
    default:
      return within(written, '{') ?? written;
  }
}

/** What stands in a bracket that is opened at the very start and closed at the very end; blanks may come after it. */
function within(written: string, open: string): string | null {
  if (written[0] !== open) return null;
  const end = matchEnd(written, { from: 1, open, close: PAIRS.get(open) ?? '' });
  return end !== null && blanksFrom(written, end) === written.length ? written.slice(1, end - 1) : null;
}

function between(written: string, firsts: string, lasts: string): string | null {
  let end = written.length;
  while (end > 0 && isBlank(written[end - 1])) end -= 1;
  if (end < 2 || !firsts.includes(written.charAt(0)) || !lasts.includes(written.charAt(end - 1))) return null;
  return written.slice(1, end - 1);
}

/** `[|border:dashed|text]` */
function withoutProperty(written: string): string {
  const end = written[0] === '|' ? written.indexOf('|', 1) : -1;
  return end > 0 && /^\w+:\w+$/.test(written.slice(1, end)) ? written.slice(end + 1) : written;
}

/** A label without quotes that goes over lines and holds arrows or brackets is a bracket somebody forgot. */
function looksDrawn(written: string): boolean {
  return ['--', '==', '-.', '->', '=>', '~~~', '[', '(', '{', '|', '"'].some((sign) =>
    written.includes(sign),
  );
}
