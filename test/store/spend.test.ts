/** The record of what all runs have spent: what is reserved and paid, whose day it is, and what is refused. */

import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_CEILINGS, type CeilingSettings } from '../../src/contract/ceiling.ts';
import { openSpend, readSpend, type Spend, type SpendOptions } from '../../src/store/spend.ts';
import { openStore } from '../../src/store/store.ts';
import { tempDir } from '../support/store-rigs.ts';
import { faultOf, must } from '../support/store-samples.ts';

let dir: string;
let file: string;
let open: Spend[];

beforeEach(() => {
  dir = tempDir();
  file = join(dir, 'state', 'goalgraph', 'spend.db');
  open = [];
});

afterEach(() => {
  for (const spend of open) spend.close();
  rmSync(dir, { recursive: true });
});

function spend(options: SpendOptions = {}): Spend {
  const opened = must(openSpend(file, options));
  open.push(opened);
  return opened;
}

/** As the local clock has it. */
const at = (month: number, day: number, hour = 12) => new Date(2026, month - 1, day, hour).getTime();
const NOON = at(11, 30);

function tokensOf(day: number | null, month: number | null = null): CeilingSettings {
  return { day: { tokens: day, cost: null }, month: { tokens: month, cost: null } };
}

function reserve(book: Spend, tokens: number, ceilings: CeilingSettings, when = NOON, cost = 0) {
  return must(book.reserve({ at: when, run: 'r', tokens, cost, ceilings }));
}

function idOf(reserved: ReturnType<typeof reserve>): number {
  if (!('id' in reserved)) throw new Error('it is refused');
  return reserved.id;
}

function tokens(book: Spend, when = NOON): readonly number[] {
  const { day, month } = must(book.totals(when));
  return [day.spent.tokens, day.reserved.tokens, month.spent.tokens, month.reserved.tokens];
}

describe('a reservation', () => {
  it('is refused where it does not fit beside what is spent and reserved, and nothing changes', () => {
    const book = spend();
    const first = idOf(reserve(book, 60, tokensOf(100)));
    must(book.settle(first, { tokens: 30, cost: 7 }));
    idOf(reserve(book, 50, tokensOf(100)));
    const refused = { which: 'day', unit: 'tokens', limit: 100, spent: 30, reserved: 50, need: 21 };
    expect(reserve(book, 21, tokensOf(100))).toEqual({ refused });
    expect(tokens(book)).toEqual([30, 50, 30, 50]);
    expect(reserve(book, 20, tokensOf(100))).toHaveProperty('id');
  });

  it('counts what was used when it ends, more than reserved included; once', () => {
    const book = spend();
    const id = idOf(reserve(book, 60, NO_CEILINGS));
    must(book.settle(id, { tokens: 75, cost: 9 }));
    must(book.settle(id, { tokens: 75, cost: 9 }));
    must(book.release(id));
    must(book.settle(999, { tokens: 75, cost: 9 }));
    expect(tokens(book)).toEqual([75, 0, 75, 0]);
    expect(must(book.totals(NOON)).day.spent.cost).toBe(9);
  });

  it('that is released is as if it had never been', () => {
    const book = spend();
    must(book.release(idOf(reserve(book, 60, NO_CEILINGS))));
    expect(tokens(book)).toEqual([0, 0, 0, 0]);
  });

  it('counts for the day that the clock shows when it is made, however late it ends', () => {
    const book = spend();
    const late = at(11, 30, 23);
    const id = idOf(reserve(book, 60, tokensOf(100), late));
    const next = at(12, 1, 0);
    expect(reserve(book, 100, tokensOf(100, 100), next)).toHaveProperty('id');
    must(book.settle(id, { tokens: 50, cost: 0 }));
    expect(tokens(book, late)).toEqual([50, 0, 50, 0]);
    expect(tokens(book, next)).toEqual([0, 100, 0, 100]);
  });

  it('counts in a month with all of its days, and in no other', () => {
    const book = spend();
    for (const day of [1, 15, 30]) {
      const id = idOf(reserve(book, 30, tokensOf(40, 100), at(11, day)));
      must(book.settle(id, { tokens: 30, cost: 0 }));
    }
    expect(reserve(book, 11, tokensOf(40, 100), at(11, 29))).toMatchObject({
      refused: { which: 'month', spent: 90 },
    });
    expect(reserve(book, 11, tokensOf(40, 100), at(12, 1))).toHaveProperty('id');
    expect(reserve(book, 11, tokensOf(40, 100), at(10, 31))).toHaveProperty('id');
  });

  it('of money is refused by money, and one that costs nothing is not', () => {
    const book = spend();
    const ceilings = { ...NO_CEILINGS, month: { tokens: null, cost: 1_000 } };
    must(book.settle(idOf(reserve(book, 5, ceilings, NOON, 900)), { tokens: 5, cost: 1_200 }));
    expect(reserve(book, 5, ceilings, NOON, 1)).toMatchObject({ refused: { unit: 'cost', spent: 1_200 } });
    expect(reserve(book, 5, ceilings, NOON, 0)).toHaveProperty('id');
  });

  it('says what lasts before what only waits', () => {
    const book = spend();
    idOf(reserve(book, 90, NO_CEILINGS));
    expect(reserve(book, 60, tokensOf(50, 100))).toMatchObject({ refused: { which: 'day' } });
    expect(reserve(book, 60, tokensOf(80, 100))).toMatchObject({ refused: { which: 'month' } });
  });
});

