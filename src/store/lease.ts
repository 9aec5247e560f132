/**
 * The right to drive: an exclusive transaction on `lease.db`, held for the life of the process. The kernel frees it
 * when the process dies, however it dies, so there is no pid, age or host to judge by; those are for the message.
 * Nothing is ever written to `lease.db`, and it must not be opened by other means than SQLite: closing any other
 * descriptor of a file drops the locks that this process has on it.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { fail, ok } from '../contract/fault.ts';
import type { Fault, Result } from '../contract/fault.ts';
import type { Lease, Owner } from '../contract/ports.ts';
import { guarded, isBusy } from './faults.ts';

export function leaseFile(dir: string): string {
  return join(dir, 'lease.db');
}

/** Milliseconds. `holder` of another process locks for an instant; a `take` that meets it waits it out. */
const PATIENCE = 500;

export interface LeaseOptions {
  readonly file: string;
  /** Has the table of owners. */
  readonly journal: Database.Database;
  readonly pid: number;
  readonly host: string;
  readonly now: () => number;
}

export function sqliteLease({ file, journal, pid, host, now }: LeaseOptions): Lease {
  const insert = journal
    .prepare<[string, number, string, number], number>(
      'INSERT INTO owners (run, pid, host, since) VALUES (?, ?, ?, ?) RETURNING epoch',
    )
    .pluck();
  let held: Database.Database | null = null;

  function lock(): Result<Database.Database> {
    return guarded(file, () => {
      const db = new Database(file, { timeout: PATIENCE });
      try {
        db.exec('BEGIN EXCLUSIVE');
        return ok(db);
      } catch (error) {
        db.close();
        if (!isBusy(error)) throw error;
        return fail(owned(newestOwner(journal)));
      }
    });
  }

  return {
    take: (run) => {
      if (held !== null) throw new Error('this process has the lease already');
      const locked = lock();
      if (!locked.ok) return locked;
      const owner = guarded(journal.name, () => {
        const epoch = insert.get(run, pid, host, now());
        if (epoch === undefined) throw new Error('an insert that returns no epoch');
        return ok({ run, pid, host, epoch });
      });
      if (owner.ok) held = locked.value;
      else locked.value.close();
      return owner;
    },
    holder: () => leaseHolder(file, journal),
    release: () => {
      held?.close();
      held = null;
    },
  };
}

/** Reading meets the owner's exclusive lock, and stands in nobody's way for longer than an instant. */
export function leaseHolder(file: string, journal: Database.Database): Result<Owner | null> {
  return guarded(file, () => {
    if (!existsSync(file)) return ok(null);
    const probe = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      probe.pragma('schema_version');
      return ok(null);
    } catch (error) {
      if (!isBusy(error)) throw error;
      return ok(newestOwner(journal));
    } finally {
      probe.close();
    }
  });
}

function newestOwner(journal: Database.Database): Owner | null {
  const newest = journal.prepare<[], Owner>(
    'SELECT run, pid, host, epoch FROM owners ORDER BY epoch DESC LIMIT 1',
  );
  return newest.get() ?? null;
}

export function owned(owner: Owner | null): Fault {
  const who = owner === null ? 'another process' : `process ${owner.pid} on ${owner.host} (run ${owner.run})`;
  return {
    code: 'owned',
    message:
      `This state directory is being driven by ${who}. ` +
      `Look at it with "goalgraph status", or stop it with "goalgraph pause" first.`,
  };
}
