/** A place in the text of a chart that only moves forward, and what stands between the things it reads. */

import { fail, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { lineStarts, parseFault, placeIn, type At } from './chart.ts';

export interface Cursor {
  readonly text: string;
  /** Where each line begins. */
  readonly lines: readonly number[];
  at: number;
}

export type Read<T> = Result<T, FlowParseFault>;

export function newCursor(text: string): Cursor {
  return { text, lines: lineStarts(text), at: 0 };
}

export function placeOf({ lines }: Cursor, index: number): At {
  return placeIn(lines, index);
}

export function failAt(cursor: Cursor, index: number, message: string): Result<never, FlowParseFault> {
  return fail(parseFault(placeOf(cursor, index), message));
}

/** What ends a line of drawing. Only CR and LF are counted as lines; the others are rare, and blanks to most editors. */
const BREAKS = new Set('\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029');
const BLANKS = new Set(' \t\u001f\u00a0\u1680\u202f\u205f\u3000\ufeff');

export function isBreak(char: string | undefined): boolean {
  return char !== undefined && !isCommon(char) && BREAKS.has(char);
}

export function isBlank(char: string | undefined): boolean {
  if (char === undefined || isCommon(char)) return false;
  return BLANKS.has(char) || (char >= '\u2000' && char <= '\u200a');
}

/** Most of what is asked about, answered without a look-up. */
function isCommon(char: string): boolean {
  return char > ' ' && char <= '~';
}

export function isAt(cursor: Cursor, word: string): boolean {
  return cursor.text.startsWith(word, cursor.at);
}

/** Blanks alone. */
export function blanksFrom(text: string, from: number): number {
  let at = from;
  while (isBlank(text[at])) at += 1;
  return at;
}

/** The rest of the line. */
export function lineEndFrom(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBreak(text[at])) at += 1;
  return at;
}

export function hasBreak(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if (isBreak(text[at])) return true;
  }
  return false;
}

/** Blanks, comments and directives, but no end of a line outside a directive. */
export function skipSpace(cursor: Cursor): void {
  for (;;) {
    cursor.at = blanksFrom(cursor.text, cursor.at);
    if (!isAt(cursor, '%%')) return;
    cursor.at = directiveEnd(cursor.text, cursor.at) ?? lineEndFrom(cursor.text, cursor.at);
  }
}

/** As `skipSpace`, and over as many ends of lines as there are. */
export function skipGap(cursor: Cursor): void {
  for (;;) {
    skipSpace(cursor);
    if (!isBreak(cursor.text[cursor.at])) return;
    cursor.at += 1;
  }
}

/** Whether a statement may end here: at a `;`, a comment, or the end of its line. */
export function endsStatement(text: string, at: number): boolean {
  return at >= text.length || text[at] === ';' || isBreak(text[at]) || text.startsWith('%%', at);
}

/**
 * `%%{init: …}%%` may go over lines. Any other `%%{`, and one whose end is missing, is a comment of one line: it must
 * not hide what is drawn below it.
 */
function directiveEnd(text: string, from: number): number | null {
  if (text[from + 2] !== '{') return null;
  const word = blanksFrom(text, from + 3);
  if (!text.startsWith('init', word) && !text.startsWith('wrap', word)) return null;
  for (let at = word; at < text.length; at += 1) {
    if (text.startsWith('}%%', at)) return at + 3;
    if (text.startsWith('%%{', at)) return null;
  }
  return null;
}
