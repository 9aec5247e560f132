/** What a run may spend: counted whatever the provider does, never passed, and raised by a person only. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import { until } from '../support/os.ts';
import { reckon, typesOf } from '../support/rig-model-ledger.ts';
import { preload } from '../support/rig-model-preload.ts';
import {
  ACHIEVED,
  bash,
  planned,
  plainStory,
  report,
  writer,
  type Step,
} from '../support/rig-model-story.ts';
import { by, MODEL, test, type Provider } from '../support/rig-model.ts';
import type { Rig } from '../support/rig.ts';
import { refuses } from '../support/wire-replies.ts';

const OBJECTIVE = 'Write the files';

/** What was charged is what was reported, and nothing was ever reserved beyond the limit. */
function mustAddUp(events: readonly RunEvent[], provider: Provider): ReturnType<typeof reckon> {
  const sums = reckon(events);
  expect(sums.charged).toEqual(provider.reported());
  expect(sums.reserved).toBe(0);
  expect(sums.worst).toBeLessThanOrEqual(0);
  return sums;
}

async function spentIn(rig: Rig): Promise<number | undefined> {
  return (await rig.status()).budget?.spent.tokens;
}

describe('a plan that the gate refuses', () => {
  test('F-31 twice is the end of the planning: all faults shown, the tokens counted, and resume plans again', async ({
    rig,
    provider,
  }) => {
    const circle = planned([
      { slug: 'a', deps: ['b'] },
      { slug: 'b', deps: ['a'] },
      { slug: 'c', deps: ['nobody'] },
    ]);
    provider.tell([circle]);
    const { exit, stdout } = await rig.run(by(provider, 'graph', OBJECTIVE, '--budget', '500k'));
    expect(exit).toBe(5);
    for (const words of ['wait for each other', 'a, b', 'nobody', 'goalgraph resume'])
      expect(stdout).toContain(words);
    expect(provider.chats().map(({ key }) => key.role)).toEqual(['planner', 'planner']);
    const refusedOnce = mustAddUp(rig.journal().events, provider);
    expect(refusedOnce.calls).toBe(2);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'infra' });
    expect(await spentIn(rig)).toBe(refusedOnce.spent);

    provider.tell(plainStory('a'));
    expect((await rig.run(['resume'])).exit).toBe(0);
    // A planning of its own: it is not shown the conversation of the last one.
    expect(provider.chats('planner')[2]?.body.messages).toHaveLength(2);
    expect(await spentIn(rig)).toBe(mustAddUp(rig.journal().events, provider).spent);
  });
});

describe('a provider that reports no usage', () => {
  test('F-28 is charged what was reserved, marked as estimated, until the budget trips', async ({
    rig,
    provider,
  }) => {
    provider.tell(plainStory('a', 'b', 'c'), { usage: 'none' });
    const { exit, stdout } = await rig.run(by(provider, 'graph', OBJECTIVE, '--budget', '90k'));
    expect(exit).toBe(4);
    expect(stdout).toContain('goalgraph resume --budget');
    const { charged, estimated, worst, calls } = reckon(rig.journal().events);
    expect(charged).toEqual({ input: 0, cached: 0, output: 0 });
    expect(estimated).toBeGreaterThan(15_000);
    expect(calls).toBe(provider.chats().length);
    expect(worst).toBeLessThanOrEqual(0);
    const { budget } = await rig.status();
    expect(budget?.total.estimated).toBe(estimated);
    expect(budget?.spent.tokens).toBe(estimated);
  });
});

/** Its third turn is its report. */
const SLOW_WRITER: readonly Step[] = [
  ...writer('a').slice(0, 1),
  { role: 'worker', node: 'a', turn: 2, calls: [bash('cat a.txt')] },
  { role: 'worker', node: 'a', turn: 3, calls: [report()] },
];

