/** The journal on SQLite. The connection is shared with the inbox and the children, see `store.ts`. */

import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { fail, ok } from '../contract/fault.ts';
import type { RunEvent } from '../contract/event.ts';
import type { Result } from '../contract/fault.ts';
import type { Append, EventLog, InboxAnswer, RunRow } from '../contract/ports.ts';
import { sha256 } from '../os/hash.ts';
import { encodeAnswers, encodeBatch, encodeBlob } from './encode.ts';
import type { Encoding, NewRow } from './encode.ts';
import { corrupt, guardedAsync, removed, versionConflict } from './faults.ts';
import { WITHDRAWN } from './inbox.ts';
import { readRow, readRows } from './read.ts';
import type { EventRow } from './read.ts';

export function sqliteLog(db: Database.Database, encoding: Encoding): EventLog {
  const file = db.name;
  const store = appender(db);
  const sql = statements(db);
  const opened = identity(file);
  return {
    append: (batch) =>
      guardedAsync(file, () => {
        // SQLite would go on writing to a file that has no name any more, and all of it would be lost.
        if (identity(file) !== opened) return fail(removed(file));
        const rows = encodeBatch(batch, encoding);
        return store(batch, rows, encodeAnswers(batch, encoding));
      }),
    read: (run, after = 0) => guardedAsync(file, () => readRows(run, after, sql.events.iterate(run, after))),
    runs: () => guardedAsync(file, () => ok(sql.runs.all())),
    lifecycle: (run) =>
      guardedAsync<RunEvent | null>(file, () => {
        const row = sql.lifecycle.get(run);
        return row === undefined ? ok(null) : readRow(run, row);
      }),
    putBlob: (bytes) =>
      guardedAsync(file, () => {
        const { address, body } = encodeBlob(bytes, encoding);
        sql.putBlob.run(address, body);
        return ok(address);
      }),
    getBlob: (address) =>
      guardedAsync(file, () => {
        const body = sql.getBlob.get(address);
        if (body === undefined) return ok(null);
        if (sha256(body) !== address) return fail(corrupt(file, `the text ${address} is damaged`));
        return ok(new Uint8Array(body));
      }),
    close: () => void db.close(),
  };
}

/** Tells a file from every other that may come into its place. */
function identity(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev} ${stat.ino}`;
}

type Store = (batch: Append, rows: readonly NewRow[], answers: readonly InboxAnswer[]) => Result<number>;

function appender(db: Database.Database): Store {
  const head = db
    .prepare<[string], number>('SELECT coalesce(max(version), 0) FROM events WHERE stream = ?')
    .pluck();
  const insert = db.prepare<[string, number, string, number, number, string]>(
    'INSERT INTO events (stream, version, type, at, v, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const answer = db.prepare<[string, number, string]>(
    'UPDATE inbox SET answer = ? WHERE id = ? AND (answer IS NULL OR answer = ?)',
  );
  // Where each stream stood after our last commit. If that is what the caller expects, there is no need to look:
  // another writer's event would stand in the place of the next one, and unique(stream, version) refuses that.
  const heads = new Map<string, number>();
  const store: Store = ({ run, expected }, rows, answers) => {
    if (rows.length === 0 || heads.get(run) !== expected) {
      const found = head.get(run) ?? 0;
      if (found !== expected) return fail(versionConflict(run, expected, found));
    }
    let version = expected;
    for (const row of rows) insert.run(run, (version += 1), row.type, row.at, row.v, row.body);
    for (const { id, answer: text } of answers) {
      if (answer.run(text, id, WITHDRAWN).changes !== 1)
        throw new Error(`request ${id} has no open place for an answer`);
    }
    return ok(version);
  };
  const transaction = db.transaction(store);
  return (batch, rows, answers) => {
    const stored = transaction.immediate(batch, rows, answers);
    if (stored.ok) heads.set(batch.run, stored.value);
    return stored;
  };
}

function statements(db: Database.Database) {
  return {
    events: db.prepare<[string, number], EventRow>(
      'SELECT version, type, v, body FROM events WHERE stream = ? AND version > ? ORDER BY version',
    ),
    // Every stream begins with `run.created`, so the index on lifecycle events holds all of them. It is named, because
    // the planner would rather read every event; without it, these two statements do not compile.
    runs: db.prepare<[], RunRow>(
      `SELECT stream AS run, at AS createdAt,
              (SELECT max(version) FROM events AS other WHERE other.stream = first.stream) AS version
         FROM events AS first INDEXED BY events_lifecycle
        WHERE type GLOB 'run.*' AND version = 1 ORDER BY seq DESC`,
    ),
    lifecycle: db.prepare<[string], EventRow>(
      `SELECT version, type, v, body FROM events INDEXED BY events_lifecycle
        WHERE stream = ? AND type GLOB 'run.*' ORDER BY version DESC LIMIT 1`,
    ),
    putBlob: db.prepare<[string, Buffer]>(
      'INSERT INTO blobs (address, body) VALUES (?, ?) ON CONFLICT DO NOTHING',
    ),
    getBlob: db.prepare<[string], Buffer>('SELECT body FROM blobs WHERE address = ?').pluck(),
  };
}
