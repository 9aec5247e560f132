/** Opens `journal.db` and its like: made on a first run, refused where it must not be touched, its schema brought up to date. */

import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import { examine, JOURNAL } from './examine.ts';
import type { DatabaseKind } from './examine.ts';
import { guarded } from './faults.ts';
import { loadMigrations, migrate, schemaVersion } from './migrate.ts';
import type { Migrations } from './migrate.ts';

export function journalFile(dir: string): string {
  return join(dir, 'journal.db');
}

/** Milliseconds to wait for another writer. Transactions are short: this long means something is stuck. */
const PATIENCE = 5_000;

export function openJournal(
  dir: string,
  migrations: Migrations = loadMigrations(),
): Result<Database.Database> {
  return openDatabase(journalFile(dir), { kind: JOURNAL, migrations });
}

export interface Opening {
  readonly kind: DatabaseKind;
  readonly migrations: Migrations;
  /** Makes the folder and the file for their owner only. */
  readonly secret?: boolean;
}

export function openDatabase(file: string, opening: Opening): Result<Database.Database> {
  const { kind, migrations, secret = false } = opening;
  const open = (): Result<Database.Database> => {
    mkdirSync(dirname(file), { recursive: true, ...(secret ? { mode: 0o700 } : {}) });
    const look = { file, newest: migrations.length, writable: true, patience: PATIENCE, kind };
    let found = examine(look);
    if (found.ok && found.value.kind === 'missing') {
      create(file, opening);
      found = examine(look);
    }
    if (!found.ok) return found;
    if (found.value.kind === 'missing') return fail(vanished(file));
    found.value.db.close();
    return prepare(new Database(file, { fileMustExist: true, timeout: PATIENCE }), file, opening);
  };
  return guarded(file, open, kind.what);
}

/** For looking only, also while another process writes. Null when there is no journal yet; makes none. */
export function openJournalReader(
  dir: string,
  migrations: Migrations = loadMigrations(),
): Result<Database.Database | null> {
  const file = journalFile(dir);
  return guarded(file, () => {
    const found = examine({ file, newest: migrations.length, writable: false, patience: PATIENCE });
    if (!found.ok) return found;
    if (found.value.kind === 'missing') return ok(null);
    const { db } = found.value;
    if (schemaVersion(db) === migrations.length) return ok(db);
    db.close();
    // Our statements fit the newest schema only, so even a reader has to bring it up to date first.
    const migrated = openJournal(dir, migrations);
    if (!migrated.ok) return migrated;
    migrated.value.close();
    return openJournalReader(dir, migrations);
  });
}

function prepare(
  db: Database.Database,
  file: string,
  { migrations, kind }: Opening,
): Result<Database.Database> {
  const make = (): Result<Database.Database> => {
    const mode: unknown = db.pragma('journal_mode = WAL', { simple: true });
    if (mode !== 'wal') return fail(noWal(file, String(mode)));
    // This build's default in WAL mode is NORMAL, which does not sync at a commit.
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    migrate(db, migrations);
    return ok(db);
  };
  const ready = guarded(file, make, kind.what);
  if (!ready.ok) db.close();
  return ready;
}

/**
 * Made under another name and linked into place when it is whole: a crash in between leaves no half-made journal,
 * and of two processes that make one, the second finds the first's.
 */
function create(file: string, { migrations, kind, secret = false }: Opening): void {
  const draft = `${file}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    const db = new Database(draft);
    try {
      // Before anything stands in it; -wal and -shm are made with the mode of their database.
      if (secret) chmodSync(draft, 0o600);
      db.pragma('synchronous = FULL');
      db.pragma(`application_id = ${kind.application}`);
      migrate(db, migrations);
      db.pragma('journal_mode = WAL');
    } finally {
      db.close();
    }
    linkSync(draft, file);
    syncFolder(dirname(file));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(draft + suffix, { force: true });
  }
}

function syncFolder(dir: string): void {
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function vanished(file: string) {
  return {
    code: 'store_io',
    message: `${file} was made and is gone again. Check what removes files from its folder, then run the command again.`,
  } as const;
}

function noWal(file: string, mode: string) {
  return {
    code: 'store_io',
    message: `${file} cannot be used in write-ahead mode here (it stays in "${mode}"). Put the state directory on a local disk.`,
  } as const;
}
