/** All that is kept in a state directory, opened together. */

import { hostname } from 'node:os';
import type Database from 'better-sqlite3';
import { ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { ChildLog, EventLog, Inbox, Lease } from '../contract/ports.ts';
import { sqliteChildren } from './children.ts';
import { PLAIN } from './encode.ts';
import type { Mask } from './encode.ts';
import { guarded } from './faults.ts';
import { sqliteInbox } from './inbox.ts';
import { leaseFile, leaseHolder, sqliteLease } from './lease.ts';
import { openJournal, openJournalReader } from './open.ts';
import { sqliteLog } from './sqlite-log.ts';

export interface Store {
  readonly log: EventLog;
  readonly inbox: Inbox;
  readonly children: ChildLog;
  readonly lease: Lease;
  /** Releases the lease and closes everything. */
  close(): void;
}

/** What one may do without the right to write. */
export interface Reader {
  readonly log: Omit<EventLog, 'append' | 'putBlob'>;
  readonly lease: Pick<Lease, 'holder'>;
  close(): void;
}

export interface StoreOptions {
  /** Takes the secrets out of every text that is stored. */
  readonly mask?: Mask;
  /** Bytes of the largest blob. */
  readonly maxBlob?: number;
  readonly now?: () => number;
}

/** Opens the store of a state directory for driving or for control; makes it if there is none. */
export function openStore(dir: string, options: StoreOptions = {}): Result<Store> {
  const opened = openJournal(dir);
  return opened.ok ? wired(opened.value, (db) => build(dir, db, options)) : opened;
}

/** Opens the store for looking, also while another process drives. Null when there is none; makes none. */
export function openReader(dir: string): Result<Reader | null> {
  const opened = openJournalReader(dir);
  if (!opened.ok) return opened;
  if (opened.value === null) return ok(null);
  return wired(opened.value, (db) => {
    const log = sqliteLog(db, PLAIN);
    return { log, lease: { holder: () => leaseHolder(leaseFile(dir), db) }, close: () => log.close() };
  });
}

/** Preparing the statements reads the schema, so the disk may fail even here. */
function wired<T>(db: Database.Database, build: (db: Database.Database) => T): Result<T> {
  const built = guarded(db.name, () => ok(build(db)));
  if (!built.ok) db.close();
  return built;
}

function build(dir: string, db: Database.Database, options: StoreOptions): Store {
  const { mask = PLAIN.mask, maxBlob = PLAIN.maxBlob, now = Date.now } = options;
  const log = sqliteLog(db, { mask, maxBlob });
  const children = sqliteChildren(db);
  const lease = sqliteLease({ file: leaseFile(dir), journal: db, pid: process.pid, host: hostname(), now });
  return {
    log,
    inbox: sqliteInbox({ db, mask, now }),
    children,
    lease,
    close: () => {
      children.flush();
      lease.release();
      log.close();
    },
  };
}
