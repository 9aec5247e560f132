/** What the memory store can do that a disk cannot be told to: be slow, fail, and lose its process on demand. */

import { describe, expect, it } from 'vitest';
import type { Fate } from '../../src/store/memory-log.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { created, faultOf, must, paused } from '../support/store-samples.ts';

const FULL = { code: 'store_full', message: 'full' } as const;
const batch = { run: 'r', expected: 0, events: [created('r'), paused('x')] };

/** Resolves to whether a promise is settled once everything that can run has run. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise((resolve) => setImmediate(resolve, 'pending'));
  return (await Promise.race([promise, turn])) !== 'pending';
}

describe('the fate of an append', () => {
  it.each([
    [false, 0],
    [true, 2],
  ])('may be a fault (after it took effect: %s)', async (stored, length) => {
    const fates: Fate[] = [{ fault: FULL, stored }];
    const store = memoryStore({ fate: () => fates.pop() ?? 'store' });
    const { log } = store.open();
    expect(faultOf(await log.append(batch))).toEqual(FULL);
    expect(must(await log.read('r'))).toHaveLength(length);
    expect(must(await log.append({ run: 'q', expected: 0, events: [created('q')] }))).toBe(1);
  });

  it.each([
    ['before', 0],
    ['after', 2],
  ] as const)('may be the death of the process %s it took effect', async (crash, length) => {
    const fates: Fate[] = [{ crash }];
    const store = memoryStore({ fate: () => fates.pop() ?? 'store' });
    const dying = store.open();
    must(dying.lease.take('r'));
    expect(await settled(dying.log.append(batch))).toBe(false);
    const next = store.open();
    expect(must(await next.log.read('r'))).toHaveLength(length);
    expect(store.bodies('r')).toHaveLength(length);
    expect(must(next.lease.take('r')).epoch).toBe(2);
  });

  it('may wait for as long as the caller likes; a process that dies meanwhile stores nothing', async () => {
    const releases: (() => void)[] = [];
    const store = memoryStore({
      fate: () => new Promise((resolve) => releases.push(() => resolve('store'))),
    });
    const [slow, dying] = [store.open(), store.open()];
    const first = slow.log.append(batch);
    const second = dying.log.append({ ...batch, run: 'q' });
    expect(await settled(first)).toBe(false);
    expect(store.bodies('r')).toEqual([]);
    dying.kill();
    for (const release of releases) release();
    expect(must(await first)).toBe(2);
    expect(await settled(second)).toBe(false);
    expect(store.bodies('q')).toEqual([]);
  });

  it('is asked for with the batch and the process', async () => {
    const asked: unknown[] = [];
    const store = memoryStore({
      fate: (wanted, pid) => {
        asked.push([wanted.run, pid]);
        return 'store';
      },
    });
    await store.open().log.append(batch);
    await store.open().log.append({ ...batch, run: 'q' });
    expect(asked).toEqual([
      ['r', 1],
      ['q', 2],
    ]);
  });
});

describe('a killed process', () => {
  it('is never answered and changes nothing', async () => {
    const store = memoryStore();
    const dead = store.open();
    must(dead.children.record({ pid: 1, startTime: '1', token: 't', run: 'r', key: 'k' }));
    dead.kill();
    expect(await settled(dead.log.append(batch))).toBe(false);
    expect(await settled(dead.log.read('r'))).toBe(false);
    expect(await settled(dead.inbox.post({ run: 'r', epoch: 1, request: 'q' }))).toBe(false);
    expect(dead.lease.take('r').ok).toBe(false);
    dead.children.forget('t');
    expect(must(store.open().children.all())).toHaveLength(1);
    expect(store.bodies('r')).toEqual([]);
  });
});

describe('an event that could not be read back', () => {
  it('is a bug that shows at the append', async () => {
    const { log } = memoryStore().open();
    const wrong = { type: 'node.achieved', at: 1, node: 'gn-nope' } as const;
    await expect(log.append({ ...batch, events: [created('r'), wrong] })).rejects.toThrow('node');
    expect(must(await log.runs())).toEqual([]);
  });
});
