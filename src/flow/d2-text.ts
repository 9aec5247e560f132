/** The text of a D2 chart while it is read, and what its single characters mean. */

import type { FlowParseFault } from '../contract/flow.ts';
import { lineStarts, parseFault, placeIn, type At } from './chart.ts';

export interface Source {
  /** Every line ends in one line feed, whatever it ended in before; that moves no line and no column. */
  readonly text: string;
  /** Offset of the next character to read. */
  next: number;
  /** Offset right after the last block that was closed on a later line than it was opened on; else -1. */
  freshAt: number;
  /** Whether the chart has variables anywhere. */
  hasVars: boolean;
  readonly lineStarts: readonly number[];
}

export function newSource(given: string): Source {
  const text = given.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  return { text, next: 0, freshAt: -1, hasVars: false, lineStarts: lineStarts(text) };
}

export function placeOf(source: Source, offset: number): At {
  return placeIn(source.lineStarts, offset);
}

export function faultAt(source: Source, offset: number, message: string): FlowParseFault {
  return parseFault(placeOf(source, offset), message);
}

/** The character as a person can be told about it. */
export function shown(source: Source, offset: number): string {
  const point = source.text.codePointAt(offset);
  if (point === undefined) return 'the end of the text';
  if (point === 10) return 'the end of the line';
  const character = String.fromCodePoint(point);
  return /[\p{C}\p{Z}\p{M}]/u.test(character)
    ? `the invisible character U+${point.toString(16).toUpperCase().padStart(4, '0')}`
    : `"${character}"`;
}

/** Stands between words, and ends no line. */
export function isBlank(character: string | undefined): boolean {
  if (character === ' ' || character === '\t') return true;
  if (character === undefined || character === '\n' || (character > ' ' && character <= '~')) return false;
  return OTHER_BLANK.test(character);
}

const OTHER_BLANK = /[\v\f\u0085\p{Z}]/u;

/** Marks characters by their code, for what is asked of every single one. Those beyond ASCII are never marked. */
export function codeSet(characters: string): readonly boolean[] {
  return Array.from({ length: 128 }, (_, code) => characters.includes(String.fromCharCode(code)));
}

export function isLetter(character: string): boolean {
  return /[\p{L}\p{M}\p{N}]/u.test(character);
}

export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text[from])) from += 1;
  while (to > from && isSpace(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

function isSpace(character: string | undefined): boolean {
  return character === '\n' || isBlank(character);
}

/** Blanks, and line ends behind a backslash. */
export function skipBlanks(source: Source): void {
  const { text } = source;
  for (;;) {
    if (isBlank(text[source.next])) source.next += 1;
    else if (text[source.next] === '\\' && text[source.next + 1] === '\n') source.next += 2;
    else return;
  }
}

export function lineEnd(source: Source, from: number): number {
  const next = source.lineStarts[placeOf(source, from).line];
  return next === undefined ? source.text.length : next - 1;
}

/** A `#` inside a word is part of the word. */
export function startsComment({ text }: Source, at: number): boolean {
  if (text[at] !== '#') return false;
  return at === 0 || text[at - 1] === '\n' || isBlank(text[at - 1]);
}

export function endsStatement(source: Source, at: number): boolean {
  const character = source.text[at];
  if (character === undefined || character === '\n' || character === ';' || character === '}') return true;
  return startsComment(source, at);
}

/** From the dollar of `${x}` to behind its brace, or to the end of the line. */
export function afterVariable(text: string, dollar: number): number {
  let at = dollar;
  while (at < text.length && text[at] !== '\n' && text[at] !== '}') at += 1;
  return text[at] === '}' ? at + 1 : at;
}
