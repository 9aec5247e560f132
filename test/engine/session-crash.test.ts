/** Sessions that die: at every event that is stored, and in the middle of a tool. */

import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import type { Message } from '../../src/contract/model.ts';
import type { SessionEnd } from '../../src/engine/session-spec.ts';
import { parseScript } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import { memoryStore, type MemoryStore } from '../../src/store/memory-store.ts';
import { spentBy } from '../../src/kernel/ledger-room.ts';
import { call, replies, rig, type Rig } from './session-rig.ts';

const SCRIPT = `
steps:
  - {role: worker, node: a, turn: 1, text: Look., calls: [{name: read, args: {path: x}}]}
  - {role: worker, node: a, turn: 2, calls: [{name: write, args: {text: w}}, {name: read, args: {path: y}}]}
  - {role: worker, node: a, turn: 3, text: It is, finish: length}
  - {role: worker, node: a, turn: 4, calls: [{name: report, args: {text: done}}]}
  - {role: worker, node: a, turn: 5, calls: [{name: report, args: {text: done}}]}
`;

function scripted() {
  const script = parseScript('s', SCRIPT);
  if (!script.ok) throw new Error(script.fault.message);
  return scriptedModel('m', script.value);
}

interface Life {
  readonly one: Rig;
  /** Null when it died. */
  readonly end: SessionEnd | null;
}

async function live(store: MemoryStore, stored: readonly RunEvent[], dieAfter = Infinity): Promise<Life> {
  const one = rig({ store, stored, dieAfter, model: scripted() });
  const end = await Promise.race([one.play(), one.say.dead.then(() => null)]);
  return { one, end };
}

const NOTE = /^The program was interrupted/;

/** With the results that a death has cost marked as such. */
function outline(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    const calls = message.role === 'assistant' ? message.calls.map(({ name }) => name).join(' ') : '';
    return `${message.role}: ${NOTE.test(message.text) ? '(interrupted)' : message.text}${calls}`;
  });
}

function turnsStored(events: readonly RunEvent[]): readonly number[] {
  return events.flatMap((event) => (event.type === 'turn.ended' ? [event.turn] : []));
}

const whole = await live(memoryStore(), []);

describe('a session whose process dies after any stored event', () => {
  const lastEvent = whole.one.say.events.length;

  for (let k = 0; k < lastEvent; k++) {
    it(`goes on with the same conversation, and pays once for each reply (${k} of ${lastEvent} events)`, async () => {
      const store = memoryStore();
      const first = await live(store, [], k);
      expect(first.end).toBeNull();
      const before = [...first.one.say.events];
      const second = await live(store, before);
      expect(second.end).toMatchObject({ type: 'ended', tool: 'report', args: { text: 'done' } });

      const expected = outline(await whole.one.messages());
      const found = outline(await second.one.messages());
      const lost = found.filter((line) => line.includes('(interrupted)'));
      expect(lost.length).toBeLessThanOrEqual(2);
      const same = found.slice(0, expected.length);
      expect(same).toEqual(
        expected.map((line, at) => (found[at]?.includes('(interrupted)') ? 'tool: (interrupted)' : line)),
      );

      // What was stored was not asked for again.
      const asked = second.one.asked.map(({ key }) => key.turn);
      expect(asked.filter((turn) => turnsStored(before).includes(turn))).toEqual([]);

      // Each reservation has one end, each reply its charge, and the ledger's sum is theirs.
      const { events } = second.one.say;
      const ids = (type: string) =>
        events.flatMap((event) => (event.type === type && 'id' in event ? [event.id] : []));
      expect(ids('budget.charged')).toEqual(ids('budget.reserved'));
      const reported = events.filter((event) => event.type === 'budget.charged' && !event.estimated);
      expect(reported).toHaveLength(turnsStored(events).length);
      const charged = events.flatMap((event) => (event.type === 'budget.charged' ? [event.usage] : []));
      const sum = charged.reduce((total, { input, output }) => total + input + output, 0);
      expect(spentBy(second.one.say.ledger().sums).tokens).toBe(sum);
    });
  }

  it('runs no tool twice whose result is stored', async () => {
    const store = memoryStore();
    const tools = whole.one.say.events.findIndex(({ type }) => type === 'tools.ended');
    const first = await live(store, [], tools + 1);
    const second = await live(store, [...first.one.say.events]);
    expect(first.one.effects).toEqual(['read x']);
    expect(second.one.effects).toEqual(['write w', 'read y', 'report done']);
  });
});

