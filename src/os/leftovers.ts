/** Ends what the last owner of a run had started and could not end, because it died. */

import type { ChildRow } from '../contract/ports.ts';
import { killGroups } from './group-kill.ts';
import { tokensOf } from './processes.ts';

export interface Leftovers {
  /** Rows of which nothing lives any more; they can be forgotten. */
  readonly gone: readonly ChildRow[];
  /** Pids of processes of ours that could not be ended in time. */
  readonly survivors: readonly number[];
  /** Rows of commands that we run inside of; they are left alone. */
  readonly around: readonly ChildRow[];
}

/** For SIGKILL to take effect. */
const DYING = 5_000;

/**
 * A process that merely has the number of a recorded one is never signalled: it must have the recorded start time, or
 * carry the token of the record in its environment.
 */
export async function endLeftovers(rows: readonly ChildRow[], within = DYING): Promise<Leftovers> {
  const ours = new Set(tokensOf(process.pid));
  const around = rows.filter((row) => ours.has(row.token));
  const orphaned = rows.filter((row) => !ours.has(row.token));
  const survivors = await killGroups(
    orphaned.filter((row) => isProcessNumber(row.pid)),
    'all',
    within,
  );
  return { gone: survivors.length === 0 ? orphaned : [], survivors, around };
}

/** A damaged record must not make kill(2) mean everything there is. */
function isProcessNumber(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 1;
}
