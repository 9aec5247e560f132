/** What providers do to a run in the middle of it: refusals, limits, broken streams. Nothing half is ever done. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ChatBody } from '../support/rig-model-chat.ts';
import { until } from '../support/os.ts';
import { reckon } from '../support/rig-model-ledger.ts';
import { preload } from '../support/rig-model-preload.ts';
import { ACHIEVED, bash, plainStory, planned, report, type Step } from '../support/rig-model-story.ts';
import { by, MODEL, test, type Provider } from '../support/rig-model.ts';
import type { Rig } from '../support/rig.ts';
import {
  chunk,
  CUT,
  data,
  DONE,
  event,
  HANG,
  KEEP_ALIVE,
  refuses,
  sends,
  stream,
} from '../support/wire-replies.ts';

const OBJECTIVE = 'Write the file';
const GRAPH = ['graph', OBJECTIVE, '--budget', '1m'] as const;

const isWorker = ({ key }: { readonly key: { readonly role: string } }): boolean => key.role === 'worker';
const isReport = ({ key }: { readonly key: { readonly role: string; readonly turn: number } }): boolean =>
  key.role === 'worker' && key.turn === 2;

function call(name: string, args: string) {
  const whole = { index: 0, id: 'half', type: 'function' as const, function: { name, arguments: args } };
  return data(chunk({ tool_calls: [whole] }));
}

function written(rig: Rig, file = 'a.txt'): string | null {
  const path = join(rig.workspace, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

async function completes(rig: Rig, provider: Provider, env: Readonly<Record<string, string>> = {}) {
  const { exit } = await rig.run(by(provider, ...GRAPH), { env });
  expect({ exit, unknown: provider.unknown }).toEqual({ exit: 0, unknown: [] });
  expect(written(rig)).toBe('done\n');
  const sums = reckon(rig.journal().events);
  expect({ charged: sums.charged, reserved: sums.reserved }).toEqual({
    charged: provider.reported(),
    reserved: 0,
  });
  return sums;
}

describe.concurrent('a refusal in the middle of a run', () => {
  const HOUR = 3_600;
  const rows = [
    [
      'a key that is refused',
      refuses(401, { message: 'Incorrect API key provided' }),
      'Check the key',
      false,
    ],
    [
      '402 with a reset time',
      refuses(402, { message: 'Out of credits', resets_in_seconds: HOUR }),
      'Out of',
      true,
    ],
    [
      '403 for a quota',
      refuses(403, { message: 'usage limit' }, { 'retry-after': String(HOUR) }),
      'usage',
      true,
    ],
    [
      '429 for a quota',
      refuses(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }),
      'quota',
      false,
    ],
    [
      '429 for longer than anybody waits',
      refuses(429, { message: 'Slow down' }, { 'retry-after': String(HOUR) }),
      'Slow down',
      true,
    ],
    ['a page to sign in', sends(200, 'text/html', '<html>Sign in</html>'), 'text/html', false],
  ] as const;
  for (const [what, refusal, words, hasTime] of rows) {
    test(`pauses it, with the work kept: ${what}`, async ({ rig, provider }) => {
      provider.tell(plainStory('a'));
      provider.misbehave(isReport, refusal);
      const before = Date.now();
      const { exit, stdout } = await rig.run(by(provider, ...GRAPH));
      expect(exit).toBe(5);
      expect(stdout).toContain(words);
      const asked = provider.chats().length;
      const status = await rig.status();
      expect(status).toMatchObject({ status: 'paused', why: 'provider' });
      const wait = status.resetAt === null ? null : Math.round((status.resetAt - before) / 60_000);
      expect(wait).toBe(hasTime ? 60 : null);
      if (hasTime) {
        const time = new Date(status.resetAt ?? 0).toTimeString().slice(0, 5);
        expect((await rig.run(['status'])).stdout).toContain(time);
      }
      expect(rig.journal().events.filter(({ type }) => type === 'node.kept')).toHaveLength(1);
      expect(written(rig)).toBe('done\n');
      expect(provider.chats()).toHaveLength(asked);

      expect((await rig.run(['resume'])).exit).toBe(0);
      const sums = reckon(rig.journal().events);
      expect(sums.charged).toEqual(provider.reported());
      expect(sums.estimated).toBe(0);
    });
  }
});

describe.concurrent('a provider that asks for patience', () => {
  test('F-173 is not asked before the time it has named', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    provider.misbehave(isReport, refuses(429, { message: 'Slow down' }, { 'retry-after': '2' }));
    const { estimated } = await completes(rig, provider);
    expect(estimated).toBe(0);
    const [first, second] = provider.chats().filter(isReport);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  test('can be paused meanwhile, and is not asked again', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    provider.misbehave(isReport, refuses(429, { message: 'Slow down' }, { 'retry-after': '60' }));
    const owner = rig.start(by(provider, ...GRAPH));
    await until('it was refused', () => provider.chats().some(isReport));
    await provider.chats().find(isReport)?.request.ended;
    const begun = performance.now();
    owner.kill('SIGINT');
    expect((await owner.ended).exit).toBe(130);
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(provider.chats().filter(isReport)).toHaveLength(1);
    expect((await rig.run(['resume'])).exit).toBe(0);
    expect(reckon(rig.journal().events).charged).toEqual(provider.reported());
  });

  test('F-172 is asked once more by one, and not by three, of those who wait', async ({ rig, provider }) => {
    const { env } = preload(rig, { warp: 20 });
    const plan = rig.plan({
      nodes: [{ slug: 'a', run: 'echo done > a.txt', checks: [{ run: 'test -f a.txt' }] }],
    });
    provider.tell(ACHIEVED);
    provider.misbehave(() => true, refuses(429, { message: 'Slow down' }), 7);
    const { exit } = await rig.run(by(provider, 'run', plan), { env });
    expect(exit).toBe(0);
    // Three at first, then one at a time until one is answered; and each asks twice once it is well again.
    expect(provider.chats()).toHaveLength(7 + 6);
  });
});

describe.concurrent('a stream that breaks', () => {
  const half = '{"path":"a.txt","content":"ha';
  const breaks = [
    ['F-166 is cut in the middle of a tool call', [call('write', half), CUT]],
    ['F-166 ends in the middle of a tool call without saying so', [call('write', half)]],
    ['F-166 is cut after a whole call, before its end', [call('write', `${half}lf"}`), CUT]],
  ] as const;
  for (const [what, steps] of breaks) {
    test(`${what}: nothing of it is run, and it is asked again`, async ({ rig, provider }) => {
      provider.tell(plainStory('a'));
      let before: string | null = 'not looked at';
      provider.misbehave(isWorker, stream(...steps));
      const second = provider.hold((chat) => isWorker(chat) && provider.chats('worker').length === 2);
      void second.arrived.then(() => {
        before = written(rig);
        second.release();
      });
      const { estimated } = await completes(rig, provider);
      expect(before).toBeNull();
      // It may have been billed, and nobody said how much.
      expect(estimated).toBeGreaterThan(0);
      const [first, again] = provider.chats('worker');
      expect(again?.body).toEqual(first?.body);
    });
  }

  test('F-170 at the limit of the output runs no call whose arguments are cut', async ({ rig, provider }) => {
    provider.tell([
      planned([{ slug: 'a' }]),
      { role: 'worker', turn: 1, calls: [{ name: 'write', args: half }], finish: 'length' },
      { role: 'worker', turn: 2, calls: [{ name: 'write', args: { path: 'a.txt', content: 'done\n' } }] },
      { role: 'worker', turn: 3, calls: [report()] },
      ...ACHIEVED,
    ]);
    await completes(rig, provider);
    const told = provider.chats('worker')[1]?.body.messages.at(-1);
    expect(told).toMatchObject({ role: 'tool' });
    expect(told?.content).toContain('write was not run');
  });

  const silences = [
    [
      'F-148 in the middle of a tool call, with signs of life',
      [call('write', half), KEEP_ALIVE, KEEP_ALIVE, HANG],
    ],
    ['before it has begun', [HANG]],
  ] as const;
  for (const [what, steps] of silences) {
    test(`that falls silent ${what}, is given up and asked again`, async ({ rig, provider }) => {
      const { env } = preload(rig, { warp: 120 });
      provider.tell(plainStory('a'));
      provider.misbehave(isWorker, stream(...steps));
      const { estimated } = await completes(rig, provider, env);
      expect(estimated).toBeGreaterThan(0);
      expect(provider.open()).toBe(0);
    });
  }
});

describe.concurrent('an answer that is none', () => {
  const word = 'more '.repeat(20_000);
  const rows = [
    ['50 MB of text', stream({ do: 'repeat', text: event(chunk({ content: word })), times: 500 }, DONE)],
    ['50 MB without a line break', stream({ do: 'repeat', text: word, times: 500 })],
    ['garbage in the place of JSON', stream({ do: 'raw', text: 'data: {"choices":[{\n\n' }, DONE)],
    ['JSON that is no chunk', stream({ do: 'raw', text: 'data: {"choices":7}\n\n' }, DONE)],
    ['nothing at all', stream(DONE)],
  ] as const;
  for (const [what, reply] of rows) {
    test(`is asked for again, and costs the worker nothing: ${what}`, async ({ rig, provider }) => {
      provider.tell(plainStory('a'));
      provider.misbehave(isWorker, reply);
      const { exit } = await rig.run(by(provider, ...GRAPH));
      expect(exit).toBe(0);
      expect(written(rig)).toBe('done\n');
      const sums = reckon(rig.journal().events);
      expect(sums.charged).toEqual(provider.reported());
      const [first, again] = provider.chats('worker');
      expect(again?.body).toEqual(first?.body);
    });
  }
});

describe.concurrent('an outage that does not look like one', () => {
  const rows = [
    ['every stream is cut', stream(call('write', '{"pa'), CUT)],
    ['every stream falls silent', stream(HANG)],
    ['every reply is garbage', stream({ do: 'raw', text: 'data: {"choices":[{\n\n' }, DONE)],
    ['every answer is of another kind', sends(200, 'application/json', '{"choices":[]}')],
  ] as const;
  for (const [what, reply] of rows) {
    test(`pauses the run, fails no node, and is charged for four tries at most: ${what}`, async ({
      rig,
      provider,
    }) => {
      const { env } = preload(rig, { warp: 120 });
      provider.tell(plainStory('a'));
      provider.misbehave(isWorker, reply, 1_000);
      const { exit } = await rig.run(by(provider, ...GRAPH), { env });
      expect(exit).toBe(5);
      expect(provider.chats('worker').length).toBeLessThanOrEqual(4);
      const status = await rig.status();
      expect(status).toMatchObject({ status: 'paused', why: 'provider' });
      expect(status.nodes[0]?.status).toBe('ready');
    });
  }
});

describe.concurrent('a vendor with ways of its own', () => {
  const needsReasoning = ({ messages }: ChatBody): boolean =>
    messages.every(({ role, tool_calls: calls, reasoning_content: said }) => {
      return role !== 'assistant' || calls === undefined || (said !== undefined && said !== '');
    });

  test('F-154, F-155 gets back its thoughts with every tool call, empty ones as a blank', async ({
    rig,
    provider,
  }) => {
    provider.models = ['kimi-k2-thinking'];
    const thinking: readonly Step[] = [
      { ...planned([{ slug: 'a' }]), reasoning: 'One node will do.' },
      { role: 'worker', turn: 1, reasoning: 'I look first.', calls: [bash('ls')] },
      {
        role: 'worker',
        turn: 2,
        reasoning: '',
        calls: [{ name: 'write', args: { path: 'a.txt', content: 'done\n' } }],
      },
      { role: 'worker', turn: 3, reasoning: 'Done, I think.', calls: [report()] },
      ...ACHIEVED,
    ];
    provider.tell(thinking);
    const refusal = refuses(400, { message: 'thinking is enabled but reasoning_content is missing' });
    provider.misbehave(({ body }) => !needsReasoning(body), refusal, 100);
    const { exit } = await rig.run([
      ...GRAPH,
      '--model',
      'moonshot/kimi-k2-thinking',
      '--base-url',
      provider.baseUrl,
    ]);
    expect(exit).toBe(0);
    expect(provider.chats().every(({ body }) => needsReasoning(body))).toBe(true);
    const said = provider
      .chats('worker')
      .at(-1)
      ?.body.messages.map((message) => message.reasoning_content);
    expect(said?.filter((words) => words !== undefined)).toEqual(['I look first.', ' ']);
  });

  test('F-160 that wants another field for the limit says so once', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const message =
      "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
    provider.misbehave(({ body }) => body.max_tokens !== undefined, refuses(400, { message }), 100);
    await completes(rig, provider);
    expect(provider.chats().filter(({ body }) => body.max_tokens !== undefined)).toHaveLength(1);
    expect(provider.chats()[0]?.body.model).toBe(MODEL);
  });
});
