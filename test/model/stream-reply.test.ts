/** How long a reply may take, whatever it is made of. */

import type OpenAI from 'openai';
import { expect, it } from 'vitest';
import type { ModelFinal } from '../../src/contract/model.ts';
import { streamReply } from '../../src/model/stream-reply.ts';
import { chunk, type WireDelta } from '../support/wire-replies.ts';
import { handClock, type HandClock } from './hand-clock.ts';
import { LIVE } from './model-cases.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** This delta again and again, as long apart, until nobody listens; it breaks off after a day. */
async function endOf(clock: HandClock, delta: WireDelta, every: number): Promise<ModelFinal> {
  const create = (_body: unknown, { signal }: { readonly signal: AbortSignal }) => {
    async function* chunks() {
      yield chunk({ content: 'x' });
      while (clock.now() < 24 * 60 * MINUTE) {
        await clock.moveTo(clock.now() + every);
        if (signal.aborted) return;
        yield chunk(delta);
      }
    }
    return Promise.resolve(chunks());
  };
  const reply = streamReply({
    client: { chat: { completions: { create } } } as unknown as OpenAI,
    body: { model: 'm', messages: [], stream: true },
    asked: { baseUrl: 'http://127.0.0.1/v1', model: 'm', key: null, now: () => clock.now() },
    clock,
    idle: 4 * MINUTE,
    signal: LIVE,
  });
  for (;;) {
    const next = await reply.next();
    if (next.done === true) return next.value;
  }
}

it.each<[string, WireDelta]>([
  ['a character', { content: 'x' }],
  ['a thought', { reasoning: 'x' }],
  ['a byte of arguments', { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: ' ' } }] }],
])('%s at a time goes on for an hour, and no longer', async (_what, delta) => {
  const clock = handClock();
  const end = await endOf(clock, delta, 30 * SECOND);
  expect(end).toMatchObject({ type: 'failed', fault: { code: 'idle' }, billable: true });
  expect(end).toMatchObject({ fault: { message: expect.stringContaining('in 60 min') as string } });
  expect([clock.now(), clock.next()]).toEqual([60 * MINUTE, null]);
});

it.each<[string, WireDelta]>([
  ['nothing', {}],
  ['empty text', { content: '', reasoning_content: '' }],
  ['a call without anything', { tool_calls: [{ index: 0 }] }],
  ['a function without anything', { tool_calls: [{ index: 0, id: 'a', function: {} }] }],
  ['no arguments', { tool_calls: [{ index: 0, id: 'a', function: { name: null, arguments: '' } }] }],
])('%s is no content, however often it comes', async (_what, delta) => {
  const clock = handClock();
  const end = await endOf(clock, delta, 30 * SECOND);
  expect(end).toMatchObject({ type: 'failed', fault: { code: 'idle' }, billable: true });
  expect([clock.now(), clock.next()]).toEqual([4 * MINUTE, null]);
});
