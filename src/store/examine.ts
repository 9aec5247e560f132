/** Looks at what is in the journal's place before anything is written to it. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { fail, ok } from '../contract/fault.ts';
import type { Fault, Result } from '../contract/fault.ts';
import { corrupt, guarded } from './faults.ts';
import { pragmaNumber, schemaVersion } from './migrate.ts';

/** `goal` in ASCII: tells our files from those of other programs. */
export const APPLICATION_ID = 0x676f616c;

/** Up to this size every page is looked at (about 0.8 ms a MB); of a larger file, damage shows when a read meets it. */
const QUICK_CHECK_BYTES = 32 * 1024 * 1024;

export interface DatabaseKind {
  readonly application: number;
  /** In sentences: it cannot be read as … */
  readonly what: string;
}

export const JOURNAL: DatabaseKind = { application: APPLICATION_ID, what: 'a journal' };

export type Found =
  | { readonly kind: 'missing' }
  /** A read-only connection to a sound journal, whose schema may be older than ours. */
  | { readonly kind: 'journal'; readonly db: Database.Database };

export interface Examine {
  readonly file: string;
  /** The schema version of this program. */
  readonly newest: number;
  readonly writable: boolean;
  /** Milliseconds to wait for a lock. */
  readonly patience: number;
  readonly kind?: DatabaseKind;
}

export function examine(options: Examine): Result<Found> {
  const look = (): Result<Found> => {
    const missing = place(options);
    if (!missing.ok) return missing;
    if (missing.value) return ok({ kind: 'missing' });
    return connect(options);
  };
  return guarded(options.file, look, options.kind?.what);
}

/** True when nothing is there. Anything that is there and is not a journal is refused: it is never a first run. */
function place({ file, writable, kind }: Examine): Result<boolean> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) {
    const wal = statSync(`${file}-wal`, { throwIfNoEntry: false });
    if (wal === undefined || wal.size === 0) return ok(true);
    return fail(corrupt(file, 'it is missing, while the -wal file that belongs to it is there', kind?.what));
  }
  if (!stat.isFile()) return fail(corrupt(file, 'it is not a file', kind?.what));
  if (stat.size === 0) return fail(corrupt(file, 'it is empty', kind?.what));
  accessSync(file, writable ? constants.R_OK | constants.W_OK : constants.R_OK);
  return ok(false);
}

/** A read-only connection writes neither the database nor its -wal; the -shm is an index that SQLite rebuilds. */
function connect({ file, newest, patience, kind = JOURNAL }: Examine): Result<Found> {
  const hadWal = existsSync(`${file}-wal`);
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: patience });
  const judge = (): Result<null> => {
    const fault = refusal(db, { file, newest, kind });
    return fault === null ? ok(null) : fail(fault);
  };
  const verdict = guarded(file, judge, kind.what);
  if (verdict.ok) return ok({ kind: 'journal', db });
  db.close();
  if (!hadWal) sweep(file);
  return verdict;
}

function refusal(
  db: Database.Database,
  { file, newest, kind }: Pick<Examine, 'file' | 'newest'> & { readonly kind: DatabaseKind },
): Fault | null {
  if (pragmaNumber(db, 'application_id') !== kind.application) {
    return corrupt(file, 'it is a database of another program', kind.what);
  }
  const version = schemaVersion(db);
  if (version > newest) return newer(file, version, newest);
  if (pragmaNumber(db, 'page_count') * pragmaNumber(db, 'page_size') > QUICK_CHECK_BYTES) return null;
  const check: unknown = db.pragma('quick_check(1)', { simple: true });
  return check === 'ok' ? null : corrupt(file, String(check).replaceAll(/\s+/g, ' '), kind.what);
}

function newer(file: string, version: number, newest: number): Fault {
  return {
    code: 'store_newer',
    message:
      `${file} has schema version ${version}; this goalgraph knows versions up to ${newest}. ` +
      `It was left untouched. Upgrade goalgraph to use it.`,
  };
}

/**
 * Reading a database in WAL mode makes -wal and -shm files. Closing a writable connection takes them away again,
 * under SQLite's own locks; it writes nothing, because there was no -wal to copy back.
 */
function sweep(file: string): void {
  const db = new Database(file, { fileMustExist: true, timeout: 0 });
  try {
    schemaVersion(db);
  } catch {
    // Not a database at all: then nothing was made.
  } finally {
    db.close();
  }
}
