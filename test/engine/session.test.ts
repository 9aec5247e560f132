/** The loop that all roles are played on: what is sent, what is stored, when a round is over. */

import { describe, expect, it } from 'vitest';
import type { Message, ModelFinal } from '../../src/contract/model.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { settle } from '../model/hand-clock.ts';
import { call, replies, rig, WORKER, type Answering } from './session-rig.ts';

const REPORT = replies('', [call('report', { text: 'done' })]);

/** Answers one after the other; the last one again and again. */
function inTurn(...ends: readonly ModelFinal[]): Answering {
  return (_, nth) => ends[Math.min(nth, ends.length) - 1] ?? REPORT;
}

/** Lets what is queued reach the journal. */
async function stored(): Promise<void> {
  for (let turns = 0; turns < 4; turns++) await settle();
}

function texts(messages: readonly Message[]): readonly string[] {
  return messages.map(({ role, text }) => `${role}: ${text}`);
}

describe('a round', () => {
  it('asks, runs the tools, sends their results, and ends with the tool that ends it', async () => {
    const one = rig({ model: inTurn(replies('Look.', [call('read', { path: 'x' })]), REPORT) });
    const end = await one.play();
    expect(end).toEqual({ type: 'ended', tool: 'report', args: { text: 'done' }, results: 1, calls: 2 });
    expect(texts(await one.messages())).toEqual([
      'user: Do it.',
      'assistant: Look.',
      'tool: content of x',
      'assistant: ',
      'tool: Noted.',
    ]);
    expect(one.asked.map(({ key }) => key.turn)).toEqual([1, 2]);
    expect(one.asked[1]?.messages.slice(1)).toEqual((await one.messages()).slice(0, 3));
  });

  it('stores each step before the next one begins, and a reply together with its charge', async () => {
    const one = rig({ model: inTurn(replies('', [call('read', { path: 'x' })]), REPORT) });
    await one.play();
    expect(one.say.batches.map((batch) => batch.map(({ type }) => type))).toEqual([
      ['session.asked'],
      ['budget.reserved'],
      ['budget.charged', 'turn.ended'],
      ['tools.ended'],
      ['budget.reserved'],
      ['budget.charged', 'turn.ended'],
      ['tools.ended'],
    ]);
  });

  it('runs no tool of a reply that could not be stored', async () => {
    const one = rig({
      model: inTurn(REPORT),
      refuse: ({ type }) => (type === 'turn.ended' ? 'no room' : null),
    });
    expect(await one.play()).toMatchObject({ type: 'cut' });
    expect(one.effects).toEqual([]);
  });

  it('ends with what was said when no tool is called', async () => {
    const one = rig({ model: inTurn(replies('All fine.')) });
    expect(await one.play()).toEqual({
      type: 'said',
      text: 'All fine.',
      finish: 'stop',
      results: 0,
      calls: 0,
    });
  });

  it('ends when its requests are used up', async () => {
    const one = rig({ model: (_, nth) => replies('', [call('read', { path: `${nth}` })]) });
    expect(await one.play({ turns: 3 })).toEqual({ type: 'turns', results: 3, calls: 3 });
    expect(one.asked).toHaveLength(3);
  });

  it('that stands apart repeats nothing of the rounds before it', async () => {
    const look = replies('', [call('read', { path: 'x' })]);
    const store = memoryStore();
    const first = rig({ store, model: (_, nth) => (nth <= 5 ? look : replies('Done.')) });
    await first.play({ apart: true });
    const again = { store, stored: first.say.events };
    const apart = rig({ ...again, model: (_, nth) => (nth <= 5 ? look : replies('Done.')) });
    expect(await apart.play({ round: 2, apart: true })).toMatchObject({ type: 'said' });
    const joint = rig({ ...again, model: () => look });
    expect(await joint.play({ round: 2 })).toMatchObject({ type: 'loop', calls: 3 });
  });

  it('that is given up in the middle of its calls gives each a result before the next one begins', async () => {
    const store = memoryStore();
    const one = rig({
      store,
      model: inTurn(replies('', [call('read', { path: 'x' })])),
      refuse: ({ type }) => (type === 'tools.ended' ? 'no room' : null),
    });
    expect(await one.play()).toMatchObject({ type: 'cut' });
    const next = rig({ model: inTurn(replies('Done.')), stored: one.say.events, store });
    expect(await next.play({ round: 2 })).toMatchObject({ type: 'said', text: 'Done.' });
    expect(texts(await next.messages())).toEqual([
      'user: Do it.',
      'assistant: ',
      expect.stringContaining('may or may not have happened'),
      'user: Do it.',
      'assistant: Done.',
    ]);
  });

  it('runs no call after the one that ended it', async () => {
    const calls = [call('report', { text: 'done' }), call('write', { text: 'late' })];
    const one = rig({ model: inTurn(replies('', calls)) });
    expect(await one.play()).toMatchObject({ type: 'ended', tool: 'report' });
    expect(one.effects).toEqual(['report done']);
    expect((await one.messages()).at(-1)?.text).toContain('Not run');
  });

  it('goes on in the same conversation as the round before, and counts only results that are new', async () => {
    const read = replies('', [call('read', { path: 'x' })]);
    const one = rig({ model: inTurn(read, REPORT, read, REPORT) });
    expect(await one.play()).toMatchObject({ results: 1 });
    expect(await one.play({ round: 2, ask: () => Promise.resolve('Again.') })).toMatchObject({ results: 0 });
    expect(texts(one.asked[2]?.messages ?? []).slice(-2)).toEqual(['tool: Noted.', 'user: Again.']);
  });

  it('tells how much of a request was in the one before it', async () => {
    const one = rig({ model: inTurn(replies('', [call('read', { path: 'x' })]), REPORT, REPORT) });
    await one.play();
    await one.play({ round: 2 });
    const turns = one.say.events.filter((event) => event.type === 'turn.ended');
    expect(turns.map(({ sent, same }, at) => [same, (turns[at - 1]?.sent ?? 2) - 2, sent > same])).toEqual([
      [0, 0, true],
      [(turns[0]?.sent ?? 0) - 2, (turns[0]?.sent ?? 0) - 2, true],
      [(turns[1]?.sent ?? 0) - 2, (turns[1]?.sent ?? 0) - 2, true],
    ]);
  });
});