describe('a process that died', () => {
  const me = { pid: 7, startTime: 'then' };

  it('is charged all that it had reserved, and is put right if it was not dead', () => {
    const living = new Set(['then']);
    const isAlive = ({ startTime }: { startTime: string }) => living.has(startTime);
    const book = spend({ who: me, isAlive });
    const id = idOf(reserve(book, 60, NO_CEILINGS));
    expect(tokens(book)).toEqual([0, 60, 0, 60]);
    living.clear();
    expect(must(readSpend(file, NOON, { isAlive }))?.day).toMatchObject({
      spent: { tokens: 60 },
      reserved: { tokens: 0 },
    });
    const other = spend({ isAlive });
    expect(reserve(other, 41, tokensOf(100))).toMatchObject({ refused: { spent: 60, reserved: 0 } });
    expect(tokens(other)).toEqual([60, 0, 60, 0]);
    must(book.settle(id, { tokens: 12, cost: 0 }));
    expect(tokens(other)).toEqual([12, 0, 12, 0]);
  });

  it('is told by its start, not by its number alone', () => {
    const book = spend({ who: { pid: process.pid, startTime: 'another' } });
    idOf(reserve(book, 60, NO_CEILINGS));
    expect(tokens(book)).toEqual([60, 0, 60, 0]);
  });
});

describe('the file', () => {
  it('is its owner’s only, and so is its folder', () => {
    const book = spend();
    idOf(reserve(book, 60, NO_CEILINGS));
    const modes = ['', '-wal', '-shm'].map((end) => statSync(file + end).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  });

  it('is not made by a look', () => {
    expect(must(readSpend(file, NOON))).toBeNull();
    expect(existsSync(join(dir, 'state'))).toBe(false);
  });

  it('is in write-ahead mode', () => {
    spend().close();
    const db = new Database(file);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    db.close();
  });

  it('of a newer goalgraph is refused', () => {
    spend().close();
    const db = new Database(file);
    db.pragma('user_version = 2');
    db.close();
    expect(faultOf(openSpend(file))).toMatchObject({
      code: 'store_newer',
      message: expect.stringContaining('Upgrade goalgraph') as string,
    });
    expect(faultOf(readSpend(file, NOON)).code).toBe('store_newer');
  });

  it.each([
    ['no database', () => writeFileSync(file, 'hello\n'.repeat(2_000))],
    ['empty', () => writeFileSync(file, '')],
    ['a folder', () => mkdirSync(file)],
  ])('that is %s is refused, and left as it is', (_, spoil) => {
    mkdirSync(join(file, '..'), { recursive: true });
    spoil();
    for (const fault of [faultOf(openSpend(file)), faultOf(readSpend(file, NOON))]) {
      expect(fault.code).toBe('store_corrupt');
      expect(fault.message).toMatch(/cannot be read as a record of what was spent: .*move .*aside/);
    }
  });

  it('is never a journal in its place', () => {
    must(openStore(join(file, '..'))).close();
    const journal = join(file, '..', 'journal.db');
    expect(faultOf(openSpend(journal)).message).toContain('another program');
  });

  it('has the schema that is in the golden file', async () => {
    spend().close();
    const db = new Database(file, { readonly: true });
    const sql = db
      .prepare<[], string>(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY rowid",
      )
      .pluck();
    const dump = `PRAGMA user_version = ${String(db.pragma('user_version', { simple: true }))};\n\n${sql.all().join(';\n\n')};\n`;
    db.close();
    await expect(dump).toMatchFileSnapshot('../golden/schema-spend.sql');
  });
});

type Move =
  | { readonly do: 'reserve'; readonly who: number; readonly tokens: number; readonly hours: number }
  | { readonly do: 'settle' | 'release'; readonly call: number; readonly part: number }
  | { readonly do: 'die'; readonly who: number };

const MOVES = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('reserve' as const),
      who: fc.nat(3),
      tokens: fc.integer({ min: 1, max: 60 }),
      hours: fc.nat(5),
    }),
    fc.record({
      do: fc.constantFrom('settle' as const, 'release' as const),
      call: fc.nat(40),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    fc.record({ do: fc.constant('die' as const), who: fc.nat(3) }),
  ),
  { maxLength: 40 },
);

