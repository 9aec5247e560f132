/** Control from another terminal: requests to the owner of a run, and its answers. */

import type Database from 'better-sqlite3';
import { ok } from '../contract/fault.ts';
import type { Inbox, InboxRequest } from '../contract/ports.ts';
import type { Mask } from './encode.ts';
import { guardedAsync } from './faults.ts';
import { pragmaNumber } from './migrate.ts';

/** Stands in the place of the answer of a request that was taken back. No answer is like it: those are JSON. */
export const WITHDRAWN = 'withdrawn';

export interface InboxOptions {
  readonly db: Database.Database;
  readonly mask: Mask | null;
  readonly now: () => number;
}

export function sqliteInbox({ db, mask, now }: InboxOptions): Inbox {
  const post = db
    .prepare<[string, number, string, number], number>(
      'INSERT INTO inbox (run, owner_epoch, request, posted_at) VALUES (?, ?, ?, ?) RETURNING id',
    )
    .pluck();
  const open = db.prepare<[string, number], InboxRequest>(
    'SELECT id, request FROM inbox WHERE run = ? AND owner_epoch = ? AND answer IS NULL ORDER BY id',
  );
  const withdraw = db.prepare<[string, number]>(
    'UPDATE inbox SET answer = ? WHERE id = ? AND answer IS NULL',
  );
  const answer = db.prepare<[number], string | null>('SELECT answer FROM inbox WHERE id = ?').pluck();
  return {
    post: ({ run, epoch, request }) =>
      guardedAsync(db.name, () => {
        const id = post.get(run, epoch, mask === null ? request : mask(request), now());
        if (id === undefined) throw new Error('an insert that returns no id');
        return ok(id);
      }),
    open: (run, epoch) => guardedAsync(db.name, () => ok(open.all(run, epoch))),
    answer: (id) => guardedAsync(db.name, () => ok(answer.get(id) ?? null)),
    withdraw: (id) =>
      guardedAsync(db.name, () =>
        ok(withdraw.run(WITHDRAWN, id).changes === 1 ? null : (answer.get(id) ?? null)),
      ),
    changes: () => {
      try {
        return pragmaNumber(db, 'data_version');
      } catch {
        // Equal to nothing, itself included, so that the caller goes on to `open`, which says what is wrong.
        return NaN;
      }
    },
  };
}
