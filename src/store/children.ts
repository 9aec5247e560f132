/** Processes in flight, so that whoever owns the run next can end what a crash left behind. */

import type Database from 'better-sqlite3';
import { ok } from '../contract/fault.ts';
import type { ChildLog, ChildRow } from '../contract/ports.ts';
import { guarded } from './faults.ts';

export interface Children extends ChildLog {
  /** Stores what was forgotten and not stored yet. */
  flush(): void;
}

export function sqliteChildren(db: Database.Database): Children {
  const insert = db.prepare<[string, number, string, string, string]>(
    'INSERT INTO children (token, pid, start_time, run, key) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = db.prepare<[string]>('DELETE FROM children WHERE token = ?');
  const select = db.prepare<[], ChildRow>(
    'SELECT token, pid, start_time AS startTime, run, key FROM children ORDER BY rowid',
  );
  // A row too many is harmless, because pid and start time name one process for ever. So a forgotten child costs no
  // commit of its own: its row goes with the next one that is written.
  const forgotten = new Set<string>();
  const write = db.transaction((child: ChildRow | null) => {
    for (const token of forgotten) remove.run(token);
    if (child !== null) insert.run(child.token, child.pid, child.startTime, child.run, child.key);
  });
  return {
    record: (child) =>
      guarded(db.name, () => {
        write.immediate(child);
        forgotten.clear();
        return ok(null);
      }),
    forget: (token) => void forgotten.add(token),
    all: () => guarded(db.name, () => ok(select.all().filter(({ token }) => !forgotten.has(token)))),
    flush: () => {
      if (forgotten.size === 0 || !db.open) return;
      const stored = guarded(db.name, () => {
        write.immediate(null);
        return ok(null);
      });
      if (stored.ok) forgotten.clear();
    },
  };
}