describe('any order of calls that use no more than they reserved', () => {
  it('never passes a ceiling with what is spent and reserved, and never loses anything that was spent', () => {
    let nth = 0;
    fc.assert(
      fc.property(MOVES, (moves) => {
        file = join(dir, `spend-${nth++}.db`);
        play(moves);
      }),
      { numRuns: 60 },
    );
  });

  function play(moves: readonly Move[]): void {
    const ceilings = tokensOf(100, 230);
    const dead = new Set<number>();
    const isAlive = ({ pid }: { pid: number }) => !dead.has(pid);
    const books = [0, 1, 2, 3].map((pid) => spend({ who: { pid, startTime: '' }, isAlive }));
    const calls: { id: number; who: number; tokens: number; day: number }[] = [];
    const spentOn = new Map<number, number>();
    let now = at(11, 28);
    const pay = (day: number, amount: number) => spentOn.set(day, (spentOn.get(day) ?? 0) + amount);
    const dayOf = (when: number) => new Date(when).setHours(0, 0, 0, 0);
    for (const move of moves) {
      if (move.do === 'reserve') {
        now += move.hours * 3_600_000;
        if (dead.has(move.who)) continue;
        const reserved = reserve(books[move.who] as Spend, move.tokens, ceilings, now);
        const day = dayOf(now);
        if ('id' in reserved) calls.push({ id: reserved.id, who: move.who, tokens: move.tokens, day });
      } else if (move.do === 'die') {
        dead.add(move.who);
        for (const call of calls.filter(({ who }) => who === move.who)) {
          pay(call.day, call.tokens);
          calls.splice(calls.indexOf(call), 1);
        }
      } else {
        const [call] = calls.splice(move.call % Math.max(1, calls.length), 1);
        if (call === undefined) continue;
        const used = move.do === 'release' ? 0 : Math.floor(call.tokens * move.part);
        must((books[call.who] as Spend).settle(call.id, { tokens: used, cost: 0 }));
        pay(call.day, used);
      }
      const living = books.find((_, pid) => !dead.has(pid)) ?? spend({ isAlive });
      const [spent = 0, reserved = 0, spentMonth = 0, reservedMonth = 0] = tokens(living, now);
      expect(spent + reserved).toBeLessThanOrEqual(100);
      expect(spentMonth + reservedMonth).toBeLessThanOrEqual(230);
      expect(spent).toBe(spentOn.get(dayOf(now)) ?? 0);
      const underWay = calls.filter(({ day }) => day === dayOf(now));
      expect(reserved).toBe(underWay.reduce((sum, call) => sum + call.tokens, 0));
    }
    for (const book of open.splice(0)) book.close();
  }
});
