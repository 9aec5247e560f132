/** One arrow between two nodes, with the label it may carry before, inside or after it. */

import { ok } from '../contract/fault.ts';
import { blanksFrom, failAt, isBlank, isBreak, skipSpace, type Cursor, type Read } from './mermaid-cursor.ts';
import { idEnd } from './mermaid-id.ts';
import { readLabel, readQuotedLabel } from './mermaid-label.ts';
import { readPipes } from './mermaid-pipes.ts';
import { readQuoted } from './mermaid-shape.ts';
import { closeAt, runEnd, strokeAt, type Close, type LabelledKind, type Tip } from './mermaid-stroke.ts';

export interface Link {
  readonly label: string | null;
  /** False for `~~~`, which only moves nodes about. */
  readonly drawn: boolean;
  /** It has a head on either side. */
  readonly both: boolean;
  /** `e1` of `e1@-->`. */
  readonly id: string | null;
  /** `k` of `--ok-->`: should there be such a node, the `o` may be the head of an arrow to it. */
  readonly doubt: string | null;
}

/** Null when no arrow begins here; the cursor then stands where it stood. */
export function readLink(cursor: Cursor): Read<Link | null> {
  const { text, at: from } = cursor;
  const before = text[from] === '|' ? readPipes(cursor) : ok(null);
  if (!before.ok) return before;
  if (before.value !== null) cursor.at = blanksFrom(text, cursor.at);
  const id = readLinkId(cursor);
  const line = readLine(cursor);
  if (!line.ok) return line;
  if (line.value === null) {
    if (before.value !== null) return failAt(cursor, cursor.at, 'An arrow must follow this label.');
    if (id !== null) return failAt(cursor, cursor.at, 'An arrow must follow this id and its @.');
    return ok(null);
  }
  skipSpace(cursor);
  const { at: second } = cursor;
  const after = text[second] === '|' ? readPipes(cursor) : ok(null);
  if (!after.ok) return after;
  if (!line.value.drawn && after.value !== null)
    return failAt(cursor, second, 'An arrow that is not drawn has no label. Draw it, or take the label out.');
  const [label = null, other] = [before.value, line.value.label, after.value].filter((part) => part !== null);
  if (other !== undefined)
    return failAt(
      cursor,
      after.value === null ? from : second,
      'This arrow has two labels. Leave one of them.',
    );
  return ok({ ...line.value, label, id });
}

/** Whether the arrow goes on from the line above; `o` and `x` are left out here, since they may be nodes. */
export function startsLink(text: string, at: number): boolean {
  if (text[at] === '<') return strokeAt(text, at + 1) !== null;
  return strokeAt(text, at) !== null;
}

/** An `o` or `x` here with a line right after it: the head of an arrow, or a node of that name. */
export function startsWithHead(text: string, at: number): boolean {
  return (text[at] === 'o' || text[at] === 'x') && strokeAt(text, at + 1) !== null;
}

/** Whether a word that ends here goes on as a node does: brackets, a class, an arrow. No keyword goes on like that. */
export function goesOnAsNode(text: string, end: number): boolean {
  const at = blanksFrom(text, end);
  const char = text[at];
  if (char === undefined) return false;
  if ('[({&@|'.includes(char) || text[end] === '>' || text.startsWith(':::', at)) return true;
  if (startsArrow(text, at)) return true;
  const id = idEnd(text, at);
  return at > end && text[id] === '@' && startsArrow(text, blanksFrom(text, id + 1));
}

function startsArrow(text: string, at: number): boolean {
  return startsLink(text, at) || startsWithHead(text, at);
}

function readLinkId(cursor: Cursor): string | null {
  const { text, at } = cursor;
  const end = idEnd(text, at);
  if (end === at || text[end] !== '@' || text[end + 1] === '{') return null;
  cursor.at = blanksFrom(text, end + 1);
  return text.slice(at, end);
}

type Line = Omit<Link, 'id'>;

function readLine(cursor: Cursor): Read<Line | null> {
  const { text, at: from } = cursor;
  const head = text[from] === '<' || startsWithHead(text, from) ? text.charAt(from) : null;
  const at = head === null ? from : from + 1;
  const stroke = strokeAt(text, at);
  if (stroke === null) return ok(null);
  if (stroke.type === 'half')
    return readSecondHalf(cursor, { from, head, kind: stroke.kind, at: stroke.end });
  const { kind, tip, end } = stroke;
  if (stroke.glued && tip !== head) {
    const label = gluedLabel(cursor, { at, end, kind });
    if (!label.ok) return label;
    if (label.value !== null && kind !== 'invisible') {
      const line = readSecondHalf(cursor, { from, head, kind, at: end - 1 });
      return line.ok ? ok({ ...line.value, doubt: label.value }) : line;
    }
  }
  cursor.at = end;
  return finish(cursor, { from, head, tip, label: null, drawn: kind !== 'invisible', doubt: null });
}