describe('tool calls that must not run', () => {
  it('F-170: one that was cut off in its arguments is answered, not run', async () => {
    const cut = replies('', [call('write', '{"text": "ha', { flaw: 'truncated' })], { finish: 'length' });
    const one = rig({ model: inTurn(cut, REPORT) });
    expect(await one.play()).toMatchObject({ type: 'ended' });
    expect(one.effects).toEqual(['report done']);
    expect((await one.messages())[2]?.text).toMatch(/write was not run: your reply was cut off/);
  });

  it('F-77: one whose arguments nobody can read three times running ends the round', async () => {
    const bad = replies('', [call('report', '{"completed": tru', { flaw: 'not_json' })]);
    const one = rig({ model: inTurn(bad) });
    expect(await one.play()).toMatchObject({ type: 'loop', calls: 3 });
    expect(one.asked).toHaveLength(3);
    expect(one.effects).toEqual([]);
  });

  it('one of a tool that there is not is told which there are', async () => {
    const one = rig({ model: inTurn(replies('', [call('fly', {})]), REPORT) });
    await one.play();
    expect((await one.messages())[2]?.text).toBe(
      'There is no tool "fly". The tools are: read, write, refuse, break, report.',
    );
  });

  it('one that refuses or breaks is a result like any other', async () => {
    const one = rig({ model: inTurn(replies('', [call('refuse', {}), call('break', {})]), REPORT) });
    expect(await one.play()).toMatchObject({ type: 'ended', calls: 3 });
    const messages = texts(await one.messages());
    expect(messages.slice(2, 4)).toEqual([
      'tool: Outside. Ask for another path.',
      'tool: The tool failed: a bug',
    ]);
    const traces = one.say.events.flatMap((event) => (event.type === 'tools.ended' ? event.results : []));
    expect(traces.map(({ ok, line }) => [ok, line])).toEqual([
      [false, 'scope: Outside. Ask for another path.'],
      [false, 'the tool failed: a bug'],
      [true, 'done'],
    ]);
  });
});

describe('a loop', () => {
  it('F-16: the same call with the same result ends the round before the tenth', async () => {
    const one = rig({ model: inTurn(replies('', [call('read', { path: 'x' })])) });
    const end = await one.play();
    expect(end).toMatchObject({ type: 'loop', results: 1, calls: 8 });
    expect(one.effects).toHaveLength(8);
  });

  it('F-16: fifty of them in one reply, too', async () => {
    const fifty = Array.from({ length: 50 }, (_, at) => call('read', { path: 'x' }, { id: `c${at}` }));
    const one = rig({ model: inTurn(replies('', fifty)) });
    expect(await one.play()).toMatchObject({ type: 'loop', calls: 50 });
    expect(one.effects).toHaveLength(8);
  });

  it('is counted over the rounds of a goal', async () => {
    const read = replies('', [call('read', { path: 'x' })]);
    const one = rig({ model: (_, nth) => (nth % 2 === 1 ? read : REPORT) });
    const ends: string[] = [];
    for (let round = 1; round <= 9; round++) ends.push((await one.play({ round })).type);
    expect(ends).toEqual([...Array.from({ length: 8 }, () => 'ended'), 'loop']);
  });

  it('is none as long as something new comes in between', async () => {
    const check = call('read', { path: 'check' });
    const edit = (nth: number) => call('write', { text: `version ${nth}` });
    const one = rig({
      model: (_, nth) => (nth > 12 ? REPORT : replies('', [edit(nth), check])),
    });
    expect(await one.play()).toMatchObject({ type: 'ended', tool: 'report' });
  });
});

