/** What every EventLog must do with events. Run against each implementation. */

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import type { EventLog } from '../../src/contract/ports.ts';
import type { Store } from '../../src/store/store.ts';
import { anyEvent, created, faultOf, must, paused, plan, planNode } from './store-samples.ts';

/** One empty store; each `open` is one more process that uses it. */
export interface StoreRig {
  open(options?: { readonly mask?: (text: string) => string; readonly maxBlob?: number }): Store;
  /** Closes and removes everything. */
  end(): void;
}

export function eventLogCases(name: string, makeRig: () => StoreRig): void {
  let rig: StoreRig;
  let log: EventLog;
  beforeEach(() => {
    rig = makeRig();
    log = rig.open().log;
  });
  afterEach(() => {
    rig.end();
  });

  describe(`${name}: events`, () => {
    appendCases();
    refusalCases();
    listCases();
    propertyCases();
  });

  async function events(run = 'r', from = log): Promise<readonly RunEvent[]> {
    return must(await from.read(run)).map(({ event }) => event);
  }

  function appendCases(): void {
    it('knows nothing of a run that was never written', async () => {
      expect(must(await log.read('r'))).toEqual([]);
      expect(must(await log.runs())).toEqual([]);
      expect(must(await log.lifecycle('r'))).toBeNull();
    });

    it('gives back what was appended, numbered from 1, byte for byte', async () => {
      const batch = [created('r'), paused('naïve "文件"\n\u0000 \ud800 🙂')];
      expect(must(await log.append({ run: 'r', expected: 0, events: batch }))).toBe(2);
      expect(must(await log.append({ run: 'r', expected: 2, events: [paused('b')] }))).toBe(3);
      const read = must(await log.read('r'));
      expect(read.map(({ version }) => version)).toEqual([1, 2, 3]);
      expect(JSON.stringify(read.map(({ event }) => event))).toBe(JSON.stringify([...batch, paused('b')]));
    });

    it('keeps the order in which the keys of an event were written', async () => {
      const { plan: first, ...rest } = created('r');
      await log.append({ run: 'r', expected: 0, events: [{ plan: first, ...rest }] });
      expect(Object.keys((await events())[0] ?? {})[0]).toBe('plan');
    });

    it('reads on from a version', async () => {
      await log.append({ run: 'r', expected: 0, events: [created('r'), paused('a'), paused('b')] });
      expect(must(await log.read('r', 2))).toEqual([{ version: 3, event: paused('b') }]);
      expect(must(await log.read('r', 3))).toEqual([]);
      expect(must(await log.read('r', 9))).toEqual([]);
    });

    it('shows another process what was appended, at once', async () => {
      const other = rig.open().log;
      await log.append({ run: 'r', expected: 0, events: [created('r')] });
      expect(await events('r', other)).toEqual([created('r')]);
      expect(must(await other.append({ run: 'r', expected: 1, events: [paused('other')] }))).toBe(2);
      expect(await events()).toEqual([created('r'), paused('other')]);
    });

    it('shares no object with the writer or with another reader', async () => {
      const event = { ...paused('a') };
      await log.append({ run: 'r', expected: 0, events: [created('r'), event] });
      Object.assign(event, { detail: 'changed' });
      const [, read] = await events();
      expect(read).toEqual(paused('a'));
      Object.assign(read ?? {}, { detail: 'changed' });
      expect((await events())[1]).toEqual(paused('a'));
    });

    it('stores answers with the events they caused, or with none', async () => {
      const { inbox } = rig.open();
      const ask = { run: 'r', epoch: 1, request: '{}' };
      const [one, two] = [must(await inbox.post(ask)), must(await inbox.post(ask))];
      const answers = [{ id: one, answer: 'yes' }];
      await log.append({ run: 'r', expected: 0, events: [created('r')], answers });
      expect(must(await inbox.answer(one))).toBe('yes');
      expect(must(await inbox.answer(two))).toBeNull();
      const none = { run: 'r', expected: 1, events: [], answers: [{ id: two, answer: 'no' }] };
      expect(must(await log.append(none))).toBe(1);
      expect(must(await inbox.answer(two))).toBe('no');
      expect(await events()).toHaveLength(1);
    });

    it('takes a plan of 10,000 nodes', async () => {
      const nodes = Array.from({ length: 10_000 }, (_, i) => planNode(`n${i}`, { spec: 'x'.repeat(400) }));
      const big = created('r', { plan: plan(nodes) });
      await log.append({ run: 'r', expected: 0, events: [big] });
      expect(await events()).toEqual([big]);
    });
  }

  function refusalCases(): void {
    it.each([0, 1, 3])(
      'refuses a writer who has seen %i of 2 events, and stores nothing',
      async (expected) => {
        await log.append({ run: 'r', expected: 0, events: [created('r'), paused('a')] });
        const late = rig.open();
        const id = must(await late.inbox.post({ run: 'r', epoch: 1, request: '{}' }));
        const answers = [{ id, answer: 'x' }];
        const batch = { run: 'r', expected, events: [created('r'), paused('late')], answers };
        const fault = faultOf(await late.log.append(batch));
        expect(fault.code).toBe('conflict');
        expect(fault.message).toContain('r stands at event 2');
        expect(await events()).toHaveLength(2);
        expect(must(await late.inbox.answer(id))).toBeNull();
        expect(must(await late.log.append({ run: 'r', expected: 2, events: [paused('b')] }))).toBe(3);
      },
    );

    it('refuses a writer who wrote the last event that he knows of, but not the last', async () => {
      const other = rig.open().log;
      await log.append({ run: 'r', expected: 0, events: [created('r'), paused('a')] });
      await other.append({ run: 'r', expected: 2, events: [paused('b')] });
      const { inbox } = rig.open();
      const id = must(await inbox.post({ run: 'r', epoch: 1, request: '{}' }));
      for (const late of [[paused('late'), paused('later')], []]) {
        const answers = [{ id, answer: 'x' }];
        const refused = await log.append({ run: 'r', expected: 2, events: late, answers });
        expect(faultOf(refused).code).toBe('conflict');
      }
      expect(await events()).toEqual([created('r'), paused('a'), paused('b')]);
      expect(must(await inbox.answer(id))).toBeNull();
      expect(must(await log.append({ run: 'r', expected: 3, events: [paused('c')] }))).toBe(4);
    });

    it('takes an answer to an unknown or an answered request for a bug, and stores nothing', async () => {
      const { inbox } = rig.open();
      const id = must(await inbox.post({ run: 'r', epoch: 1, request: '{}' }));
      await log.append({ run: 'r', expected: 0, events: [created('r')], answers: [{ id, answer: 'a' }] });
      for (const wrong of [id, 99]) {
        const answers = [{ id: wrong, answer: 'b' }];
        const batch = { run: 'r', expected: 1, events: [paused('x')], answers };
        await expect(log.append(batch)).rejects.toThrow(`request ${wrong}`);
      }
      expect(await events()).toHaveLength(1);
      expect(must(await inbox.answer(id))).toBe('a');
    });

    it('takes a stream that does not begin with run.created for a bug', async () => {
      await expect(log.append({ run: 'r', expected: 0, events: [paused('a')] })).rejects.toThrow(
        'begins with',
      );
      expect(must(await log.runs())).toEqual([]);
    });

    it.each([NaN, Infinity, -1])('takes a limit of %d for a bug, and stores nothing', async (tokens) => {
      const limits = { tokens, cost: null, maxTime: null, until: null };
      const append = log.append({ run: 'r', expected: 0, events: [created('r', { limits })] });
      await expect(append).rejects.toThrow('tokens');
      expect(must(await log.runs())).toEqual([]);
    });

    it('keeps an unlimited budget unlimited', async () => {
      await log.append({ run: 'r', expected: 0, events: [created('r')] });
      expect((await events())[0]).toHaveProperty('limits.tokens', null);
    });

    it('rejects calls after it was closed', async () => {
      const closing = rig.open();
      closing.close();
      await expect(closing.log.read('r')).rejects.toThrow();
    });
  }

  function listCases(): void {
    it('lists runs, newest first, with their beginning and their length', async () => {
      await log.append({ run: 'b', expected: 0, events: [created('b', { at: 5 })] });
      await log.append({ run: 'a', expected: 0, events: [created('a', { at: 7 }), paused('x')] });
      await log.append({ run: 'b', expected: 1, events: [paused('x'), paused('y')] });
      expect(must(await log.runs())).toEqual([
        { run: 'a', createdAt: 7, version: 2 },
        { run: 'b', createdAt: 5, version: 3 },
      ]);
    });

    it('finds the newest lifecycle event among others', async () => {
      await log.append({ run: 'r', expected: 0, events: [created('r'), paused('x')] });
      const node = planNode('a').id;
      const cleared: RunEvent = { type: 'run.cleared', at: 4 };
      await log.append({ run: 'r', expected: 2, events: [{ type: 'node.skipped', at: 3, node }] });
      expect(must(await log.lifecycle('r'))).toEqual(paused('x'));
      await log.append({ run: 'other', expected: 0, events: [created('other')] });
      await log.append({ run: 'r', expected: 3, events: [cleared, { type: 'node.retried', at: 5, node }] });
      expect(must(await log.lifecycle('r'))).toEqual(cleared);
      expect(must(await log.lifecycle('other'))).toEqual(created('other'));
    });
  }

  function propertyCases(): void {
    it('gives back every event there can be', async () => {
      let run = 0;
      const property = fc.asyncProperty(fc.array(anyEvent(), { maxLength: 8 }), async (batch) => {
        const name = `r${(run += 1)}`;
        const all = [created(name), ...batch];
        must(await log.append({ run: name, expected: 0, events: all }));
        expect(JSON.stringify(await events(name))).toBe(JSON.stringify(all));
      });
      await fc.assert(property, { numRuns: 60 });
    });

    it('is what a list of events would be, whoever writes', async () => {
      const step = fc.record({
        writer: fc.nat({ max: 1 }),
        run: fc.constantFrom('x', 'y'),
        size: fc.integer({ min: 1, max: 3 }),
        drift: fc.constantFrom(0, 0, 0, -1, 1),
      });
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 15 }), playModel), { numRuns: 25 });
    });
  }

  /** Two writers, some of whom are behind or ahead, against a plain list. */
  async function playModel(
    steps: readonly { writer: number; run: string; size: number; drift: number }[],
  ): Promise<void> {
    const model = makeRig();
    try {
      const logs = [model.open().log, model.open().log];
      const lists = new Map<string, RunEvent[]>();
      for (const [i, { writer, run, size, drift }] of steps.entries()) {
        const list = lists.get(run) ?? [];
        const expected = Math.max(0, list.length + drift);
        const batch = Array.from({ length: size }, (_, k) =>
          expected + k === 0 ? created(run) : paused(`${i}.${k}`),
        );
        const stored = await logs[writer]?.append({ run, expected, events: batch });
        expect(stored?.ok).toBe(expected === list.length);
        if (stored?.ok) lists.set(run, [...list, ...batch]);
      }
      for (const reader of logs) {
        for (const [run, list] of lists) expect(await events(run, reader)).toEqual(list);
        expect(must(await reader.runs()).map(({ run }) => run)).toEqual([...lists.keys()].reverse());
      }
    } finally {
      model.end();
    }
  }
}
