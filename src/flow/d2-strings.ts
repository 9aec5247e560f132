/** Labels and other values of a D2 chart: plain, between quotes, or a list. Blocks have a file of their own. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { readBlock } from './d2-block.ts';
import {
  afterVariable,
  codeSet,
  faultAt,
  isBlank,
  lineEnd,
  skipBlanks,
  startsComment,
  trimBlanks,
  type Source,
} from './d2-text.ts';

export interface Text {
  readonly text: string;
  /** Offset of its first character, quotes included. */
  readonly from: number;
  /** Neither between quotes nor a block: then `null` means something. */
  readonly plain: boolean;
  /** Why it is no label. Styles may hold it all the same. */
  readonly flaw: FlowParseFault | null;
  /** Its flaw is `${x}` in a block, which is plain text wherever the chart has no variables: often it is a shell's. */
  readonly onlyWithVars: boolean;
}

/** Null when there is nothing. `lists`: a bracket opens a list here, not a label. */
export function readText(source: Source, lists: boolean): Result<Text | null, FlowParseFault> {
  skipBlanks(source);
  const { text, next } = source;
  const character = text[next];
  if (character === '"' || character === "'") return readQuotedText(source, character);
  if (character === '|') {
    const block = readBlock(source);
    if (!block.ok) return block;
    const flaw = block.value.includes('${') ? variableFault(source, next) : null;
    return ok({ text: block.value, from: next, plain: false, flaw, onlyWithVars: true });
  }
  if (character === '[' && lists) return readList(source);
  return ok(readPlain(source));
}

interface QuotedString {
  readonly text: string;
  /** Offset after the closing quote. */
  readonly end: number;
  /** Whether a variable stands in it. */
  readonly substitutes: boolean;
}

/** Null when it is not closed. A single-quoted one ends on its line: apostrophes open too many of them. */
export function readString(text: string, opened: number, quote: '"' | "'"): QuotedString | null {
  const parts: string[] = [];
  let substitutes = false;
  let from = opened + 1;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\n' && quote === "'") return null;
    if (character === '$' && text[at + 1] === '{' && quote === '"') substitutes = true;
    if (character === quote && !(quote === "'" && text[at + 1] === quote)) {
      parts.push(text.slice(from, at));
      return { text: parts.join(''), end: at + 1, substitutes };
    }
    if (character !== '\\' && character !== quote) continue;
    parts.push(text.slice(from, at), character === quote ? quote : escaped(text[at + 1] ?? '', quote));
    at += 1;
    from = at + 1;
  }
  return null;
}

/** What stands behind a backslash between quotes; between single ones it escapes nothing but the quote. */
function escaped(character: string, quote: '"' | "'"): string {
  if (character === '\n') return '';
  if (quote === '"') return CONTROLS.get(character) ?? character;
  return character === quote ? quote : `\\${character}`;
}

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
]);

function readQuotedText(source: Source, quote: '"' | "'"): Result<Text, FlowParseFault> {
  const opened = source.next;
  const string = readString(source.text, opened, quote);
  if (string === null) {
    const where = quote === "'" ? ' on its line' : '';
    const message = `The quote that begins here is not closed${where}. Close it; a label may also stand without quotes.`;
    return fail(faultAt(source, opened, message));
  }
  source.next = string.end;
  const flaw = string.substitutes ? variableFault(source, opened) : null;
  return ok({ text: string.text, from: opened, plain: false, flaw, onlyWithVars: false });
}

/** To the end of the statement. What would end it stands behind a backslash, or between quotes. */
function readPlain(source: Source): Text | null {
  const { text, next: start } = source;
  let before = '';
  let flaw = text[start] === '@' ? faultAt(source, start, IMPORT) : null;
  let from = start;
  let quotedTo = -1;
  let at = start;
  for (; ; at += 1) {
    at = nextMark(text, at);
    if (endsPlain(source, at, quotedTo)) break;
    if (text[at] === '"' && at > quotedTo) quotedTo = partner(source, at);
    if (text[at] === '$' && text[at + 1] === '{') {
      flaw ??= variableFault(source, at);
      at = afterVariable(text, at) - 1;
    }
    if (text[at] !== '\\') continue;
    before += text.slice(from, at);
    if (text[at + 1] === '\n') {
      source.next = at;
      skipBlanks(source);
      from = source.next;
      at = from - 1;
    } else {
      at += 1;
      before += unescaped(text[at] ?? '');
      from = at + 1;
    }
  }
  at = Math.min(at, text.length);
  source.next = at;
  const label = trimBlanks(before + text.slice(from, at));
  return label === '' ? null : { text: label, from: start, plain: true, flaw, onlyWithVars: false };
}

const IMPORT =
  'Imports cannot be followed. Write the imported part into this chart, or put the label between quotes.';

/** Passes by what is text and nothing else. */
function nextMark(text: string, from: number): number {
  let at = from;
  while (at < text.length && MARKS[text.charCodeAt(at)] !== true) at += 1;
  return at;
}

const MARKS = codeSet('\n;{}#"$\\');

function endsPlain(source: Source, at: number, quotedTo: number): boolean {
  const character = source.text[at];
  if (character === undefined || ENDS_PLAIN.has(character)) return true;
  return character === '#' && at > quotedTo && startsComment(source, at);
}

const ENDS_PLAIN: ReadonlySet<string> = new Set('\n;{}');

/** Offset of the quote that closes the one at `at` on the same line; `at` itself when there is none. */
function partner(source: Source, at: number): number {
  const { text } = source;
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '\n') return at;
    if (text[i] === '"') return i;
  }
  return at;
}

/** A backslash before a letter stays: it stands in a path or a pattern far more often than in an escape. */
function unescaped(character: string): string {
  if (character === 'n') return '\n';
  return /[\w\s]/.test(character) || character === '' ? `\\${character}` : character;
}

function variableFault(source: Source, at: number): FlowParseFault {
  const message =
    'Variables cannot be followed. Write the text itself; between single quotes "${" is plain text.';
  return faultAt(source, at, message);
}

/** Only styles take lists, so what stands in it is passed by. */
function readList(source: Source): Result<Text, FlowParseFault> {
  const { text, next: opened } = source;
  const unclosed = (at: number, what: string): Result<Text, FlowParseFault> =>
    fail(faultAt(source, at, `The ${what} that begins here is not closed. Close it.`));
  let depth = 0;
  // Within an item quotes are text.
  let itemStarts = true;
  for (let at = opened; at < text.length; at += 1) {
    const character = text[at];
    if (itemStarts && (character === '"' || character === "'")) {
      const string = readString(text, at, character);
      if (string === null) return unclosed(at, 'quote');
      at = string.end - 1;
    } else if (startsComment(source, at)) at = lineEnd(source, at) - 1;
    else if (character === '[') depth += 1;
    else if (character === ']') depth -= 1;
    itemStarts =
      character === '[' || character === ';' || character === '\n' || (itemStarts && isBlank(character));
    if (depth > 0) continue;
    source.next = at + 1;
    const flaw = faultAt(source, opened, 'A list is no label. Put the label between quotes.');
    return ok({ text: '', from: opened, plain: false, flaw, onlyWithVars: false });
  }
  return unclosed(opened, 'list');
}
