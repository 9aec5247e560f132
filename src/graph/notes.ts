/** Collects what parsers and the gate have to say, and puts it into the one order in which it is reported. */

import type { Place, PlanFault, PlanFaultCode, PlanWarning, PlanWarningCode } from '../contract/fault.ts';
import type { Noted } from './draft.ts';

/** What a fault or warning is about; what is left out is null. */
interface About {
  readonly entry?: number | null;
  readonly slug?: string | null;
  readonly line?: number | null;
  readonly message: string;
}

export interface Notes {
  /** Null when what is judged stands in no file: an edit. */
  readonly file: string | null;
  readonly faults: Noted<PlanFault>[];
  readonly warnings: Noted<PlanWarning>[];
}

export function newNotes(file: string | null): Notes {
  return { file, faults: [], warnings: [] };
}

export function fault(
  notes: Notes,
  code: PlanFaultCode,
  about: About & { readonly witness?: string | null },
): void {
  const { entry = null, slug = null, witness = null, message } = about;
  notes.faults.push({ entry, note: { code, slug, place: placeOf(notes, about), witness, message } });
}

export function warn(notes: Notes, code: PlanWarningCode, about: About): void {
  const { entry = null, slug = null, message } = about;
  notes.warnings.push({ entry, note: { code, slug, place: placeOf(notes, about), message } });
}

function placeOf({ file }: Notes, about: About): Place | null {
  return file === null ? null : { file, line: about.line ?? null };
}

const FAULT_ORDER: readonly PlanFaultCode[] = [
  'parse',
  'empty',
  'too_many',
  'bad_slug',
  'duplicate_slug',
  'reserved_slug',
  'empty_field',
  'too_long',
  'unknown_dep',
  'self_dep',
  'cycle',
  'id_collision',
  'no_worker',
  'unverifiable',
  'budget_too_small',
];

/** The plan's own first, then entry by entry, each in the order of the codes; the budget, which counts all, last. */
export function faultsInOrder(notes: Notes): readonly PlanFault[] {
  const entryOf = (noted: Noted<PlanFault>) =>
    noted.note.code === 'budget_too_small' ? Infinity : (noted.entry ?? -1);
  const rank = new Map(FAULT_ORDER.map((code, i) => [code, i]));
  const codeOf = (noted: Noted<PlanFault>) => rank.get(noted.note.code) ?? 0;
  const byEntry = (a: Noted<PlanFault>, b: Noted<PlanFault>) => {
    const [x, y] = [entryOf(a), entryOf(b)];
    return x === y ? codeOf(a) - codeOf(b) : x - y;
  };
  return notes.faults.toSorted(byEntry).map((noted) => noted.note);
}

/** Warnings of one code that are listed one by one; a plan of thousands must not bury the rest. */
const MAX_WARNINGS = 20;

/** In the order of the entries; of each code at most twenty, the last of which counts those left out. */
export function warningsInOrder(notes: Notes): readonly PlanWarning[] {
  const byEntry = notes.warnings.toSorted((a, b) => (a.entry ?? -1) - (b.entry ?? -1));
  const total = new Map<PlanWarningCode, number>();
  for (const { note } of byEntry) total.set(note.code, (total.get(note.code) ?? 0) + 1);
  const seen = new Map<PlanWarningCode, number>();
  return byEntry.flatMap(({ note }) => {
    const nth = (seen.get(note.code) ?? 0) + 1;
    seen.set(note.code, nth);
    const all = total.get(note.code) ?? 0;
    if (nth < MAX_WARNINGS || all === MAX_WARNINGS) return nth <= MAX_WARNINGS ? [note] : [];
    if (nth > MAX_WARNINGS) return [];
    return [
      { ...note, slug: null, place: null, message: `and ${all - nth + 1} more of this kind (${note.code})` },
    ];
  });
}

const MAX_QUOTED = 80;

/** A text of unknown length and content as a message may show it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1)}…` : text);
}

const MAX_LISTED = 6;

/** `a, b, c and 9,997 more`. */
export function list(names: readonly string[]): string {
  const some = names.slice(0, MAX_LISTED).join(', ');
  return names.length <= MAX_LISTED ? some : `${some} and ${names.length - MAX_LISTED} more`;
}
