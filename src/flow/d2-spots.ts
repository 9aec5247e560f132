/** The boxes of a D2 chart while it is drawn: by the path that names them, whatever the case of its letters. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import type { Segment, Key } from './d2-keys.ts';
import { faultAt, type Source } from './d2-text.ts';

export interface Spot {
  /** `box.a`, in the letters in which it was first written; empty for the chart as a whole. */
  readonly id: string;
  /** Its label as long as it gets no other. */
  readonly written: string;
  /** Null for the chart as a whole. */
  readonly parent: Spot | null;
  /** Offset of its first mention. */
  readonly from: number;
  /** Null while it holds none: most never do. */
  children: Map<string, Spot> | null;
  /** Offset of an empty label, which only a box around others may have. */
  blankAt: number | null;
  /** Offset of a shape that takes what it holds for rows of a table. */
  tableAt: number | null;
}

/** Ids are copied into every node within them, so their length is bounded. */
const LONGEST_ID = 600;

export function rootSpot(): Spot {
  return { id: '', written: '', parent: null, from: 0, children: null, blankAt: null, tableAt: null };
}

export interface Path {
  readonly key: Key;
  /** How many of its segments count: behind them a property may be named. */
  readonly length: number;
  readonly scope: Spot;
}

/** The box that a path names; `add` is told of each one that was not there before. Without it there must be one. */
export function spotAt(
  source: Source,
  { key, length, scope }: Path,
  add: ((spot: Spot) => void) | null,
): Result<Spot, FlowParseFault> {
  if (key.flaw !== null) return fail(key.flaw);
  const segments = key.segments.slice(0, length);
  const up = segments.findIndex((segment) => !isParent(segment));
  const names = up < 0 ? [] : segments.slice(up);
  let spot = scope;
  for (let ups = segments.length - names.length; ups > 0; ups -= 1) {
    if (spot.parent === null) {
      const message = 'The "_" leads out of the chart. There is no block around this one.';
      return fail(faultAt(source, key.from, message));
    }
    spot = spot.parent;
  }
  if (names.some(isParent))
    return fail(faultAt(source, key.from, 'A "_" counts only at the beginning of a path, as in "_.a".'));
  for (const [i, name] of names.entries()) {
    const known = spot.children?.get(fold(name.text));
    if (known === undefined) {
      if (add === null) return fail(faultAt(source, key.from, 'No such node stands before this line.'));
      const id = (spot.parent === null ? '' : `${spot.id}.`) + idOf(name);
      if (id.length > LONGEST_ID)
        return fail(
          faultAt(
            source,
            key.from,
            `This name is longer than ${LONGEST_ID} characters. Write a label, and shorten the name.`,
          ),
        );
      const written = names
        .slice(0, i + 1)
        .map(({ text }) => text)
        .join('.');
      const made: Spot = {
        id,
        written,
        parent: spot,
        from: key.from,
        children: null,
        blankAt: null,
        tableAt: null,
      };
      spot.children ??= new Map();
      spot.children.set(fold(name.text), made);
      add(made);
      spot = made;
    } else spot = known;
  }
  return ok(spot);
}

function isParent({ text, quoted }: Segment): boolean {
  return text === '_' && !quoted;
}

/** The language folds case: `Review` and `review` are one box. */
function fold(text: string): string {
  return text.toLowerCase();
}

/** `"a.b"` is one name, `a.b` are two. */
function idOf({ text }: Segment): string {
  return text.includes('.') || text.startsWith('"') ? JSON.stringify(text) : text;
}
