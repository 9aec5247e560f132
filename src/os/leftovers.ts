/** Ends what the last owner of a run had started and could not end, because it died. */

import type { ChildRow } from '../contract/ports.ts';
import { killGroups } from './group-kill.ts';
import { tokensOf } from './processes.ts';

export interface Leftovers {
  /** Rows of which nothing lives any more; they can be forgotten. */
  readonly gone: readonly ChildRow[];
  /** Pids of processes of ours that could not be ended in time. */
  readonly survivors: readonly number[];
}

/** For SIGKILL to take effect. */
const DYING = 5_000;

/**
 * A process that merely has the number of a recorded one is never signalled: it must have the recorded start time, or
 * carry the token of the record in its environment.
 */
export async function endLeftovers(rows: readonly ChildRow[], within = DYING): Promise<Leftovers> {
  // A command may itself go on with the run that started it; it is then no leftover.
  const ours = new Set(tokensOf(process.pid));
  const orphaned = rows.filter((row) => !ours.has(row.token) && isProcessNumber(row.pid));
  const survivors = await killGroups(orphaned, 'all', within);
  return { gone: survivors.length === 0 ? rows : [], survivors };
}

/** A damaged record must not make kill(2) mean everything there is. */
function isProcessNumber(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 1;
}
