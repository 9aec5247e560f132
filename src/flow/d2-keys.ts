/** Names in a D2 chart: `a`, `box.a`, `my node`, `"a.b"`. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { readString } from './d2-strings.ts';
import {
  codeSet,
  faultAt,
  isBlank,
  isLetter,
  lineEnd,
  shown,
  skipBlanks,
  startsComment,
  trimBlanks,
  type Source,
} from './d2-text.ts';

export interface Segment {
  readonly text: string;
  readonly quoted: boolean;
}

export interface Key {
  /** At least one, but for the empty path before a group at the root. */
  readonly segments: readonly Segment[];
  /** Offset of its first character. */
  readonly from: number;
  /** Why nobody can follow it. It counts only where the key counts: styles may stand behind a `*`. */
  readonly flaw: FlowParseFault | null;
  /** It ends in a dot before `(`: `box.(a -> b)[0]`. */
  readonly opensGroup: boolean;
}

/** Null when no name stands here. */
export function readKey(source: Source, inGroup: boolean): Result<Key | null, FlowParseFault> {
  skipBlanks(source);
  const { text } = source;
  const from = source.next;
  const segments: Segment[] = [];
  let flaw: FlowParseFault | null = null;
  for (;;) {
    const quote = text[source.next];
    const read = quote === '"' || quote === "'" ? readQuoted(source, quote) : readBare(source, inGroup);
    if (!read.ok) return read;
    flaw ??= read.value.flaw;
    if (read.value.segment !== null) segments.push(read.value.segment);
    else if (segments.length === 0 && text[source.next] !== '.') return ok(null);
    else flaw ??= faultAt(source, source.next, missingPart(source));
    skipBlanks(source);
    if (text[source.next] !== '.') return ok({ segments, from, flaw, opensGroup: false });
    source.next += 1;
    skipBlanks(source);
    if (text[source.next] === '(') return ok({ segments, from, flaw, opensGroup: true });
  }
}

function missingPart(source: Source): string {
  return `A dot stands between two names, and ${shown(source, source.next)} stands here.`;
}

interface Part {
  readonly segment: Segment | null;
  readonly flaw: FlowParseFault | null;
}

function readQuoted(source: Source, quote: '"' | "'"): Result<Part, FlowParseFault> {
  const opened = source.next;
  const string = readString(source.text, opened, quote);
  if (string === null || string.end > lineEnd(source, opened)) {
    const message = 'The quote that begins here is not closed on its line. Close it.';
    return fail(faultAt(source, opened, message));
  }
  source.next = string.end;
  const isEmpty = string.text.trim() === '';
  const flaw = isEmpty ? faultAt(source, opened, 'A name must not be empty. Write one.') : null;
  return ok({ segment: { text: string.text, quoted: true }, flaw });
}

function readBare(source: Source, inGroup: boolean): Result<Part, FlowParseFault> {
  const { text } = source;
  let before = '';
  let flaw: FlowParseFault | null = null;
  const start = source.next;
  let from = start;
  let parens = 0;
  for (;;) {
    skipWord(source);
    const at = source.next;
    // At its start a parenthesis opens a group of edges.
    if (endsName(source, inGroup && parens === 0) || (text[at] === '(' && at === start)) break;
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (character === '\\' && text[at + 1] === '\n') {
      before += text.slice(from, at);
      skipBlanks(source);
      from = source.next;
      continue;
    }
    if (character === '(') parens += 1;
    if (character === ')' && parens > 0) parens -= 1;
    if (!standsInName(character)) flaw ??= faultAt(source, at, refusal(source, at));
    source.next += character.length;
  }
  const trimmed = trimBlanks(before + text.slice(from, source.next));
  return ok({ segment: trimmed === '' ? null : { text: trimmed, quoted: false }, flaw });
}

/** What most names consist of, and what never ends one. */
function skipWord(source: Source): void {
  const { text } = source;
  let at = source.next;
  while (IN_WORD[text.charCodeAt(at)] === true) at += 1;
  source.next = at;
}

const IN_WORD = codeSet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/',?+% \t");

function endsName(source: Source, closesGroup: boolean): boolean {
  const { text, next } = source;
  const character = text[next];
  if (character === undefined || ENDS_NAME.has(character)) return true;
  if (character === '-') return text[next + 1] === '-' || text[next + 1] === '>';
  if (character === ')') return closesGroup;
  return character === '#' && startsComment(source, next);
}

const ENDS_NAME: ReadonlySet<string> = new Set('\n;:.{}[]<>');

/** Beyond words. No `=` and no `~`: `a == b` is an arrow of another language, and nobody means a node by it. */
function standsInName(character: string): boolean {
  return '-()#'.includes(character) || (character > '~' && (isLetter(character) || isBlank(character)));
}

function refusal(source: Source, at: number): string {
  switch (source.text[at]) {
    case '*':
      return 'A "*" stands for other names, and cannot be followed here. Write the names out.';
    case '@':
      return 'Imports cannot be followed. Write the imported part into this chart.';
    case '\\':
      return 'A backslash cannot stand in a name. Put the name between quotes.';
    case '$':
      return 'Variables cannot be followed in a name. Write the name itself, or put it between quotes.';
    default:
      return `A name cannot hold ${shown(source, at)}. Put the name between quotes, or mend it.`;
  }
}
