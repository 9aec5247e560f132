/** The journal's beginning, and its schema. */

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal, openJournalReader } from '../../src/store/open.ts';
import { openReader } from '../../src/store/store.ts';
import { tempDir } from '../support/store-rigs.ts';
import { faultOf, must } from '../support/store-samples.ts';

let dir: string;

beforeEach(() => {
  dir = tempDir();
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

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

  it('is synchronous=FULL on every later opening too', () => {
    must(openJournal(dir)).close();
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
