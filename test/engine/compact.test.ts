/** Conversations that get too long for the model's window: what is lost, and what never is. */

import { describe, expect, it } from 'vitest';
import type { Message, ModelFinal, ModelRequest } from '../../src/contract/model.ts';
import { compact } from '../../src/engine/compact.ts';
import type { RoundSpec } from '../../src/engine/session-spec.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { call, replies, rig, WORKER, type Answering, type Rig } from './session-rig.ts';

const REPORT = replies('', [call('report', { text: 'done' })]);
const KEEP = 'Objective: ship it.\nSpec: all of it.\nOpen gaps: none closed.';
const LONG: Partial<RoundSpec> = { compact, keep: () => KEEP, window: 20_000, maxOutput: 1_000 };

const tokens = (value: unknown) => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 3);

/** Counts three bytes a token, as an ordinary provider does. */
function counted(request: ModelRequest, end: ModelFinal): ModelFinal {
  if (end.type !== 'done') return end;
  const input = tokens([request.tools, request.messages]);
  return { ...end, usage: { input, cached: 0, output: tokens(end.message), reasoning: 0 } };
}

/** Reads so many long files, then reports; summaries are what `summary` gives. */
function reader(files: number, summary: (nth: number) => ModelFinal): Answering {
  let summaries = 0;
  let reads = 0;
  return (request) => {
    if (request.key.role === 'summarizer') return counted(request, summary((summaries += 1)));
    reads += 1;
    const read = replies(`Reading ${reads}.`.padEnd(2_000, '!'), [call('read', { path: `file-${reads}` })]);
    return counted(request, reads <= files ? read : REPORT);
  };
}

function longTools(one: Rig) {
  return one.spec().tools.map((tool) =>
    tool.name === 'read'
      ? {
          ...tool,
          run: async (args: unknown, signal: AbortSignal) => {
            const result = await tool.run(args, signal);
            return result.ok
              ? { ...result, value: { ...result.value, forModel: result.value.forModel + '.'.repeat(6_000) } }
              : result;
          },
        }
      : tool,
  );
}

function play(one: Rig, over: Partial<RoundSpec> = {}) {
  return one.play({ ...LONG, tools: longTools(one), ...over });
}

const requests = (one: Rig, role = 'worker') => one.asked.filter(({ key }) => key.role === role);

/** Results without the call that they answer in the message before them. */
function orphans(messages: readonly Message[]): readonly Message[] {
  let ids: readonly string[] = [];
  return messages.filter((message) => {
    if (message.role === 'assistant') ids = message.calls.map(({ id }) => id);
    if (message.role === 'user') ids = [];
    return message.role === 'tool' && !ids.includes(message.call);
  });
}

describe('a session that fills its window', () => {
  it('F-175: is compacted before the provider refuses a request', async () => {
    const one = rig({ model: reader(20, (nth) => replies(`Summary ${nth}.`)) });
    expect(await play(one, { turns: 40 })).toMatchObject({ type: 'ended', results: 20 });
    const sizes = requests(one).map(({ messages, tools }) => tokens([tools, messages]));
    expect(Math.max(...sizes)).toBeLessThan(0.95 * 20_000);
    expect(requests(one, 'summarizer').length).toBeGreaterThan(1);
    expect(one.say.types().filter((type) => type === 'session.compacted')).toHaveLength(
      requests(one, 'summarizer').length,
    );
  });

  it('F-176: keeps objective, spec and gaps word for word, the summary, and calls with their results', async () => {
    const one = rig({ model: reader(20, (nth) => replies(`Summary ${nth}.`)) });
    await play(one, { turns: 40 });
    const shortened = requests(one).filter(({ messages }) => messages[1]?.text.startsWith(KEEP));
    expect(shortened.length).toBeGreaterThan(5);
    for (const { messages } of requests(one)) {
      expect(orphans(messages)).toEqual([]);
      expect(messages[1]?.role).toBe('user');
    }
    expect(shortened.at(-1)?.messages[1]?.text).toMatch(/\n```text\nSummary \d+\.\n```$/);
    expect(shortened.at(-1)?.messages.some(({ role }) => role === 'tool')).toBe(true);
  });

  it('gives the summarizer the summary before, and short results', async () => {
    const one = rig({ model: reader(20, (nth) => replies(`Summary ${nth}.`)) });
    await play(one, { turns: 40 });
    const [first, second] = requests(one, 'summarizer');
    expect(first?.messages[1]?.text).toContain('> read {"path":"file-1"}');
    expect(second?.messages[1]?.text).toContain('[before]\nSummary 1.');
    expect(second?.messages[1]?.text).not.toContain('.'.repeat(2_000));
    expect(first?.tools).toEqual([]);
    expect(first?.key).toEqual({ role: 'summarizer', node: 'a', round: 1, turn: 1, seat: 1 });
  });

  it('goes on with a note when there is no summary, and loses nothing that must be kept', async () => {
    const bad: ModelFinal = { type: 'failed', fault: { code: 'bad_request', message: '' }, billable: false };
    const one = rig({ model: reader(20, () => bad) });
    expect(await play(one, { turns: 40 })).toMatchObject({ type: 'ended', results: 20 });
    const text = requests(one).at(-1)?.messages[1]?.text ?? '';
    expect(text.startsWith(KEEP)).toBe(true);
    expect(text).toContain('were left out here, and there is no summary');
    expect(text).toContain('> read {"path":"file-');
  });

  it('does without a summary rather than pause the run for one that the budget has no room for', async () => {
    const cheap: Answering = (_, nth) => {
      const read = replies('', [call('read', { path: `${nth}` })]);
      const usage = { input: nth < 5 ? 10 : 18_000, cached: 0, output: 1, reasoning: 0 };
      return { ...read, usage } as ModelFinal;
    };
    const one = rig({ limits: { tokens: 27_000 }, model: cheap });
    await play(one);
    expect(requests(one, 'summarizer')).toEqual([]);
    expect(one.say.types()).toContain('session.compacted');
    const trips = one.say.events.filter((event) => event.type === 'budget.tripped');
    expect(trips.map(({ role }) => role)).toEqual(['worker']);
  });

  it('keeps what was said in this round and has no reply yet', async () => {
    const one = rig({ model: reader(4, (nth) => replies(`Summary ${nth}.`)) });
    await play(one);
    const packet = `Second packet ${'x'.repeat(25_000)}`;
    await play(one, { round: 2, ask: () => Promise.resolve(packet) });
    const last = requests(one).at(-1)?.messages ?? [];
    expect(last[1]?.text.startsWith(KEEP)).toBe(true);
    expect(last.some(({ text }) => text.includes(packet))).toBe(true);
    // Some models refuse two messages of the same side running.
    expect(last.some(({ role }, at) => role === 'user' && last[at + 1]?.role === 'user')).toBe(false);
  });

  it('is not compacted when there is nothing to gain', async () => {
    const one = rig({ model: () => REPORT });
    expect(await play(one, { ask: () => Promise.resolve('x'.repeat(60_000)) })).toMatchObject({
      type: 'ended',
    });
    expect(one.say.types()).not.toContain('session.compacted');
  });
});

