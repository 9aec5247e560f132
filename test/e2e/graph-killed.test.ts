/** SIGKILL at the points of a model's work where something is under way, and what the next process makes of it. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import { until } from '../support/os.ts';
import type { Running } from '../support/rig-cli.ts';
import type { Chat } from '../support/rig-model-chat.ts';
import { reckon, typesOf } from '../support/rig-model-ledger.ts';
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
import { by, test, type Provider } from '../support/rig-model.ts';
import type { Rig } from '../support/rig.ts';

const GRAPH = ['graph', 'Write the file', '--budget', '500k'] as const;
const MAYBE = 'may or may not have happened';

async function kill(owner: Running): Promise<void> {
  owner.kill('SIGKILL');
  expect((await owner.ended).signal).toBe('SIGKILL');
}

/** Goes on to the end; what was charged is what was reported, and for each request that was cut its reservation. */
async function resumes(
  rig: Rig,
  provider: Provider,
  cut: number,
  exact = true,
): Promise<readonly RunEvent[]> {
  const held = reckon(rig.journal().events);
  const { exit } = await rig.run(['resume']);
  expect({ exit, unknown: provider.unknown }).toEqual({ exit: 0, unknown: [] });
  const { events } = rig.journal();
  const sums = reckon(events);
  const reported = provider.reported();
  if (exact) expect(sums.charged).toEqual(reported);
  // A reply that nobody was left to store is among what was reported, and its reservation is at least as much.
  expect(sums.charged.input).toBeLessThanOrEqual(reported.input);
  expect(sums.spent).toBeGreaterThanOrEqual(reported.input + reported.output);
  expect(sums.estimated).toBe(held.reserved);
  expect(sums.reserved).toBe(0);
  expect(sums.worst).toBeLessThanOrEqual(0);
  // What was reserved may not have been sent yet.
  if (exact) expect(provider.chats()).toHaveLength(sums.calls);
  const charges = events.filter((event) => event.type === 'budget.charged');
  expect(new Set(charges.map(({ id }) => id)).size).toBe(charges.length);
  expect(charges.filter(({ estimated }) => estimated)).toHaveLength(cut);
  const status = await rig.status();
  expect(status.budget?.spent.tokens).toBe(sums.spent);
  // F-34: the limit is that of the command line that began it.
  expect(status.limits.tokens).toBe(500_000);
  return events;
}

function messagesOf(chat: Chat | undefined) {
  return chat?.body.messages ?? [];
}

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

describe.concurrent('a process that is killed between a reply and the results of its calls', () => {
  const points = [
    ['planner', 'turn.ended', 1],
    ['worker', 'turn.ended', 1],
    ['worker', 'turn.ended', 2],
    ['worker', 'tools.ended', 1],
    ['skeptic', 'turn.ended', 2],
    ['skeptic', 'tools.ended', 1],
  ] as const;
  for (const [role, type, turn] of points) {
    test(`${role}: ${type} of turn ${turn}`, async ({ rig, provider }) => {
      provider.tell(plainStory('a'));
      await killedAt(rig.start([...by(provider, ...GRAPH), '--json']), role, type, turn);
      const { reserved } = reckon(rig.journal().events);
      await resumes(rig, provider, reserved > 0 ? 1 : 0, reserved === 0);
      const { events } = rig.journal();
      // One reply of each turn is stored, and each is answered once.
      for (const kind of ['turn.ended', 'tools.ended'] as const) {
        const keys = events.flatMap((event) =>
          event.type === kind ? `${JSON.stringify(event.session)} ${event.round}.${event.turn}` : [],
        );
        expect(new Set(keys).size).toBe(keys.length);
      }
      expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\n');
      for (const one of ['worker', 'planner']) mustGoOn(provider.chats(one));
    });
  }

  test('has not used up an attempt of the planner, whose plan nobody has looked at', async ({
    rig,
    provider,
  }) => {
    provider.tell(plainStory('a'));
    let args: readonly string[] = by(provider, ...GRAPH);
    for (const turn of [1, 2, 3]) {
      await killedAt(rig.start([...args, '--json']), 'planner', 'turn.ended', turn);
      // If it was faster than the kill, there is nothing to see here.
      if (typesOf(rig.journal().events).includes('run.planned')) break;
      args = ['resume'];
    }
    expect((await rig.run(['resume'])).exit).toBe(0);
  });
});

async function killedAt(owner: Running, role: string, type: RunEvent['type'], turn: number): Promise<void> {
  owner.onLine((line) => {
    const event = JSON.parse(line) as RunEvent;
    if (!('session' in event) || event.session.role !== role || event.type !== type) return;
    if ('turn' in event && event.turn === turn) owner.kill('SIGKILL');
  });
  expect((await owner.ended).signal).toBe('SIGKILL');
}

/** Each request of a conversation begins with all that the one before it had. */
function mustGoOn(chats: readonly Chat[]): void {
  chats.slice(1).forEach((chat, i) => {
    const before = messagesOf(chats[i]);
    expect(messagesOf(chat).slice(0, before.length)).toEqual(before);
  });
}
