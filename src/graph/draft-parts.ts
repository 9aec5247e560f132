/** What both parsers build drafts from. */

import {
  CAPS,
  type Draft,
  type DraftNode,
  type DraftCheck,
  type DraftField,
  type Placed,
  type PlanSource,
} from './draft.ts';
import { fault, quote, type Notes } from './notes.ts';
import type { Read } from './values.ts';

/** A node while it is read. */
export type NodeInMaking = { -readonly [K in keyof DraftNode]: DraftNode[K] } & {
  readonly deps: Placed[];
  readonly scope: Placed[];
  readonly frozen: Placed[];
  readonly checks: DraftCheck[];
  readonly unread: DraftField[];
};

export function newNode(entry: number, line: number | null): NodeInMaking {
  return {
    entry,
    line,
    slug: '',
    title: '',
    spec: '',
    deps: [],
    scope: [],
    checks: [],
    run: null,
    timeout: null,
    retries: 0,
    onCut: 'rerun',
    frozen: [],
    budget: null,
    unread: [],
  };
}

/** Where the parser stands: it moves along, so that nothing is copied until there is something to say. */
export interface Spot {
  readonly notes: Notes;
  readonly entry: number | null;
  slug: string | null;
  line: number | null;
  /** What an entry is called besides its slug: `nodes[3]`, `the plan`. */
  readonly label: string | null;
  readonly unread: DraftField[];
}

export function planSpot(notes: Notes): Spot {
  return { notes, entry: null, slug: null, line: null, label: 'the plan', unread: [] };
}

/** Begins each message: `"parse-csv"`, `nodes[3] "parse-csv"`, `the plan`. */
export function nameOf({ slug, label }: Spot): string {
  return [label, slug === null ? null : quote(slug)].filter((part) => part !== null).join(' ');
}

/** Notes that a field cannot be read, and that its absence is explained. */
export function spoilt(
  spot: Spot,
  field: DraftField,
  about: { witness: string | null; message: string },
): void {
  const { notes, entry, slug, line } = spot;
  spot.unread.push(field);
  fault(notes, 'parse', {
    entry,
    slug,
    line,
    witness: about.witness,
    message: `${nameOf(spot)}: ${about.message}`,
  });
}

/** The value, or `otherwise` and a fault. */
export function taken<T>(
  spot: Spot,
  field: DraftField,
  value: { text: string; read: Read<T>; otherwise: T },
): T {
  const { read } = value;
  if (read.ok) return read.value;
  const { notes, entry, slug, line } = spot;
  spot.unread.push(field);
  fault(notes, read.code, {
    entry,
    slug,
    line,
    witness: value.text,
    message: `${nameOf(spot)}: ${read.message}`,
  });
  return value.otherwise;
}

/** A text that is no plan at all; `notes` say why. */
export function unreadable(notes: Notes): Draft {
  return {
    file: notes.file ?? '',
    objective: '',
    checks: [],
    workspace: null,
    nodes: [],
    unread: [],
    unreadable: true,
    faults: notes.faults,
    warnings: notes.warnings,
  };
}

/** Says so when there are more nodes than a plan may have. */
export function tooManyNodes(notes: Notes, count: number, source: PlanSource): boolean {
  const cap = CAPS[source].nodes;
  if (count <= cap) return false;
  fault(notes, 'too_many', {
    witness: String(count),
    message: `the plan has ${count} nodes, at most ${cap} are allowed: join nodes that belong together`,
  });
  return true;
}
