/** `@{ shape: rect, label: "Text" }` after an id: a small piece of YAML, of which only the label counts. */

import { ok } from '../contract/fault.ts';
import { blanksFrom, failAt, isBreak, type Cursor, type Read } from './mermaid-cursor.ts';
import { readLabel, readQuotedLabel } from './mermaid-label.ts';
import { readQuoted } from './mermaid-shape.ts';

/** At the `@`. Null when there is no label in it. */
export function readData(cursor: Cursor): Read<string | null> {
  const open = cursor.at + 1;
  let label: string | null = null;
  cursor.at += 2;
  for (;;) {
    skipSeparators(cursor);
    const { text, at } = cursor;
    if (at >= text.length)
      return failAt(cursor, open, 'The brace that opens here is never closed. Close it.');
    if (text[at] === '}') break;
    const key = readKey(cursor);
    if (!key.ok) return key;
    const value = readValue(cursor, open);
    if (!value.ok) return value;
    if (key.value !== 'label') continue;
    if (label !== null) return failAt(cursor, at, 'This is the second label of one node. Leave one of them.');
    label = value.value;
  }
  cursor.at += 1;
  return ok(label);
}

function skipSeparators(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    cursor.at = blanksFrom(text, cursor.at);
    if (text[cursor.at] !== ',' && !isBreak(text[cursor.at])) return;
    cursor.at += 1;
  }
}

function readKey(cursor: Cursor): Read<string> {
  const { text, at: from } = cursor;
  let at = from;
  while (/[A-Za-z0-9_-]/.test(text[at] ?? '')) at += 1;
  const key = text.slice(from, at);
  at = blanksFrom(text, at);
  if (key === '' || text[at] !== ':')
    return failAt(cursor, from, 'Between these braces stand keys and values, as in { label: "Text" }.');
  cursor.at = blanksFrom(text, at + 1);
  if (cursor.at === at + 1 && !'"\''.includes(text[cursor.at] ?? ' ') && !isBreak(text[cursor.at]))
    return failAt(cursor, at, 'A blank must follow the colon.');
  return ok(key);
}

function readValue(cursor: Cursor, open: number): Read<string> {
  const { text, at: from } = cursor;
  const first = text[from] ?? '';
  if ('[{|>&*!#'.includes(first) && first !== '')
    return failAt(cursor, from, 'This kind of value is not understood. Put it in double quotes.');
  if (first === '"' || first === "'") return readQuotedValue(cursor);
  let at = from;
  while (at < text.length && !',}'.includes(text[at] ?? '') && !isBreak(text[at])) at += 1;
  if (at >= text.length) return failAt(cursor, open, 'The brace that opens here is never closed. Close it.');
  cursor.at = at;
  return ok(readLabel(text.slice(from, at)));
}

function readQuotedValue(cursor: Cursor): Read<string> {
  const { text } = cursor;
  const first = text[cursor.at];
  const written = first === '"' ? readQuoted(cursor) : readSingleQuoted(cursor);
  if (!written.ok) return written;
  const at = blanksFrom(text, cursor.at);
  if (at < text.length && !',}'.includes(text[at] ?? '') && !isBreak(text[at]))
    return failAt(cursor, at, 'A comma or the closing brace must follow the quoted value.');
  return ok(readQuotedLabel(first === '"' ? unescape(written.value) : written.value));
}

/** YAML's escapes, as far as a label needs them; the quote itself cannot be escaped here. */
function unescape(written: string): string {
  return written.replace(/\\([nt\\/])/g, (_, char: string) =>
    char === 'n' ? '\n' : char === 't' ? '\t' : char,
  );
}

/** A quote inside is written twice. */
function readSingleQuoted(cursor: Cursor): Read<string> {
  const { text, at: open } = cursor;
  const parts: string[] = [];
  let from = open + 1;
  for (;;) {
    const close = text.indexOf("'", from);
    if (close < 0) return failAt(cursor, open, 'The quote that opens here is never closed. Close it.');
    parts.push(text.slice(from, close));
    from = close + 2;
    if (text[close + 1] === "'") continue;
    cursor.at = close + 1;
    return ok(parts.join("'"));
  }
}
