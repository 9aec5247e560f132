/** What a run has stored, and what it has made: read without the program's help, and without touching either. */

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { RunEvent } from '../../src/contract/event.ts';
import type { RunView } from '../../src/contract/view.ts';

export interface Posted {
  readonly request: string;
  readonly answer: string | null;
  readonly postedAt: number;
}

export interface Journal {
  /** Of the newest run, in order. */
  readonly events: readonly RunEvent[];
  readonly inbox: readonly Posted[];
}

/**
 * `at rest`: from a copy, because opening the file itself would do the recovery that is the next owner's to do.
 * `live`: from the file, because a copy made while somebody writes is torn.
 */
export function readJournal(stateDir: string, state: 'live' | 'at rest'): Journal {
  const file = join(stateDir, 'journal.db');
  if (!existsSync(file)) return { events: [], inbox: [] };
  if (state === 'live') return read(new Database(file, { readonly: true }));
  const folder = mkdtempSync(join(tmpdir(), 'goalgraph-e2e-journal-'));
  try {
    const copy = join(folder, 'journal.db');
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    return read(new Database(copy));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(db: Database.Database): Journal {
  try {
    const events = db
      .prepare<[], string>(
        'SELECT body FROM events WHERE stream = (SELECT stream FROM events ORDER BY seq DESC LIMIT 1) ORDER BY version',
      )
      .pluck()
      .all();
    const inbox = db
      .prepare<[], Posted>('SELECT request, answer, posted_at AS postedAt FROM inbox ORDER BY id')
      .all();
    return { events: events.map((body) => JSON.parse(body) as RunEvent), inbox };
  } finally {
    db.close();
  }
}

/** The events that `--json` has printed. */
export function eventsIn(stdout: string): readonly RunEvent[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunEvent);
}

/** `slug status`, with the reason and the three records: all of a node's end that may be told. */
export function verdicts(view: RunView): readonly string[] {
  const nodes = view.nodes.map(({ slug, status, reason, executed, claimed, verified }) =>
    [slug, status, reason ?? '-', ...[executed, claimed, verified].map((yes) => (yes ? 'yes' : 'no'))].join(
      ' ',
    ),
  );
  return [...nodes, `${view.status} ${view.why ?? '-'}`];
}

/** Every path below a folder with what is in it. `.goalgraph`, and what is named, is left out. */
export function treeOf(folder: string, leftOut: readonly string[] = []): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  const walk = (path: string) => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const inner = path === '' ? name : `${path}/${name}`;
      if (inner === '.goalgraph' || leftOut.includes(inner)) continue;
      const found = lstatSync(join(folder, inner));
      if (found.isDirectory()) {
        tree[inner] = 'folder';
        walk(inner);
      } else {
        const hash = createHash('sha256')
          .update(readFileSync(join(folder, inner)))
          .digest('hex');
        tree[inner] = `${found.mode.toString(8)} ${hash}`;
      }
    }
  };
  walk('');
  return tree;
}