interface Half {
  readonly from: number;
  readonly head: string | null;
  readonly kind: LabelledKind;
  /** After the first half. */
  readonly at: number;
}

function readSecondHalf(cursor: Cursor, { from, head, kind, at }: Half): Read<Line> {
  const { text } = cursor;
  const start = blanksFrom(text, at);
  const quoted = text[start] === '"';
  let label: string;
  let close: Close | null;
  if (quoted) {
    cursor.at = start;
    const written = readQuoted(cursor);
    if (!written.ok) return written;
    label = readQuotedLabel(written.value);
    close = closeAt(text, blanksFrom(text, cursor.at), kind);
  } else {
    close = findClose(text, { at, kind });
    label = close === null ? '' : readLabel(text.slice(at, close.start));
  }
  if (close === null) return failAt(cursor, from, head === '<' ? LEFT : unfinished(kind));
  if (!quoted && hasHead(label, text[close.start - 1]))
    return failAt(cursor, close.start - 1, ambiguous(text, close.start - 1));
  if (close.glued) return failAt(cursor, close.start, ambiguous(text, close.end - 1));
  cursor.at = close.end;
  return finish(cursor, {
    from,
    head,
    tip: close.tip,
    label: label === '' ? null : label,
    drawn: true,
    doubt: null,
  });
}

/** `-- text o-->`: the last sign of the label may be meant as a head of the second half. */
function hasHead(label: string, last: string | undefined): boolean {
  if (last === '<') return true;
  return (last === 'o' || last === 'x') && isBlank(label.at(-2));
}

const LEFT = 'An arrow that points left is not understood. Write it from its source: B --> A.';

/**
 * Whoever draws both heads (`<-->`) means that one can go either way. A head on the left alone would be walked against
 * what is drawn, so it is refused.
 */
function finish(
  cursor: Cursor,
  {
    from,
    head,
    tip,
    label,
    drawn,
    doubt,
  }: Omit<Line, 'both'> & { from: number; head: string | null; tip: Tip },
): Read<Line> {
  if (head === '<' && tip !== 'arrow') return failAt(cursor, from, LEFT);
  return ok({ label, drawn, doubt, both: head === '<' });
}

/** On this line. It is searched once: where nothing is found, the line holds no other first half either. */
function findClose(text: string, { at: from, kind }: { at: number; kind: LabelledKind }): Close | null {
  for (let at = from; at < text.length && !isBreak(text[at]); at += 1) {
    const char = text.charAt(at);
    if (char !== '-' && char !== '=' && char !== '.') continue;
    const close = closeAt(text, at, kind);
    if (close !== null) return close;
    at = runEnd(text, at, char) - 1;
  }
  return null;
}

/**
 * Null when the `o` or `x` is a head, else the rest of the label it begins.
 *
 * `--ok-->` can be an arrow with the label "ok", or an arrow with an `o` as its head to a node "k". Nobody draws the
 * second and means it, but `--oB --> C` may be meant so: what cannot be told apart is refused.
 */
function gluedLabel(
  cursor: Cursor,
  { at, end, kind }: { at: number; end: number; kind: string },
): Read<string | null> {
  const { text } = cursor;
  const tip = end - 1;
  if ((kind !== 'dashed' && kind !== 'thick') || tip - at !== 2)
    return failAt(cursor, at, ambiguous(text, tip));
  const close = findClose(text, { at: tip, kind });
  if (close === null) return ok(null);
  const label = text.slice(tip, close.start);
  const word = idEnd(label, 0) === label.trimEnd().length;
  if ((word && !close.tight) || hasNodeSigns(label)) return failAt(cursor, at, ambiguous(text, tip));
  return ok(label.slice(1).trim());
}

function hasNodeSigns(label: string): boolean {
  for (const char of label) {
    if ('[({>&@:;'.includes(char)) return true;
  }
  return false;
}

function ambiguous(text: string, tip: number): string {
  const head = text.charAt(tip);
  return `The "${head}" here can be the head of the arrow or the beginning of what follows. Put a blank before it or after it.`;
}

function unfinished(kind: LabelledKind): string {
  const [first, second] = { dashed: ['--', '-->'], thick: ['==', '==>'], dotted: ['-.', '.->'] }[kind];
  return `This arrow begins with ${first} and a label, and its end is missing. Write ${second} after the label, on the same line.`;
}