describe('a reply that hits the limit of its length', () => {
  it('F-169: is gone on with twice, and no more', async () => {
    const one = rig({ model: inTurn(replies('and', [], { finish: 'length' })) });
    expect(await one.play()).toMatchObject({ type: 'said', finish: 'length' });
    expect(one.asked).toHaveLength(3);
    expect(texts(await one.messages()).filter((text) => text.startsWith('user: Your reply'))).toHaveLength(2);
  });

  it('is gone on with again after one that did not', async () => {
    const cut = replies('and', [], { finish: 'length' });
    const read = (path: string) => replies('', [call('read', { path })]);
    const one = rig({ model: inTurn(cut, cut, read('x'), cut, cut, REPORT) });
    expect(await one.play()).toMatchObject({ type: 'ended' });
  });
});

describe('ids of calls', () => {
  it('F-164: used again in a later round do not mix the results', async () => {
    const read = (path: string) => replies('', [call('read', { path }, { id: 'f:0' })]);
    const one = rig({ model: inTurn(read('x'), read('y'), REPORT) });
    await one.play();
    const results = (await one.messages()).filter(({ role }) => role === 'tool');
    expect(results.slice(0, 2)).toEqual([
      { role: 'tool', call: 'f:0', text: 'content of x' },
      { role: 'tool', call: 'f:0', text: 'content of y' },
    ]);
  });
});

describe('secrets', () => {
  const SECRET = 'hunter2hunter2';
  const mask = (text: string) => text.replaceAll(SECRET, '[masked]');

  it('are neither stored nor sent on, but a tool gets what the model wrote', async () => {
    const tell = replies(`It is ${SECRET}`, [call('write', { text: SECRET })], { reasoning: SECRET });
    const one = rig({ mask, model: inTurn(tell, REPORT) });
    await one.play({ system: `Key ${SECRET}`, ask: () => Promise.resolve(`Use ${SECRET}`) });
    expect(JSON.stringify(one.asked)).not.toContain(SECRET);
    expect(JSON.stringify(one.say.events)).not.toContain(SECRET);
    expect(one.effects[0]).toBe(`write ${SECRET}`);
    expect(one.asked[1]?.messages.slice(1)).toEqual((await one.messages()).slice(0, 3));
  });
});

describe('texts that the store would refuse', () => {
  it('are cut in the middle, and the conversation goes on', async () => {
    const huge = replies('a'.repeat(3_000_000), [call('write', { text: 'b'.repeat(2_000_000) })]);
    const one = rig({ model: inTurn(huge, REPORT) });
    expect(await one.play({ window: 10_000_000 })).toMatchObject({ type: 'ended' });
    expect(one.effects[0]).toHaveLength(2_000_006);
    expect(one.asked[1]?.messages.slice(1)).toEqual((await one.messages()).slice(0, 3));
    expect((await one.messages())[1]?.text).toMatch(/characters left out/);
  });

  it('are not made of more calls than anybody needs', async () => {
    const calls = Array.from({ length: 3_000 }, (_, at) => call('read', { path: `${at}` }, { id: `c${at}` }));
    const one = rig({ model: inTurn(replies('', calls), REPORT) });
    expect(await one.play()).toMatchObject({ type: 'ended', calls: 65 });
  });

  it('are readable even if the mask bites where it should not', async () => {
    const mask = (text: string) => text.replaceAll('","text":"boom', '');
    const one = rig({ mask, model: inTurn(replies('boom'), REPORT) });
    expect(await one.play()).toMatchObject({ type: 'said', text: '[masked]' });
    expect(texts(await one.messages())).toEqual(['user: Do it.', 'assistant: [masked]']);
  });
});

