/** What lies in the journal's place: nothing, a journal, something else, something broken. */

import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openJournal, openJournalReader } from '../../src/store/open.ts';
import { openReader, openStore } from '../../src/store/store.ts';
import { startStoreProcess } from '../support/store-process.ts';
import { tempDir } from '../support/store-rigs.ts';
import { created, faultOf, must, paused } from '../support/store-samples.ts';

// A process takes a second to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

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

/** Names, and hashes of what is in them; the -shm is an index that SQLite may rebuild at any time. */
function bytesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      const hash = statSync(path).isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : 'folder';
      return [name, hash];
    }),
  );
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const handle = openSync(path, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
}

describe('a first run', () => {
  it('makes the directory and a durable journal in write-ahead mode', () => {
    const db = must(openJournal(join(dir, 'a', 'b')));
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    // 2 is FULL: without it, a commit is not on the disk when it returns.
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    db.close();
    expect(readdirSync(join(dir, 'a', 'b'))).toEqual(['journal.db']);
  });

  it('is synchronous=FULL on every later opening too', async () => {
    await makeJournal();
    const db = must(openJournal(dir));
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    db.close();
  });

  it('is not made by a reader', () => {
    expect(must(openReader(dir))).toBeNull();
    expect(must(openReader(join(dir, 'nowhere')))).toBeNull();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('makes the schema that is in the golden file', async () => {
    const db = must(openJournal(dir));
    const sql = db
      .prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
      .pluck();
    const dump = `PRAGMA user_version = ${String(db.pragma('user_version', { simple: true }))};\n\n${sql.all().join(';\n\n')};\n`;
    await expect(dump).toMatchFileSnapshot('../golden/schema.sql');
    db.close();
  });
});

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

/** What a crash at this moment would leave on the disk, or a part of its -wal. */
function crashCopy(from: string, to: string, walBytes = Infinity): void {
  mkdirSync(to);
  copyFileSync(join(from, 'journal.db'), join(to, 'journal.db'));
  writeFileSync(join(to, 'journal.db-wal'), readFileSync(join(from, 'journal.db-wal')).subarray(0, walBytes));
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

describe('what may not be read or written', () => {
  /** What a process that is not root, whoever runs the tests, is told. */
  async function askDenied(): Promise<unknown> {
    const child = startStoreProcess(['denied', dir]);
    const said = await child.next();
    await child.kill();
    return said;
  }

  /** The same of a journal with these permissions, which must come out of it as it went in. */
  async function askDeniedFile(mode: number): Promise<unknown> {
    await makeJournal();
    const before = bytesOf(dir);
    chmodSync(dir, 0o777);
    chmodSync(file, mode);
    const said = await askDenied();
    chmodSync(file, 0o600);
    expect(bytesOf(dir)).toMatchObject(before);
    return said;
  }

  it('an unreadable journal is not a first run', async () => {
    const refused = { ok: false, code: 'store_io', message: expect.stringContaining(file) as string };
    expect(await askDeniedFile(0)).toEqual({ openStore: refused, openReader: refused });
    expect(readdirSync(dir)).toEqual(['journal.db']);
  });

  it('a read-only journal is not opened for driving; a reader needs no more', async () => {
    expect(await askDeniedFile(0o444)).toEqual({
      openStore: { ok: false, code: 'store_io', message: expect.stringContaining('EACCES') as string },
      openReader: { ok: true },
    });
  });

  it('a directory without a journal where none can be made', async () => {
    chmodSync(dir, 0o555);
    expect(await askDenied()).toMatchObject({ openStore: { code: 'store_io' }, openReader: { ok: true } });
    chmodSync(dir, 0o755);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('a directory that may not be looked into', async () => {
    await makeJournal();
    chmodSync(dir, 0o600);
    const refused = { ok: false, code: 'store_io' };
    expect(await askDenied()).toMatchObject({ openStore: refused, openReader: refused });
    chmodSync(dir, 0o700);
  });
});

describe('a full disk', () => {
  it('refuses, keeps what it acknowledged, and goes on once there is space', async () => {
    const mine = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
    const child = startStoreProcess(['full', dir], ['unshare', ...mine]);
    const said = (await child.next()) as { opening: { ok: boolean; code: string } };
    expect(said.opening).toMatchObject({ ok: false, code: 'store_full' });
    expect(await child.next()).toMatchObject({
      codes: ['store_full', 'store_full', 'store_full'],
      blob: { ok: false, code: 'store_full' },
      child: { ok: false, code: 'store_full' },
    });
    await child.kill();
  });
});

describe('a -wal that was torn', () => {
  it('opens with whole batches, the ones that were complete, and goes on', async () => {
    const live = join(dir, 'live');
    const store = must(openStore(live));
    const ends = [0];
    for (let batch = 0; batch < 12; batch += 1) {
      const expected = ends.at(-1) ?? 0;
      const events = Array.from({ length: 1 + (batch % 4) }, (_, i) =>
        expected + i === 0 ? created('r') : paused('x'.repeat(700 * batch)),
      );
      ends.push(must(await store.log.append({ run: 'r', expected, events })));
    }
    const size = statSync(join(live, 'journal.db-wal')).size;
    let copies = 0;
    const lengths = new Set<number>();
    const tear = async (bytes: number, flip: boolean) => {
      const torn = join(dir, `torn${(copies += 1)}`);
      crashCopy(live, torn, flip ? size : bytes);
      if (flip) overwrite(join(torn, 'journal.db-wal'), bytes, Buffer.alloc(8, 0xa5));
      const opened = must(openStore(torn));
      const events = must(await opened.log.read('r'));
      expect(ends).toContain(events.length);
      lengths.add(events.length);
      const expected = events.length;
      const next = expected === 0 ? created('r') : paused('after');
      expect(must(await opened.log.append({ run: 'r', expected, events: [next] }))).toBe(expected + 1);
      opened.close();
      rmSync(torn, { recursive: true });
    };
    const property = fc.asyncProperty(fc.nat({ max: size - 8 }), fc.boolean(), tear);
    await fc.assert(property, {
      numRuns: 60,
      examples: [
        [0, false],
        [31, false],
        [size - 8, false],
      ],
    });
    expect(lengths.size).toBeGreaterThan(5);
    store.close();
  });
});

describe('migrations', () => {
  const first = 'CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)';
  const second = 'ALTER TABLE a ADD COLUMN y INTEGER NOT NULL DEFAULT 7';

  it('bring an older journal up to date, each once, also when a reader comes first', () => {
    must(openJournal(dir, [first])).close();
    const reader = must(openJournalReader(dir, [first, second]));
    expect(reader?.prepare('SELECT x, y FROM a').all()).toEqual([{ x: 1, y: 7 }]);
    reader?.close();
    const db = must(openJournal(dir, [first, second]));
    expect(db.prepare('SELECT x, y FROM a').all()).toEqual([{ x: 1, y: 7 }]);
    expect(db.pragma('user_version', { simple: true })).toBe(2);
    db.close();
    expect(faultOf(openJournal(dir, [first])).code).toBe('store_newer');
  });

  it('that fail change nothing, neither the schema nor its version', () => {
    must(openJournal(dir, [first])).close();
    const broken = `${second}; NOT SQL`;
    expect(() => openJournal(dir, [first, broken])).toThrow();
    const db = must(openJournal(dir, [first]));
    expect(db.prepare('SELECT * FROM a').all()).toEqual([{ x: 1 }]);
    db.close();
  });

  it('that fail on a first run leave nothing behind', () => {
    expect(() => openJournal(dir, ['NOT SQL'])).toThrow();
    expect(readdirSync(dir)).toEqual([]);
  });
});
