/** What lies in the journal's place and is not a sound journal of ours: refused, and left as it is. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReader, openStore } from '../../src/store/store.ts';
import { bytesOf, crashCopy, overwrite } from '../support/store-files.ts';
import { tempDir } from '../support/store-rigs.ts';
import { created, faultOf, must, paused } from '../support/store-samples.ts';

let dir: string;
let file: string;

beforeEach(() => {
  dir = tempDir();
  file = join(dir, 'journal.db');
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

/** A closed journal with this many pages or more. */
async function makeJournal(blobs = 0): Promise<void> {
  const store = must(openStore(dir));
  must(await store.log.append({ run: 'r', expected: 0, events: [created('r'), paused('a')] }));
  for (let i = 0; i < blobs; i += 1) must(await store.log.putBlob(Buffer.alloc(20_000, i)));
  store.close();
}

/** What can be wrong, how to make it so, and what must be said. */
const BROKEN: readonly (readonly [
  string,
  (blobs: typeof makeJournal) => Promise<void> | void,
  string,
  RegExp,
])[] = [
  ['an empty file', () => writeFileSync(file, ''), 'store_corrupt', /it is empty.*-wal.*-shm/],
  ['a directory', () => mkdirSync(file), 'store_corrupt', /not a file/],
  ['a text file', () => writeFileSync(file, 'hello\n'.repeat(2000)), 'store_corrupt', /not a database/],
  ['a short file', () => writeFileSync(file, 'SQLite format 3\0'), 'store_corrupt', /journal\.db/],
  ['a database of another program', foreign, 'store_corrupt', /another program/],
  ['a -wal file without its database', walOnly, 'store_corrupt', /missing.*-wal/],
  [
    'a corrupt header',
    async (make) => {
      await make();
      overwrite(file, 0, Buffer.alloc(40, 0xaa));
    },
    'store_corrupt',
    /not a database/,
  ],
  [
    'a corrupt page size',
    async (make) => {
      await make();
      overwrite(file, 16, Buffer.from([3, 7]));
    },
    'store_corrupt',
    /journal\.db/,
  ],
  [
    'a corrupt first page',
    async (make) => {
      await make();
      overwrite(file, 100, Buffer.alloc(300, 0xff));
    },
    'store_corrupt',
    /./,
  ],
  [
    'a corrupt page in the middle',
    async (make) => {
      await make(60);
      overwrite(file, middle(), Buffer.alloc(4096, 0x5a));
    },
    'store_corrupt',
    /move .*journal\.db.* aside/,
  ],
  [
    'half of its pages',
    async (make) => {
      await make(60);
      writeFileSync(file, readFileSync(file).subarray(0, middle()));
    },
    'store_corrupt',
    /./,
  ],
  [
    'a newer schema',
    async (make) => {
      await make();
      setVersion(999);
    },
    'store_newer',
    /version 999;.*up to 1\..*Upgrade/,
  ],
  [
    'a newer schema that is in the -wal only',
    async (make) => {
      await make();
      walVersion(999);
    },
    'store_newer',
    /999/,
  ],
];

function middle(): number {
  return Math.floor(statSync(file).size / 8192) * 4096;
}

function foreign(): void {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE t (a); PRAGMA user_version = 1');
  db.close();
}

function walOnly(): void {
  writeFileSync(`${file}-wal`, Buffer.alloc(5000, 1));
}

function setVersion(version: number): void {
  const db = new Database(file);
  db.pragma(`user_version = ${version}`);
  db.close();
}

/** As left by a crash: the commit is in the -wal and not in the database yet. */
function walVersion(version: number): void {
  const db = new Database(file);
  db.pragma(`user_version = ${version}`);
  crashCopy(dir, join(dir, 'copy'));
  db.close();
  for (const name of readdirSync(dir).filter((name) => name !== 'copy')) rmSync(join(dir, name));
  for (const name of readdirSync(join(dir, 'copy'))) copyFileSync(join(dir, 'copy', name), join(dir, name));
  rmSync(join(dir, 'copy'), { recursive: true });
}

describe('what is not a journal of ours is refused and left as it is', () => {
  it.each(BROKEN)('%s', async (_name, make, code, message) => {
    await make(makeJournal);
    const before = bytesOf(dir);
    for (const open of [openStore, openReader]) {
      const fault = faultOf<unknown>(open(dir));
      expect(fault.code).toBe(code);
      expect(fault.message).toMatch(message);
      expect(fault.message).toContain(file);
      expect(bytesOf(dir)).toEqual(before);
    }
    expect(existsSync(`${file}-shm`) && before['journal.db-wal'] === undefined).toBe(false);
  });

  it('a link to nowhere', () => {
    symlinkSync(join(dir, 'nowhere'), file);
    expect(faultOf(openStore(dir)).code).toBe('store_io');
    expect(readdirSync(dir)).toEqual(['journal.db']);
  });

  it('a file in place of the directory', () => {
    writeFileSync(file, 'text');
    expect(faultOf(openStore(file)).code).toBe('store_io');
    expect(readFileSync(file, 'utf8')).toBe('text');
  });

  it('damage in a large journal, once a read meets it', async () => {
    const store = must(openStore(dir));
    const addresses: string[] = [];
    for (let i = 0; i < 34; i += 1)
      addresses.push(must(await store.log.putBlob(Buffer.alloc(1024 * 1024, i))));
    store.close();
    overwrite(file, middle(), Buffer.alloc(4096, 0x5a));
    const again = must(openStore(dir));
    const codes = new Set<string>();
    for (const address of addresses) {
      const read = await again.log.getBlob(address);
      if (!read.ok) codes.add(read.fault.code);
    }
    expect([...codes]).toEqual(['store_corrupt']);
    again.close();
  });
});

describe('a text that is not what was stored', () => {
  it('is damage, not an answer', async () => {
    const store = must(openStore(dir));
    const address = must(await store.log.putBlob(Buffer.from('true')));
    const db = new Database(file);
    db.prepare('UPDATE blobs SET body = ?').run(Buffer.from('TRUE'));
    db.close();
    expect(faultOf(await store.log.getBlob(address)).code).toBe('store_corrupt');
    store.close();
  });
});
