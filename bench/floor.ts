/**
 * The floor: what a loop around bare better-sqlite3 costs that makes every node's start and end durable. Two
 * commits a node with synchronous=FULL, each of them the node's new status and an event row. It knows no deps,
 * no rules and no concurrency; nothing that keeps the same promise one node at a time can be much faster.
 */

import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Plan } from '../src/contract/plan.ts';

/** Milliseconds. */
export function runOnFloor(plan: Plan, dir: string): number {
  const db = new Database(join(dir, 'floor.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(`
    CREATE TABLE nodes (place INTEGER PRIMARY KEY, status TEXT NOT NULL) STRICT;
    CREATE TABLE events (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
  `);
  const put = db.prepare(
    'INSERT INTO nodes (place, status) VALUES (?, ?) ON CONFLICT DO UPDATE SET status = excluded.status',
  );
  const insert = db.prepare('INSERT INTO events (body) VALUES (?)');
  const commit = db.transaction((place: number, node: string, status: string) => {
    put.run(place, status);
    insert.run(JSON.stringify({ type: `node.${status}`, at: Date.now(), node, epoch: 0, attempt: 1 }));
  });
  const start = performance.now();
  for (const [place, { id }] of plan.nodes.entries()) {
    commit(place, id, 'started');
    commit(place, id, 'achieved');
  }
  const ms = performance.now() - start;
  db.close();
  return ms;
}
