/** The adapter over the wire: the port's cases, and how a reply may begin, go on and end. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lastOf } from '../../src/contract/model.ts';
import type { Message, ModelEvent } from '../../src/contract/model.ts';
import {
  chunk,
  CUT,
  data,
  DONE,
  event,
  HANG,
  KEEP_ALIVE,
  says,
  stream,
  usageChunk,
  whole,
} from '../support/wire-replies.ts';
import { startWireServer } from '../support/wire-server.ts';
import type { WireServer } from '../support/wire-server.ts';
import { handClock, settle } from './hand-clock.ts';
import { collect, LIVE, modelCases, request } from './model-cases.ts';
import { KEY, wireModel, wireRig } from './wire-rig.ts';

modelCases('an OpenAI-compatible server', wireRig);

let server: WireServer;
beforeEach(async () => {
  server = await startWireServer();
});
afterEach(async () => {
  expect(server.open()).toBe(0);
  await server.close();
});

const turn = () => lastOf(wireModel(server).turn(request(), LIVE));

describe('usage', () => {
  const usage = { input: 100, cached: 40, output: 20, reasoning: 5 };

  it('F-26 in a last chunk without choices is counted, once', async () => {
    server.queue(whole([{ content: 'x' }]));
    expect(await turn()).toMatchObject({ type: 'done', usage });
  });

  it('in the chunk that finishes, or growing with each chunk', async () => {
    server.queue(
      stream(
        data({ ...chunk({ content: 'x' }), usage: { prompt_tokens: 100, completion_tokens: 1 } }),
        data({ ...chunk({}, 'stop'), usage: { prompt_tokens: 100, completion_tokens: 20 } }),
        DONE,
      ),
    );
    expect(await turn()).toMatchObject({ usage: { input: 100, cached: 0, output: 20, reasoning: 0 } });
  });

  it.each([
    ['DeepSeek', { prompt_tokens: 100, completion_tokens: 20, prompt_cache_hit_tokens: 40 }],
    ['Moonshot', { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 40 }],
    ['F-29 a price of 0', { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 40, cost: 0 }],
    ['more cached than sent', { prompt_tokens: 40, completion_tokens: 20, cached_tokens: 9_999 }],
  ])('in the form of %s', async (_vendor, reported) => {
    server.queue(whole([{ content: 'x' }], 'stop', reported));
    expect(await turn()).toMatchObject({ usage: { cached: 40, output: 20, reasoning: 0 } });
  });

  it.each([
    { prompt_tokens: -1, completion_tokens: 'many' },
    { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  ])('that makes no sense is none: %j', async (reported) => {
    server.queue(whole([{ content: 'x' }], 'stop', reported));
    expect(await turn()).toMatchObject({ type: 'done', usage: null });
  });
});

describe('the end of a reply', () => {
  it('F-166 a stream that drops in a tool call is cut, not finished', async () => {
    const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{"pa' } };
    server.queue(stream(data(chunk({ tool_calls: [call] })), CUT));
    expect(await turn()).toMatchObject({ type: 'failed', fault: { code: 'cut' }, billable: true });
  });

  it('F-166 so is one that ends politely without a finish', async () => {
    server.queue(stream(data(chunk({ content: 'half' }))));
    expect(await turn()).toMatchObject({ type: 'failed', fault: { code: 'cut' } });
  });

  it('F-167 content and finish may share the only chunk', async () => {
    server.queue(stream(data(chunk({ content: ': done.\n: really' }, 'stop'))));
    expect(await turn()).toMatchObject({
      type: 'done',
      finish: 'stop',
      message: { text: ': done.\n: really' },
    });
  });

  it('F-167 what breaks after the finish breaks nothing', async () => {
    let cut = () => {};
    const gate = new Promise<void>((resolve) => (cut = resolve));
    server.queue(stream(data(chunk({ content: 'all' }, 'stop')), { do: 'wait', for: gate }, CUT));
    let end: ModelEvent | null = null;
    for await (const one of wireModel(server).turn(request(), LIVE)) {
      cut();
      end = one;
    }
    expect(end).toMatchObject({ type: 'done', message: { text: 'all' }, usage: null });
  });

  it('pieces that are numbered as if they were choices are one reply', async () => {
    const piece = (index: number, delta: object, finish: string | null = null) =>
      data({ choices: [{ index, delta, finish_reason: finish }] });
    const call = (more: object) => ({ tool_calls: { function: more } });
    server.queue(
      stream(
        piece(0, { role: 'assistant', content: 'I ' }),
        piece(1, { content: 'read.' }),
        piece(2, { tool_calls: { id: 'a', type: 'function', function: { name: 'read', arguments: '' } } }),
        piece(2, call({ arguments: '{"p":' })),
        piece(2, call({ arguments: '1}' })),
        piece(3, {}, 'tool_calls'),
        DONE,
      ),
    );
    expect(await turn()).toMatchObject({
      message: { text: 'I read.', calls: [{ id: 'a', name: 'read', args: '{"p":1}', flaw: null }] },
      finish: 'tools',
    });
  });

  it('F-169 length is told apart from stop', async () => {
    server.queue(whole([{ content: 'and then' }], 'length'));
    expect(await turn()).toMatchObject({ type: 'done', finish: 'length' });
  });

  it('drips byte by byte, characters cut in the middle included', async () => {
    const text = event(chunk({ content: 'Grüße 🌍' })) + event(chunk({}, 'stop')) + event(usageChunk());
    server.queue(stream({ do: 'drip', text }, DONE));
    expect(await turn()).toMatchObject({
      type: 'done',
      message: { text: 'Grüße 🌍' },
      usage: { input: 100 },
    });
  });

  it('takes CRLF, comments and unknown events in its stride', async () => {
    const crlf = event(chunk({ content: 'x' }, 'stop')).replaceAll('\n', '\r\n');
    server.queue(stream(KEEP_ALIVE, { do: 'raw', text: `retry: 5\r\n\r\n${crlf}` }, KEEP_ALIVE, DONE));
    expect(await turn()).toMatchObject({ type: 'done', message: { text: 'x' } });
  });

  it('a finish named error is none', async () => {
    server.queue(whole([{ content: 'x' }], 'insufficient_system_resource'));
    expect(await turn()).toMatchObject({ type: 'failed', fault: { code: 'server' }, billable: true });
  });
});

describe('idle', () => {
  it('F-148 ends when only keep-alive comments come', async () => {
    const clock = handClock();
    server.queue(stream(data(chunk({ content: 'x' })), KEEP_ALIVE, data(chunk({})), KEEP_ALIVE, HANG));
    const events = wireModel(server, { clock, idle: 60_000 }).turn(request(), LIVE);
    const seen: ModelEvent[] = [];
    for await (const one of events) {
      seen.push(one);
      if (one.type === 'text') setImmediate(() => void clock.moveTo(60_000));
    }
    expect(seen.at(-1)).toMatchObject({ type: 'failed', fault: { code: 'idle' }, billable: true });
    expect(await server.requests[0]?.ended).toBe('closed');
    expect(clock.next()).toBeNull();
  });

  it('ends when nothing comes after the headers', async () => {
    const clock = handClock();
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    server.answerWith(() => stream({ do: 'wait', for: gate }, HANG));
    const ending = lastOf(wireModel(server, { clock, idle: 60_000 }).turn(request(), LIVE));
    await server.arrived(1);
    await clock.moveTo(59_999);
    await clock.moveTo(60_000);
    expect(await ending).toMatchObject({ fault: { code: 'idle' } });
    release();
    expect(await server.requests[0]?.ended).toBe('closed');
  });

  it('does not blame the provider for a slow reader', async () => {
    const clock = handClock();
    server.queue(whole([{ content: 'a' }, { content: 'b' }]));
    let end: ModelEvent | null = null;
    for await (const one of wireModel(server, { clock, idle: 60_000 }).turn(request(), LIVE)) {
      await clock.moveTo(clock.now() + 600_000);
      end = one;
    }
    expect(end).toMatchObject({ type: 'done', message: { text: 'ab' } });
  });

  it('waits a little for usage, and not for ever, once the reply is over', async () => {
    const clock = handClock();
    server.queue(stream(data(chunk({ content: 'x' }, 'stop')), HANG));
    const ending = collect(wireModel(server, { clock, idle: 60_000 }).turn(request(), LIVE));
    while (clock.next() !== 10_000) await settle();
    await clock.moveTo(10_000);
    expect((await ending).at(-1)).toMatchObject({ type: 'done', usage: null });
    expect(await server.requests[0]?.ended).toBe('closed');
  });
});

describe('a loop of tools', () => {
  it('F-164 with the same ids in each round sends each result under its own call', async () => {
    const call = { index: 0, id: 'f:0', function: { name: 'read', arguments: '{}' } };
    server.queue(
      whole([{ tool_calls: [call] }], 'tool_calls'),
      whole([{ tool_calls: [call] }], 'tool_calls'),
      says('x'),
    );
    const model = wireModel(server);
    const messages: Message[] = [{ role: 'user', text: 'Go.' }];
    for (const text of ['first', 'second']) {
      const end = await lastOf(model.turn(request({ messages }), LIVE));
      if (end.type !== 'done') throw new Error(JSON.stringify(end));
      messages.push(end.message, { role: 'tool', call: end.message.calls[0]?.id ?? '', text });
    }
    await lastOf(model.turn(request({ messages }), LIVE));
    const sent = server.requests[2]?.body as { readonly messages: readonly Record<string, unknown>[] };
    expect(sent.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Go.'],
      ['assistant', null],
      ['tool', 'first'],
      ['assistant', null],
      ['tool', 'second'],
    ]);
  });
});

describe('abort', () => {
  it('closes the connection and leaves no timer', async () => {
    const clock = handClock();
    const abort = new AbortController();
    server.queue(stream(data(chunk({ content: 'x' })), HANG));
    const seen: ModelEvent[] = [];
    for await (const one of wireModel(server, { clock }).turn(request(), abort.signal)) {
      seen.push(one);
      setImmediate(() => abort.abort());
    }
    expect(seen.at(-1)).toMatchObject({ type: 'failed', fault: { code: 'aborted' }, billable: true });
    expect(await server.requests[0]?.ended).toBe('closed');
    expect(clock.next()).toBeNull();
  });

  it('closes the connection when the reader leaves', async () => {
    const clock = handClock();
    server.queue(stream(data(chunk({ content: 'x' })), HANG));
    for await (const one of wireModel(server, { clock }).turn(request(), LIVE)) {
      expect(one.type).toBe('text');
      break;
    }
    expect(await server.requests[0]?.ended).toBe('closed');
    expect(clock.next()).toBeNull();
  });
});

describe('what goes out', () => {
  it('is the key, the body, and nothing of this machine', async () => {
    server.queue(says('x'));
    await turn();
    const { headers } = server.requests[0] ?? { headers: {} };
    expect(headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'user-agent': 'goalgraph',
      accept: 'text/event-stream',
      'content-type': 'application/json',
    });
    expect(Object.keys(headers).filter((name) => /stainless|openai|node/.test(name))).toEqual([]);
  });

  it('is not changed by variables that the package reads for itself', async () => {
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1');
    vi.stubEnv('OPENAI_API_KEY', 'sk-other');
    vi.stubEnv('OPENAI_ORG_ID', 'org-other');
    vi.stubEnv('OPENAI_PROJECT_ID', 'proj-other');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Other: other');
    vi.stubEnv('OPENAI_LOG', 'debug');
    server.queue(says('x'));
    const end = await turn();
    vi.unstubAllEnvs();
    expect(end).toMatchObject({ type: 'done' });
    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('other');
  });

  it('goes to the base URL however that is written', async () => {
    server.queue(says('x'));
    const baseUrl = `${server.baseUrl.replace('http:', 'HTTP:')}//`;
    expect(await lastOf(wireModel({ baseUrl }).turn(request(), LIVE))).toMatchObject({ type: 'done' });
  });

  it('has no authorization without a key', async () => {
    server.queue(says('x'));
    await lastOf(wireModel(server, { key: null }).turn(request(), LIVE));
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });
});
