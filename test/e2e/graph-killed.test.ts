/** SIGKILL at the points of a model's work where something is under way, and what the next process makes of it. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../support/os.ts';
import type { Chat } from '../support/rig-model-chat.ts';
import { GRAPH, kill, MAYBE, messagesOf, resumes } from '../support/rig-model-kill.ts';
import { reckon } from '../support/rig-model-ledger.ts';
import {
  ACHIEVED,
  bash,
  plainStory,
  planned,
  report,
  verdict,
  writer,
  type Step,
} from '../support/rig-model-story.ts';
import { by, test } from '../support/rig-model.ts';

describe.concurrent('a process that is killed while a request is under way', () => {
  test('F-32 is succeeded by one that asks the same again, thoughts included, and repeats nothing else', async ({
    rig,
    provider,
  }) => {
    provider.models = ['kimi-k2-thinking'];
    const story: readonly Step[] = [
      planned([{ slug: 'a', scope: ['a.txt', 'count.txt'] }]),
      {
        role: 'worker',
        turn: 1,
        reasoning: 'Once is enough.',
        calls: [bash('echo x >> count.txt; echo done > a.txt')],
      },
      { role: 'worker', turn: 2, reasoning: 'It is written.', calls: [report()] },
      ...ACHIEVED,
    ];
    provider.tell(story);
    const held = provider.hold(({ key }) => key.role === 'worker' && key.turn === 2);
    const model = ['--model', 'moonshot/kimi-k2-thinking', '--base-url', provider.baseUrl];
    const owner = rig.start([...GRAPH, ...model]);
    const before = await held.arrived;
    await kill(owner);
    await before.request.ended;
    await resumes(rig, provider, 1);
    const [, cut, again] = provider.chats('worker');
    expect(cut).toBe(before);
    expect(again?.body).toEqual(before.body);
    expect(messagesOf(again).map((message) => message.reasoning_content)).toContain('Once is enough.');
    expect(readFileSync(join(rig.workspace, 'count.txt'), 'utf8')).toBe('x\n');
  });

  test('is succeeded by one that knows the plan, when it was the planner that was asked', async ({
    rig,
    provider,
  }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'planner');
    const owner = rig.start(by(provider, ...GRAPH));
    const before = await held.arrived;
    await kill(owner);
    await resumes(rig, provider, 1);
    const planners = provider.chats('planner');
    expect(planners.map(({ body }) => body)).toEqual([before.body, before.body]);
  });

  test('pays for all three skeptics of the final panel, and asks three again', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const isFinal = ({ key }: Chat) => key.node === 'gn-final';
    const held = [1, 2, 3].map((seat) => provider.hold((chat) => isFinal(chat) && chat.key.seat === seat));
    const owner = rig.start(by(provider, ...GRAPH));
    await Promise.all(held.map(({ arrived }) => arrived));
    await kill(owner);
    await resumes(rig, provider, 3);
    expect(provider.chats().filter(isFinal)).toHaveLength(3 + 6);
  });

  test('keeps the round it was in, and the gaps it had to close', async ({ rig, provider }) => {
    const gap = 'a.txt must say done twice, and says it once';
    provider.tell([
      planned([{ slug: 'a' }]),
      ...writer('a').map((step) => ({ ...step, round: 1 })),
      { role: 'skeptic', node: 'a', round: 1, turn: 1, calls: [bash('cat a.txt')] },
      { role: 'skeptic', node: 'a', round: 1, turn: 2, calls: [verdict('refuted', [gap])] },
      { role: 'worker', round: 2, turn: 1, calls: [bash('echo done >> a.txt')] },
      { role: 'worker', round: 2, turn: 2, calls: [report()] },
      ...ACHIEVED,
    ]);
    const held = provider.hold(({ key }) => key.role === 'worker' && key.round === 2 && key.turn === 1);
    const owner = rig.start(by(provider, ...GRAPH));
    await held.arrived;
    await kill(owner);
    const [node] = (await rig.status()).nodes;
    expect(node?.goal).toMatchObject({ round: 2, verification: 1, gaps: [{ text: gap, state: 'open' }] });
    const events = await resumes(rig, provider, 1);
    expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\ndone\n');
    expect(provider.chats('worker').map(({ key }) => `${key.round}.${key.turn}`)).toEqual([
      '1.1',
      '1.2',
      '2.1',
      '2.1',
      '2.2',
    ]);
    const rounds = events.filter((event) => event.type === 'round.ended');
    expect(rounds.map(({ round, outcome }) => `${round} ${outcome}`)).toEqual(['1 claim', '2 claim']);
    const [last] = (await rig.status()).nodes;
    expect(last?.goal).toMatchObject({ round: 2, verification: 2, gaps: [{ text: gap, state: 'closed' }] });
  });
});

/** Says that it has begun, and does its work when it is let. */
const SLOW = bash(
  'echo begun >> begun.txt; while ! test -f go.txt; do sleep 0.05; done; echo x >> count.txt; echo done > a.txt',
);

describe.concurrent('a process that is killed while a command of the worker runs', () => {
  for (const sandbox of ['auto', 'off']) {
    test(`takes it along or has it ended, and the model is told that nobody knows: --sandbox ${sandbox}`, async ({
      rig,
      provider,
    }) => {
      provider.tell([
        planned([{ slug: 'a', scope: ['a.txt', 'count.txt', 'begun.txt', 'go.txt'] }]),
        { role: 'worker', turn: 1, text: 'I write it.', calls: [SLOW] },
        { role: 'worker', turn: 2, calls: [report()] },
        ...ACHIEVED,
      ]);
      const owner = rig.start(by(provider, ...GRAPH, '--sandbox', sandbox));
      const begun = join(rig.workspace, 'begun.txt');
      await until('the command runs', () => existsSync(begun));
      await kill(owner);
      const again = provider.hold(({ key }) => key.role === 'worker');
      const next = rig.start(['resume']);
      const { body } = await again.arrived;
      // The one that was cut must not wake up now.
      writeFileSync(join(rig.workspace, 'go.txt'), '');
      expect(body.messages.at(-1)).toMatchObject({ role: 'tool' });
      expect(body.messages.at(-1)?.content).toContain(MAYBE);
      const [first] = provider.chats('worker');
      expect(body.messages.slice(0, -2)).toEqual(messagesOf(first));
      again.release();
      expect((await next.ended).exit).toBe(0);
      expect(readFileSync(begun, 'utf8')).toBe('begun\nbegun\n');
      expect(readFileSync(join(rig.workspace, 'count.txt'), 'utf8')).toBe('x\n');
      const sums = reckon(rig.journal().events);
      expect({ charged: sums.charged, estimated: sums.estimated }).toEqual({
        charged: provider.reported(),
        estimated: 0,
      });
    });
  }
});