describe('trouble of the model', () => {
  it('that lasts ends the round with its fault, and is paid for as far as it may have been billed', async () => {
    const broken: ModelFinal = { type: 'failed', fault: { code: 'cut', message: 'cut' }, billable: true };
    const one = rig({ model: () => broken });
    expect(await one.play()).toMatchObject({ type: 'failed', fault: { code: 'cut' } });
    await stored();
    const paid = one.say.events.filter((event) => event.type === 'budget.charged' && event.estimated);
    expect(paid).toHaveLength(one.asked.length);
    expect(one.say.ledger().open).toEqual([]);
  });

  it('that passes is tried again under the same key', async () => {
    const busy: ModelFinal = {
      type: 'failed',
      fault: { code: 'server', message: 'busy', retryAfter: null },
      billable: false,
    };
    const one = rig({ model: inTurn(busy, REPORT) });
    expect(await one.play()).toMatchObject({ type: 'ended' });
    expect(one.asked.map(({ key }) => key.turn)).toEqual([1, 1]);
    expect(one.say.types().slice(1, 4)).toEqual(['budget.reserved', 'budget.released', 'budget.reserved']);
  });

  it('a budget that is used up cuts the round, and says why', async () => {
    const one = rig({ limits: { tokens: 500 }, model: inTurn(REPORT) });
    const end = await one.play();
    expect(end.type === 'cut' ? end.detail : null).toMatch(/^The budget is used up/);
    expect(one.asked).toEqual([]);
  });

  it('a pause in the middle of a reply cuts the round, and what was sent is paid for', async () => {
    const one = rig({
      model: () => {
        one.say.pause();
        return { type: 'failed', fault: { code: 'aborted', message: '' }, billable: true };
      },
    });
    expect(await one.play()).toEqual({ type: 'cut', detail: null, results: 0, calls: 0 });
    await stored();
    expect(one.say.types().at(-1)).toBe('budget.charged');
  });

  it('nothing is sent after the signal fired', async () => {
    const one = rig({ model: inTurn(REPORT) });
    expect(await one.play({}, AbortSignal.abort())).toMatchObject({ type: 'cut' });
    expect(one.asked).toEqual([]);
    expect(one.say.events).toEqual([]);
  });
});

describe('the bound of the input', () => {
  it('is never below what the provider reports, as long as no token is shorter than a byte', async () => {
    // The worst provider that keeps to the law: each byte of the messages is a token, and some more for their frame.
    const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    const worst: Answering = (request, nth) => {
      const reply = nth < 6 ? replies('ä'.repeat(50 * nth), [call('read', { path: `p${nth}` })]) : REPORT;
      if (reply.type !== 'done') throw new Error('not a reply');
      const input = size([request.tools, request.messages]);
      const usage = { input, cached: 0, output: size(reply.message), reasoning: 0 };
      return { ...reply, usage };
    };
    const one = rig({ model: worst });
    await one.play({ maxOutput: 2_000 });
    const charges = one.say.events.filter((event) => event.type === 'budget.charged');
    expect(charges).toHaveLength(6);
    expect(charges.map(({ overrun }) => overrun)).toEqual(charges.map(() => null));
  });

  it('counts what a server puts into a reply, such as the ids of its calls', async () => {
    const bytes = (text: string) => Buffer.byteLength(text);
    const own = (message: Message) =>
      message.role === 'assistant'
        ? [message.text, ...message.calls.map(({ args }) => args)].reduce((sum, text) => sum + bytes(text), 0)
        : bytes(message.text) + (message.role === 'tool' ? bytes(message.call) : 0);
    const made = (message: Message) =>
      message.role === 'assistant'
        ? message.calls.reduce((sum, { id, name }) => sum + bytes(id) + bytes(name), 0)
        : 0;
    const worst: Answering = ({ messages, tools }, nth) => {
      const id = `chatcmpl-tool-${String(nth).repeat(80)}`;
      const reply =
        nth < 6 ? replies('Look. '.repeat(50), [call('read', { path: `p${nth}` }, { id })]) : REPORT;
      if (reply.type !== 'done') throw new Error('not a reply');
      const frames = 16 * messages.length + bytes(JSON.stringify(tools));
      const input = messages.reduce((sum, message) => sum + own(message) + made(message), frames);
      return { ...reply, usage: { input, cached: 0, output: own(reply.message), reasoning: 0 } };
    };
    const one = rig({ model: worst });
    await one.play();
    const charges = one.say.events.filter((event) => event.type === 'budget.charged');
    expect(charges.map(({ overrun }) => overrun)).toEqual([null, null, null, null, null, null]);
    const reserved = one.say.events.filter((event) => event.type === 'budget.reserved');
    const over = charges.map(({ usage }, at) => usage.input - (reserved[at]?.hold.input ?? 0));
    expect(Math.max(...over)).toBeLessThanOrEqual(0);
  });

  it('holds on to bytes when nothing was reported', async () => {
    const silent = replies('', [call('read', { path: 'x' })], { usage: null });
    const one = rig({ model: inTurn(silent, REPORT) });
    await one.play();
    const reserved = one.say.events.filter((event) => event.type === 'budget.reserved');
    expect(reserved.map(({ input }) => input.known)).toEqual([0, 0]);
  });
});

describe('what belongs to another session', () => {
  it('is not found', async () => {
    const one = rig({ model: inTurn(REPORT) });
    await one.play();
    expect(one.index.of({ ...WORKER, born: 2 })).toEqual([]);
    expect(one.index.of({ ...WORKER, role: 'skeptic' })).toEqual([]);
    expect(one.index.of(WORKER)).toHaveLength(3);
  });
});