describe('a stored round', () => {
  it('F-37: that is over is not asked for again, and costs nothing', async () => {
    const store = memoryStore();
    const first = await live(store, []);
    const stored = [...first.one.say.events];
    const second = await live(store, stored);
    expect(second.end).toEqual(first.end);
    expect(second.one.asked).toEqual([]);
    expect(second.one.effects).toEqual([]);
    expect(second.one.say.events).toEqual(stored);
  });

  it('that ended in words is not asked for again either', async () => {
    const store = memoryStore();
    const first = rig({ store, model: () => replies('Fine.') });
    const end = await first.play();
    const second = rig({ store, stored: first.say.events, model: () => replies('Other.') });
    expect(await second.play()).toEqual(end);
    expect(second.asked).toEqual([]);
  });

  it('F-107: with calls that have no result is told that they may or may not have happened', async () => {
    const store = memoryStore();
    const calls = [call('write', { text: 'w' }), call('write', '{"text', { flaw: 'truncated', id: 'c1' })];
    const hang = new Promise<never>(() => undefined);
    const first = rig({ store, model: () => replies('', calls) });
    const tools = first.spec().tools.map((tool) => ({ ...tool, run: () => hang }));
    void first.play({ tools });
    while (first.say.types().at(-1) !== 'turn.ended') await new Promise((resolve) => setImmediate(resolve));

    const report = replies('', [call('report', { text: 'done' })]);
    const second = rig({ store, stored: first.say.events, model: () => report });
    expect(await second.play()).toMatchObject({ type: 'ended', calls: 3 });
    const results = (await second.messages()).filter(({ role }) => role === 'tool');
    expect(results[0]?.text).toMatch(/may or may not have happened. Look at what is there/);
    expect(results[1]?.text).toMatch(/^write was not run/);
    expect(second.effects).toEqual(['report done']);
  });

  it('in a loop is still in it', async () => {
    const store = memoryStore();
    const read = replies('', [call('read', { path: 'x' })]);
    const first = rig({ store, model: () => read });
    const end = await first.play();
    const second = rig({ store, stored: first.say.events, model: () => read });
    expect(await second.play()).toEqual(end);
    expect(second.asked).toEqual([]);
  });

  it('whose text is gone fails, and sends nothing', async () => {
    const first = rig({ model: () => replies('Fine.') });
    await first.play();
    const second = rig({ stored: first.say.events, model: () => replies('Fine.') });
    expect(await second.play()).toMatchObject({ type: 'failed', fault: { code: 'protocol' } });
    expect(second.asked).toEqual([]);
  });
});

const READ = replies('', [call('read', { path: 'x' })]);
const REPORT = replies('', [call('report', { text: 'done' })]);

describe('a session that is stopped while a tool runs', () => {
  it('keeps the result of what ran, says what did not, and goes on from there', async () => {
    const store = memoryStore();
    const calls = [call('write', { text: 'w' }), call('read', { path: 'x' }, { id: 'c1' })];
    const first = rig({ store, model: () => replies('', calls) });
    const stopping = first.spec().tools.map((tool) => ({
      ...tool,
      run: (args: unknown) => {
        first.say.pause();
        return tool.run(args, new AbortController().signal);
      },
    }));
    expect(await first.play({ tools: stopping })).toMatchObject({ type: 'cut', calls: 2 });
    expect(first.effects).toEqual(['write w']);
    const report = replies('', [call('report', { text: 'done' })]);
    const second = rig({ store, stored: first.say.events, model: () => report });
    expect(await second.play()).toMatchObject({ type: 'ended' });
    const results = (await second.messages()).filter(({ role }) => role === 'tool');
    expect(results.map(({ text }) => text)).toEqual(['written w', 'Not run: the run was stopped.', 'Noted.']);
  });

  it('stores nothing more once its successor has gone on', async () => {
    const one = rig({ model: (_, nth) => (nth === 1 ? READ : REPORT) });
    let finish = () => {};
    const slow = one.spec().tools.map((tool) => ({
      ...tool,
      run: async (args: unknown, signal: AbortSignal) => {
        await new Promise<void>((resolve) => (finish = resolve));
        return tool.run(args, signal);
      },
    }));
    const stopped = one.play({ tools: slow });
    while (one.say.types().at(-1) !== 'turn.ended') await new Promise((resolve) => setImmediate(resolve));
    expect(await one.play()).toMatchObject({ type: 'ended' });
    const stored = one.say.events.length;
    finish();
    expect(await stopped).toMatchObject({ type: 'cut' });
    expect(one.say.events).toHaveLength(stored);
  });
});
