/** What needs more than one process: crashes, two writers, the lease, the inbox. */

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventLog } from '../../src/contract/ports.ts';
import { openReader, openStore } from '../../src/store/store.ts';
import { startStoreProcess } from '../support/store-process.ts';
import type { StoreProcess } from '../support/store-process.ts';
import { tempDir } from '../support/store-rigs.ts';
import { created, faultOf, must } from '../support/store-samples.ts';

// A process takes a second to start on a busy machine, and these tests start up to twenty.
vi.setConfig({ testTimeout: 120_000 });

let dir: string;
let processes: StoreProcess[];

beforeEach(() => {
  dir = tempDir();
  processes = [];
});

afterEach(async () => {
  await Promise.all(processes.map((child) => child.kill()));
  rmSync(dir, { recursive: true });
});

function start(...args: readonly string[]): StoreProcess {
  const child = startStoreProcess(args);
  processes.push(child);
  return child;
}

async function startReady(count: number, args: (i: number) => readonly string[]): Promise<StoreProcess[]> {
  const all = Array.from({ length: count }, (_, i) => start(...args(i)));
  for (const child of all) expect(await child.next()).toBe('ready');
  return all;
}

/** So that the kill does not always meet what the child does right after it has said something. */
function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function versionOf(line: unknown): number {
  return (line as { version: number }).version;
}

describe('a writer that is killed', () => {
  it('leaves every event it was told is stored, and no half batch', async () => {
    let before = 0;
    for (let round = 0; round < 8; round += 1) {
      const child = start('write', dir);
      let acknowledged = before;
      for (let i = 0; i < 1 + round * 11; i += 1) acknowledged = versionOf(await child.next());
      spin(round * 0.6);
      await child.kill();
      for (const line of await child.rest()) acknowledged = versionOf(line);
      before = await expectWholeBatches(acknowledged);
    }
    expect(before).toBeGreaterThan(300);
  });

  async function expectWholeBatches(acknowledged: number): Promise<number> {
    const store = must(openStore(dir));
    const events = must(await store.log.read('r')).map(({ event }) => event);
    expect(events.length).toBeGreaterThanOrEqual(acknowledged);
    // The last event of each batch says so, as in `7 3/3`; the first of all is a batch of its own.
    const last = events.at(-1);
    expect(last?.type === 'run.paused' ? last.detail : '0 1/1').toMatch(/^\d+ (\d)\/\1$/);
    must(store.lease.take('r'));
    expect(must(store.children.all()).length).toBeLessThanOrEqual(2);
    for (const { token } of must(store.children.all())) store.children.forget(token);
    store.close();
    return events.length;
  }
});

describe('two writers of one run', () => {
  it('never overwrite each other: one of them is refused', async () => {
    const store = must(openStore(dir));
    must(await store.log.append({ run: 'r', expected: 0, events: [created('r')] }));
    const writers = await startReady(2, (i) => ['contend', dir, `w${i}`, '150']);
    for (const child of writers) child.tell('go');
    const said = await Promise.all(writers.map((child) => child.next()));
    const conflicts = said.map((line) => (line as { conflicts: number }).conflicts);
    expect(Math.max(...conflicts)).toBeGreaterThan(0);
    const details = must(await store.log.read('r')).map(({ event }) => 'detail' in event && event.detail);
    const wanted = ['w0', 'w1'].flatMap((name) => Array.from({ length: 150 }, (_, i) => `${name} ${i}`));
    expect(details.slice(1).sort()).toEqual(wanted.sort());
    store.close();
  });
});

describe('a new state directory', () => {
  it('may be opened by many processes at once: they share one journal', async () => {
    const all = await startReady(4, () => ['open', dir]);
    for (let round = 0; round < 8; round += 1) {
      const fresh = join('new', `state${round}`);
      for (const child of all) child.tell(fresh);
      expect(new Set(await Promise.all(all.map((child) => child.next())))).toEqual(new Set(['done']));
      const store = must(openStore(join(dir, fresh)));
      expect(must(await store.inbox.open('r', 1))).toHaveLength(all.length);
      store.close();
      expect(readdirSync(join(dir, fresh))).toEqual(['journal.db']);
    }
  });
});