describe('a request that the provider refuses as too long', () => {
  const tooLong: ModelFinal = {
    type: 'failed',
    fault: { code: 'context_length', message: 'too long' },
    billable: false,
  };

  it('is compacted once and sent again', async () => {
    let refusals = 0;
    const model: Answering = (request) => {
      if (request.key.role === 'summarizer') return replies('Summary.');
      if (request.key.turn <= 3) return replies('', [call('read', { path: `${request.key.turn}` })]);
      return (refusals += 1) === 1 ? tooLong : REPORT;
    };
    const one = rig({ model });
    expect(await play(one, { window: 200_000 })).toMatchObject({ type: 'ended', results: 3 });
    expect(requests(one).at(-1)?.messages[1]?.text).toContain(KEEP);
  });

  it('ends the round when that did not help', async () => {
    const model: Answering = (request) => {
      if (request.key.role === 'summarizer') return replies('Summary.');
      return request.key.turn <= 3 ? replies('', [call('read', { path: `${request.key.turn}` })]) : tooLong;
    };
    const one = rig({ model });
    expect(await play(one, { window: 200_000 })).toMatchObject({
      type: 'failed',
      fault: { code: 'context_length' },
    });
    expect(requests(one)).toHaveLength(5);
  });

  it('ends the round at once for sessions that are never compacted', async () => {
    const one = rig({ model: () => tooLong });
    expect(await play(one, { compact: null })).toMatchObject({ type: 'failed' });
    expect(one.asked).toHaveLength(1);
  });
});

describe('a process that dies while it compacts', () => {
  it('pays for no summary twice, and ends as one that did not', async () => {
    const whole = rig({ model: reader(10, (nth) => replies(`Summary ${nth}.`)) });
    await play(whole, { turns: 40 });
    const at = whole.say.events.findIndex(({ type }) => type === 'session.compacted');
    expect(at).toBeGreaterThan(4);
    for (const dieAfter of [at - 4, at - 3, at - 2, at, at + 1]) {
      const store = memoryStore();
      const first = rig({ store, dieAfter, model: reader(10, (nth) => replies(`Summary ${nth}.`)) });
      await Promise.race([play(first, { turns: 40 }), first.say.dead]);
      const read = first.say.events.filter(
        (event) => event.type === 'turn.ended' && event.session.role === 'worker',
      ).length;
      const rest = reader(10 - read, (nth) => replies(`Summary ${nth}.`));
      const again = rig({ store, stored: first.say.events, model: rest });
      expect(await play(again, { turns: 40 })).toMatchObject({ type: 'ended' });
      const summaries = again.say.events.filter(
        (event) => event.type === 'turn.ended' && event.session.role === 'summarizer',
      );
      const compactions = again.say.types().filter((type) => type === 'session.compacted');
      expect(summaries).toHaveLength(compactions.length);
    }
  });

  it('gives each session summaries of its own', async () => {
    const one = rig({ model: reader(10, (nth) => replies(`Summary ${nth}.`)) });
    await play(one);
    expect(requests(one, 'summarizer')).not.toEqual([]);
    const skeptic = { ...WORKER, role: 'skeptic' } as const;
    const other = rig({ model: reader(10, () => replies('Another summary.')) });
    for (const event of one.say.events) other.index.add(event);
    await play(other, { id: skeptic });
    const summarized = other.asked.filter(({ key }) => key.role === 'summarizer');
    expect(summarized.length).toBeGreaterThan(0);
    expect(JSON.stringify(other.asked.at(-1)?.messages)).toContain('Another summary.');
  });
});
