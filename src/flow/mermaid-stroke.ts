/** What the line of an arrow looks like at one place of the text, before anybody asks what its label is. */

import { isBlank } from './mermaid-cursor.ts';
import { letterAt } from './mermaid-id.ts';

export type StrokeKind = 'dashed' | 'thick' | 'dotted' | 'invisible';

/** `none` is a line without a head, `arrow` is `>`, and the others are `o` and `x`. */
export type Tip = 'none' | 'arrow' | 'o' | 'x';

export type Stroke =
  /** `glued`: the head is an `o` or `x` that could as well be the first letter of what follows. */
  | {
      readonly type: 'whole';
      readonly kind: StrokeKind;
      readonly tip: Tip;
      readonly end: number;
      readonly glued: boolean;
    }
  /** The first half of an arrow: `--`, `==` or `-.`, then its label, then the second half. */
  | { readonly type: 'half'; readonly kind: LabelledKind; readonly end: number };

export type LabelledKind = Exclude<StrokeKind, 'invisible'>;

/** Null when no line begins here. */
export function strokeAt(text: string, at: number): Stroke | null {
  switch (text[at]) {
    case '-':
      return dashesAt(text, at);
    case '=':
      return lineAt(text, { at, end: runEnd(text, at, '='), kind: 'thick' });
    case '.':
      return dotsAt(text, at, at);
    case '~': {
      const end = runEnd(text, at, '~');
      return end - at < 3 ? null : { type: 'whole', kind: 'invisible', tip: 'none', end, glued: false };
    }
    default:
      return null;
  }
}

function dashesAt(text: string, at: number): Stroke | null {
  const end = runEnd(text, at, '-');
  if (text[end] !== '.') return lineAt(text, { at, end, kind: 'dashed' });
  if (end - at === 1) {
    const dotted = dotsAt(text, end, at);
    return dotted ?? (text[end + 1] === '.' ? null : { type: 'half', kind: 'dotted', end: end + 1 });
  }
  const dotted = dotsAt(text, end, at);
  if (dotted?.type === 'whole' && dotted.tip === 'arrow') return dotted;
  return lineAt(text, { at, end, kind: 'dashed' });
}

/** A run of dashes or of equals signs: one needs a `>`, two a head or a label, three are a line by themselves. */
function lineAt(
  text: string,
  { at, end, kind }: { at: number; end: number; kind: 'dashed' | 'thick' },
): Stroke | null {
  const length = end - at;
  if (text[end] === '>') return { type: 'whole', kind, tip: 'arrow', end: end + 1, glued: false };
  if (length < 2) return null;
  const tip = tipAt(text, end);
  if (tip !== null && (length > 2 || !opensLabel(text, end)))
    return { type: 'whole', kind, tip, end: end + 1, glued: isGlued(text, end) };
  return length === 2 ? { type: 'half', kind, end } : { type: 'whole', kind, tip: 'none', end, glued: false };
}

/** `--o` is a head and `--o-->` a label of one letter. */
function opensLabel(text: string, tip: number): boolean {
  return text[tip + 1] === '-' || text[tip + 1] === '=';
}

/** Dots, dashes, head; with a head `>` the dashes may be missing. */
function dotsAt(text: string, dots: number, from: number): Stroke | null {
  const dashes = runEnd(text, dots, '.');
  const end = runEnd(text, dashes, '-');
  if (text[end] === '>') return { type: 'whole', kind: 'dotted', tip: 'arrow', end: end + 1, glued: false };
  if (end === dashes || from === end) return null;
  const tip = tipAt(text, end);
  if (tip === null) return { type: 'whole', kind: 'dotted', tip: 'none', end, glued: false };
  return { type: 'whole', kind: 'dotted', tip, end: end + 1, glued: isGlued(text, end) };
}

function tipAt(text: string, at: number): 'o' | 'x' | null {
  const char = text[at];
  return char === 'o' || char === 'x' ? char : null;
}

function isGlued(text: string, tip: number): boolean {
  return letterAt(text, tip + 1) > 0;
}

export function runEnd(text: string, from: number, char: string): number {
  let at = from;
  while (text[at] === char) at += 1;
  return at;
}

export interface Close {
  /** Where the second half begins, and ends. */
  readonly start: number;
  readonly end: number;
  readonly tip: Tip;
  readonly glued: boolean;
  /** Whether the label touches the second half. */
  readonly tight: boolean;
}

/** The second half of an arrow of that kind, at this very place. */
export function closeAt(text: string, start: number, kind: LabelledKind): Close | null {
  if (text[start] !== (kind === 'thick' ? '=' : kind === 'dashed' ? '-' : text[start] === '-' ? '-' : '.'))
    return null;
  const stroke = strokeAt(text, start);
  if (stroke?.type !== 'whole' || stroke.kind !== kind) return null;
  const { end, tip, glued } = stroke;
  if (kind !== 'dotted' && runEnd(text, start, text.charAt(start)) - start < 2) return null;
  return { start, end, tip, glued, tight: !isBlank(text[start - 1]) };
}
