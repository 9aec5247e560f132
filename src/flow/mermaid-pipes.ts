/** The label of an arrow between pipes: `-->|yes|`. */

import { ok } from '../contract/fault.ts';
import { blanksFrom, failAt, hasBreak, isAt, isBreak, type Cursor, type Read } from './mermaid-cursor.ts';
import { readLabel, readQuotedLabel } from './mermaid-label.ts';
import { readQuoted } from './mermaid-shape.ts';

/** At a `|`: the label between it and the next one on the line. */
export function readPipes(cursor: Cursor): Read<string | null> {
  const { text, at: open } = cursor;
  cursor.at = blanksFrom(text, open + 1);
  let label: string;
  if (isAt(cursor, '"')) {
    const written = readQuoted(cursor);
    if (!written.ok) return written;
    label = readQuotedLabel(written.value);
    const end = cursor.at;
    cursor.at = blanksFrom(text, end);
    // Quotes that close on another line without a | are quotes that were forgotten.
    const wrong = hasBreak(text, open, end) ? open : cursor.at;
    if (!isAt(cursor, '|'))
      return failAt(
        cursor,
        wrong,
        'The label ends with its quote, so | must follow. Put the whole label in quotes.',
      );
  } else {
    while (cursor.at < text.length && !isAt(cursor, '|') && !isBreak(text[cursor.at])) cursor.at += 1;
    if (!isAt(cursor, '|'))
      return failAt(
        cursor,
        open,
        'The label that opens here with | is never closed. Write | after it, on the same line.',
      );
    label = readLabel(text.slice(open + 1, cursor.at));
  }
  cursor.at += 1;
  return ok(label === '' ? null : label);
}