describe.concurrent('a budget that is used up', () => {
  test('F-22 keeps the work as a patch and in place, and resume with more goes on where it was', async ({
    rig,
    provider,
  }) => {
    const story = [planned([{ slug: 'a' }]), ...SLOW_WRITER, ...ACHIEVED];
    provider.tell(story, { usage: 'dear' });
    const { exit } = await rig.run(by(provider, 'graph', OBJECTIVE, '--budget', '90k'));
    expect(exit).toBe(4);
    const { events } = rig.journal();
    expect(typesOf(events)).toContain('budget.tripped');
    const kept = events.filter((event) => event.type === 'node.kept');
    expect(kept).toMatchObject([{ files: 1, detail: null }]);
    expect(kept[0]?.patch).not.toBeNull();
    expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\n');
    const tripped = mustAddUp(events, provider);
    const asked = provider.chats('worker').at(-1)?.body.messages ?? [];

    // Without more there is nothing to go on with, and nobody is asked.
    const before = provider.chats().length;
    expect((await rig.run(['resume'])).exit).toBe(4);
    expect(provider.chats()).toHaveLength(before);

    provider.tell(story);
    expect((await rig.run(['resume', '--budget', '500k'])).exit).toBe(0);
    const next = provider.chats('worker').at(-1)?.body.messages ?? [];
    expect(next.slice(0, asked.length)).toEqual(asked);
    expect(next.length).toBe(asked.length + 2);
    const { spent } = mustAddUp(rig.journal().events, provider);
    expect(spent).toBeGreaterThan(tripped.spent);
    const status = await rig.status();
    expect(status.budget).toMatchObject({ spent: { tokens: spent }, limits: { tokens: 590_000 } });
  });

  test('F-23 lets one of three skeptics ask at a time, and no request passes it', async ({
    rig,
    provider,
  }) => {
    // Each is shown the objective, so that there is room for one request and not for two.
    const plan = rig.plan({
      objective: 'Make a. '.repeat(400),
      nodes: [{ slug: 'a', run: 'echo done > a.txt', checks: [{ run: 'grep -q done a.txt' }] }],
    });
    provider.tell(ACHIEVED, { usage: 'dear' });
    const first = provider.hold(() => true);
    const owner = rig.start(by(provider, 'run', plan, '--budget', '40k'));
    await first.arrived;
    const waiting = () => typesOf(rig.journal().events).filter((type) => type === 'budget.waiting').length;
    await until('the others wait', () => waiting() === 2);
    expect(provider.chats('skeptic')).toHaveLength(1);
    first.release();
    expect((await owner.ended).exit).toBe(4);
    mustAddUp(rig.journal().events, provider);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'budget' });
  });

  test('F-29 in money trips by the price that is known, whatever cost the provider names', async ({
    rig,
    provider,
  }) => {
    const folder = join(rig.env['HOME'] ?? '', '.config/goalgraph');
    mkdirSync(folder, { recursive: true });
    const prices = { [MODEL]: { input: 10, output: 20 } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ prices }));
    provider.tell(plainStory('a', 'b'), { usage: 'dear' });
    const { exit } = await rig.run(by(provider, 'graph', OBJECTIVE, '--max-cost', '2usd'));
    expect(exit).toBe(4);
    const { input, output } = mustAddUp(rig.journal().events, provider).charged;
    const cost = (await rig.status()).budget?.spent.cost ?? 0;
    expect(Math.abs(cost - (input * 10 + output * 20))).toBeLessThan(provider.chats().length);
    expect(cost).toBeLessThanOrEqual(2_000_000);
  });
});

describe('a provider that fails for ever', () => {
  test('F-17 is asked a bounded number of times, for nothing, and resume asks again', async ({
    rig,
    provider,
  }) => {
    const { env } = preload(rig, { warp: 200 });
    provider.misbehave(() => true, refuses(500, { message: 'Internal Server Error' }), 1_000);
    const args = [...by(provider, 'graph', OBJECTIVE, '--budget', '500k'), '--skip-look'];
    const { exit, stdout } = await rig.run(args, { env });
    expect(exit).toBe(5);
    expect(stdout).toContain('Internal Server Error');
    const asked = provider.chats().length;
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThanOrEqual(8);
    expect(await rig.status()).toMatchObject({
      status: 'paused',
      why: 'provider',
      budget: { spent: { tokens: 0 } },
    });
    expect((await rig.run(['resume'], { env })).exit).toBe(5);
    expect(provider.chats().length).toBeLessThanOrEqual(2 * asked);
  });
});
