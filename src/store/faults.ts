/** Turns what SQLite or the file system said into a Fault. Whatever is not theirs is a bug, and is thrown on. */

import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { fail } from '../contract/fault.ts';
import type { Fault, Result } from '../contract/fault.ts';

/**
 * Runs `work`; an error of the disk, or of another process, becomes a fault. `file` is the database it is about, `what`
 * names what it should be.
 */
export function guarded<T>(file: string, work: () => Result<T>, what?: string): Result<T> {
  try {
    return work();
  } catch (error) {
    return fail(storeFault(error, file, what));
  }
}

/** The same for the methods that are promises: a bug rejects instead of escaping the call. */
export function guardedAsync<T>(file: string, work: () => Result<T>): Promise<Result<T>> {
  return new Promise((resolve) => resolve(guarded(file, work)));
}

export function storeFault(error: unknown, file: string, what?: string): Fault {
  if (error instanceof Database.SqliteError) return sqliteFault(error, file, what);
  if (isErrno(error)) return errnoFault(error, file);
  throw error;
}

export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

export function corrupt(file: string, why: string, what = 'a journal'): Fault {
  return {
    code: 'store_corrupt',
    message:
      `${file} cannot be read as ${what}: ${why}. It was left untouched. To start anew, move ${file}, ` +
      `${file}-wal and ${file}-shm aside together.`,
  };
}

export function removed(file: string): Fault {
  return {
    code: 'store_io',
    message:
      `${file} was removed or moved while it was in use, so the last step was not stored. ` +
      `If a command of the plan cleans the workspace, have it spare this folder; then run the plan again.`,
  };
}

export function versionConflict(run: string, expected: number, found: number): Fault {
  return {
    code: 'conflict',
    message:
      `Run ${run} stands at event ${found}, not at ${expected}: another process has written to it, ` +
      `so nothing was stored. Run the command again.`,
  };
}

function sqliteFault(error: InstanceType<typeof Database.SqliteError>, file: string, what?: string): Fault {
  const { code } = error;
  // Extended codes say more (SQLITE_IOERR_FSYNC); their first two words say what kind it is.
  switch (code.split('_', 2).join('_')) {
    case 'SQLITE_FULL':
      return full(file);
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return corrupt(file, error.message, what);
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
    case 'SQLITE_PROTOCOL':
      return {
        code: 'store_io',
        message: `${file} was kept locked by another process (${code}). Try again when that process has ended.`,
      };
    case 'SQLITE_IOERR':
      // A full disk met while syncing, or while growing the -shm file, arrives as an I/O error.
      return noSpaceLeft(file) ? full(file) : unusable(file, `${error.message}, ${code}`);
    case 'SQLITE_READONLY':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_PERM':
      return unusable(file, `${error.message}, ${code}`);
    case 'SQLITE_CONSTRAINT':
      // Any other constraint is broken by our own statement, not by another writer.
      if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
        return conflict(file);
      throw error;
    default:
      throw error;
  }
}

function errnoFault(error: NodeJS.ErrnoException, file: string): Fault {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return full(file);
  return unusable(file, error.message);
}

function full(file: string): Fault {
  return {
    code: 'store_full',
    message: `The disk is full: ${file} could not be written and the last step was not stored. Free some space, then run the command again.`,
  };
}

function unusable(file: string, why: string): Fault {
  return {
    code: 'store_io',
    message: `${file} could not be used (${why}). Check the disk and the permissions of the file and its folder, then run the command again.`,
  };
}

function conflict(file: string): Fault {
  return {
    code: 'conflict',
    message: `Another process wrote to ${file} first, so nothing was stored. Run the command again.`,
  };
}

function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function noSpaceLeft(file: string): boolean {
  try {
    const disk = statfsSync(dirname(file));
    return disk.bavail * disk.bsize < 65_536;
  } catch {
    return false;
  }
}
