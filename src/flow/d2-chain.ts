/** The arrows of a D2 text as they are written: chains of them, and the numbers by which they are named later. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { readKey, type Key } from './d2-keys.ts';
import { faultAt, shown, skipBlanks, type Source } from './d2-text.ts';

export type ArrowKind = 'to' | 'from' | 'both' | 'none';

export interface Arrow {
  readonly kind: ArrowKind;
  readonly from: number;
}

export interface Chain {
  readonly ends: readonly Key[];
  readonly arrows: readonly Arrow[];
}

export function startsArrow({ text, next }: Source): boolean {
  const character = text[next];
  return character === '<' || character === '-' || character === '>';
}

/** From behind the first end to behind the last one. */
export function readChain(source: Source, first: Key, inGroup: boolean): Result<Chain, FlowParseFault> {
  const ends = [first];
  const arrows: Arrow[] = [];
  for (;;) {
    skipBlanks(source);
    const at = source.next;
    if (!startsArrow(source)) return ok({ ends, arrows });
    const kind = readArrow(source);
    if (kind === null) {
      const message = 'This is no arrow. Write "->", "<-" or "<->".';
      return fail(ends.at(-1)?.flaw ?? faultAt(source, at, message));
    }
    const key = readKey(source, inGroup);
    if (!key.ok) return key;
    if (key.value === null) {
      return fail(faultAt(source, source.next, 'The arrow leads nowhere. Write a name behind it.'));
    }
    ends.push(key.value);
    arrows.push({ kind, from: at });
  }
}

/** Of any length. */
function readArrow(source: Source): ArrowKind | null {
  const { text } = source;
  const back = text[source.next] === '<';
  if (back) source.next += 1;
  const from = source.next;
  while (text[source.next] === '-') source.next += 1;
  if (source.next === from) return null;
  const onwards = text[source.next] === '>';
  if (onwards) source.next += 1;
  if (back) return onwards ? 'both' : 'from';
  return onwards ? 'to' : 'none';
}

/** `[0]` or `[*]`; null when neither stands here. */
export function readIndex(source: Source): Result<number | '*' | null, FlowParseFault> {
  const { text, next: opened } = source;
  if (text[opened] !== '[') return ok(null);
  let at = opened + 1;
  while ('0123456789'.includes(text[at] ?? ' ')) at += 1;
  const digits = text.slice(opened + 1, at);
  const every = digits === '' && text[at] === '*';
  if (every) at += 1;
  if (text[at] !== ']' || (digits === '' && !every)) {
    return fail(
      faultAt(
        source,
        opened,
        'The number of an arrow is expected between the brackets, as in "(a -> b)[0]".',
      ),
    );
  }
  source.next = at + 1;
  return ok(every ? '*' : Number(digits));
}

/** Why no name could be read here. */
export function missingName(source: Source): string {
  const { text, next } = source;
  if (startsArrow(source)) return 'The arrow comes from nowhere. Write a name before it.';
  if (text[next] === ':') return 'This label belongs to nothing. Write a name before the colon.';
  return `A name is expected here, and ${shown(source, next)} stands here.`;
}
