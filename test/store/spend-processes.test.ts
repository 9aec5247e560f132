/** The record of what was spent, shared by real processes: room for one is had by one, and the dead are charged. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSpend, readSpend } from '../../src/store/spend.ts';
import { startStoreProcess, type StoreProcess } from '../support/store-process.ts';
import { tempDir } from '../support/store-rigs.ts';
import { must } from '../support/store-samples.ts';

// A process takes a second to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let dir: string;
let file: string;
let processes: StoreProcess[];

beforeEach(() => {
  dir = tempDir();
  file = join(dir, 'spend.db');
  processes = [];
});

afterEach(async () => {
  await Promise.all(processes.map((child) => child.kill()));
  rmSync(dir, { recursive: true });
});

async function startReady(count: number): Promise<StoreProcess[]> {
  processes = Array.from({ length: count }, () => startStoreProcess(['spend', dir]));
  for (const child of processes) expect(await child.next()).toBe('ready');
  return processes;
}

interface Said {
  readonly ok: boolean;
  readonly value: { readonly id?: number; readonly refused?: object };
}

async function askAll(all: readonly StoreProcess[], wish: object): Promise<readonly Said[]> {
  for (const child of all) child.tell(JSON.stringify(wish));
  return (await Promise.all(all.map((child) => child.next()))) as Said[];
}

describe('ten processes', () => {
  it('F-23 get room for one once, again and again, the first time on a file that they all make', async () => {
    const all = await startReady(10);
    let spent = 0;
    for (let round = 0; round < 12; round += 1) {
      const said = await askAll(all, { tokens: 60, day: spent + 100 });
      expect(said.every(({ ok }) => ok)).toBe(true);
      const winners = said.filter(({ value }) => value.id !== undefined);
      expect(winners).toHaveLength(1);
      const winner = said.findIndex(({ value }) => value.id !== undefined);
      const settled = await askAll(all.slice(winner, winner + 1), { settle: winners[0]?.value.id, used: 7 });
      expect(settled).toEqual([{ ok: true, value: null }]);
      spent += 7;
    }
    const { day } = must(readSpend(file, 0)) ?? {};
    expect(day).toMatchObject({ spent: { tokens: spent }, reserved: { tokens: 0 } });
  });

  it('reserve no more together than there is, however fast each asks', async () => {
    const all = await startReady(10);
    for (let wave = 0; wave < 20; wave += 1) {
      for (const child of all) child.tell(JSON.stringify({ tokens: 3, day: 100 }));
    }
    const said: Said[] = [];
    for (const child of all) {
      for (let wave = 0; wave < 20; wave += 1) said.push((await child.next()) as Said);
    }
    expect(said.filter(({ value }) => value.id !== undefined)).toHaveLength(33);
    expect(must(readSpend(file, 0))?.day.reserved.tokens).toBe(99);
  });
});

describe('a process that is killed', () => {
  it('is charged what it had reserved, by the next that looks', async () => {
    const [child] = await startReady(1);
    if (child === undefined) throw new Error('no process');
    expect(await askAll([child], { tokens: 60, day: 100 })).toMatchObject([{ value: { id: 1 } }]);
    const book = must(openSpend(file));
    expect(must(book.totals(0)).day).toMatchObject({ spent: { tokens: 0 }, reserved: { tokens: 60 } });
    await child.kill();
    expect(must(book.totals(0)).day).toMatchObject({ spent: { tokens: 60 }, reserved: { tokens: 0 } });
    expect(must(book.totals(0)).day).toMatchObject({ spent: { tokens: 60 }, reserved: { tokens: 0 } });
    book.close();
  });
});