describe('the inbox', () => {
  it('loses nothing of 20 processes that post at once', async () => {
    const posters = await startReady(20, (i) => ['post', dir, `p${i}`, '10']);
    const store = must(openStore(dir));
    const before = store.inbox.changes();
    for (const child of posters) child.tell('go');
    const ids = (await Promise.all(posters.map((child) => child.next()))) as number[][];
    expect(store.inbox.changes()).not.toBe(before);
    const open = must(await store.inbox.open('r', 1));
    expect(open.map(({ id }) => id)).toEqual(ids.flat().sort((a, b) => a - b));
    const wanted = ids.flatMap((_, p) => Array.from({ length: 10 }, (__, i) => `p${p} ${i}`));
    expect(open.map(({ request }) => request).sort()).toEqual(wanted.sort());
    store.close();
  });
});

describe('the lease', () => {
  it('is held by a living process however idle, and free the moment it is killed', async () => {
    const [holder] = await startReady(1, () => ['take', dir]);
    holder?.tell('take');
    expect(await holder?.next()).toMatchObject({ ok: true, value: { pid: holder?.pid, epoch: 1 } });
    const store = must(openStore(dir));
    // As if it had been taken in another decade: age does not count.
    const journal = new Database(join(dir, 'journal.db'));
    journal.exec('UPDATE owners SET since = 0');
    journal.close();
    expect(must(store.lease.holder())).toMatchObject({ pid: holder?.pid, run: 'r', epoch: 1 });
    expect(faultOf(store.lease.take('r')).message).toContain(`process ${holder?.pid ?? '?'} on `);
    await holder?.kill();
    expect(must(store.lease.holder())).toBeNull();
    expect(must(store.lease.take('r')).epoch).toBe(2);
    store.close();
  });

  it('is free when the last owner’s pid belongs to a living stranger, or is of another host', () => {
    const store = must(openStore(dir));
    const journal = new Database(join(dir, 'journal.db'));
    const insert = journal.prepare("INSERT INTO owners (run, pid, host, since) VALUES ('r', ?, ?, 0)");
    insert.run(process.ppid, 'here');
    insert.run(1, 'elsewhere');
    journal.close();
    expect(must(store.lease.holder())).toBeNull();
    expect(must(store.lease.take('r')).epoch).toBe(3);
    store.close();
  });

  it('goes to exactly one of many that take it at once, while others ask who has it', async () => {
    const [asking] = await startReady(1, () => ['probe', dir]);
    const takers = await startReady(4, () => ['take', dir]);
    for (let round = 1; round <= 6; round += 1) {
      for (const child of takers) child.tell('take');
      const said = (await Promise.all(takers.map((child) => child.next()))) as {
        ok: boolean;
        code?: string;
      }[];
      expect(said.map(({ ok, code }) => (ok ? 'mine' : code)).sort()).toEqual(
        ['mine', ...Array<string>(3).fill('owned')].sort(),
      );
      const winner = takers[said.findIndex(({ ok }) => ok)];
      winner?.tell('release');
      expect(await winner?.next()).toBe('released');
    }
    asking?.tell('stop');
    expect(await asking?.next()).toHaveProperty('probes');
  });

  it('is never refused because somebody just asks who has it', async () => {
    const asking = await startReady(2, () => ['probe', dir]);
    const store = must(openStore(dir));
    for (let i = 1; i <= 150; i += 1) {
      expect(must(store.lease.take('r')).epoch).toBe(i);
      store.lease.release();
    }
    for (const child of asking) child.tell('stop');
    store.close();
  });
});

describe('a reader', () => {
  it('looks on while another process drives, and sees who that is', async () => {
    expect(must(openReader(dir))).toBeNull();
    const child = start('write', dir);
    const first = versionOf(await child.next());
    const reader = must(openReader(dir));
    if (reader === null) throw new Error('no reader');
    const seen = must(await reader.log.read('r')).length;
    expect(seen).toBeGreaterThanOrEqual(first);
    expect(must(reader.lease.holder())?.pid).toBe(child.pid);
    while (versionOf(await child.next()) <= seen + 20);
    expect(must(await reader.log.read('r')).length).toBeGreaterThan(seen + 20);
    // The type does not offer it; the connection would refuse it all the same.
    const writing = (reader.log as EventLog).append({ run: 'x', expected: 0, events: [created('x')] });
    expect(faultOf(await writing).code).toBe('store_io');
    reader.close();
  });
});
