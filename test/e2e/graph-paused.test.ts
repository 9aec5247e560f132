/** A pause while a provider is at work: the connection is closed, and from then on nobody is asked. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import { until } from '../support/os.ts';
import { reckon, typesOf } from '../support/rig-model-ledger.ts';
import { bash, ACHIEVED, plainStory, planned, report } from '../support/rig-model-story.ts';
import { by, test, type Provider } from '../support/rig-model.ts';
import type { Rig } from '../support/rig.ts';

const GRAPH = ['graph', 'Write the file', '--budget', '1m'] as const;

/** At rest: nothing is under way at the provider, and nothing of the run has happened after the pause but its bills. */
function mustBeQuiet(rig: Rig, provider: Provider): readonly RunEvent[] {
  expect(rig.alive()).toEqual([]);
  expect(provider.open()).toBe(0);
  const { events } = rig.journal();
  const after = typesOf(events.slice(typesOf(events).lastIndexOf('run.paused') + 1));
  const quiet = ['budget.charged', 'budget.released', 'node.kept', 'late'];
  expect(after.filter((type) => !quiet.includes(type))).toEqual([]);
  expect(reckon(events)).toMatchObject({ reserved: 0 });
  return events;
}

async function goesOn(rig: Rig, provider: Provider): Promise<void> {
  expect((await rig.run(['resume'])).exit).toBe(0);
  const sums = reckon(rig.journal().events);
  expect(sums.charged).toEqual(provider.reported());
  expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\n');
}

describe.concurrent('a pause while a request is under way', () => {
  for (const role of ['planner', 'worker', 'skeptic']) {
    test(`F-1 by SIGINT closes the connection of the ${role}, and resume goes on`, async ({
      rig,
      provider,
    }) => {
      provider.tell(plainStory('a'));
      const held = provider.hold(({ key }) => key.role === role);
      const owner = rig.start(by(provider, ...GRAPH));
      const { request } = await held.arrived;
      owner.kill('SIGINT');
      expect((await owner.ended).exit).toBe(130);
      expect(await request.ended).toBe('closed');
      const asked = provider.requests.length;
      mustBeQuiet(rig, provider);
      expect(await rig.status()).toMatchObject({ status: 'paused', why: 'user' });
      expect(provider.requests).toHaveLength(asked);
      await goesOn(rig, provider);
    });
  }

  test('by another terminal does the same, with exit code 3', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const owner = rig.start(by(provider, ...GRAPH));
    const { request } = await held.arrived;
    const asked = provider.chats().length;
    expect((await rig.run(['pause'])).exit).toBe(0);
    expect(await request.ended).toBe('closed');
    expect((await owner.ended).exit).toBe(3);
    expect(provider.chats()).toHaveLength(asked);
    mustBeQuiet(rig, provider);
    await goesOn(rig, provider);
  });

  test('closes those of all three skeptics of the final panel', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = [1, 2, 3].map((seat) =>
      provider.hold(({ key }) => key.node === 'gn-final' && key.seat === seat),
    );
    const owner = rig.start(by(provider, ...GRAPH));
    const chats = await Promise.all(held.map(({ arrived }) => arrived));
    owner.kill('SIGTERM');
    expect((await owner.ended).exit).toBe(143);
    for (const { request } of chats) expect(await request.ended).toBe('closed');
    mustBeQuiet(rig, provider);
    await goesOn(rig, provider);
  });
});

describe.concurrent('a pause while a command of the worker runs', () => {
  test('F-2 ends the command, and stays a pause after SIGKILL', async ({ rig, provider }) => {
    const begun = join(rig.workspace, 'begun.txt');
    provider.tell([
      planned([{ slug: 'a', scope: [] }]),
      {
        role: 'worker',
        turn: 1,
        calls: [bash('echo $$ > begun.txt; trap "" TERM; sleep 3; echo done > a.txt')],
      },
      { role: 'worker', turn: 2, calls: [bash('echo done > a.txt')] },
      { role: 'worker', turn: 3, calls: [report()] },
      ...ACHIEVED,
    ]);
    const owner = rig.start(by(provider, ...GRAPH, '--sandbox', 'off'));
    await until('the command runs', () => {
      return rig.alive().some(({ command }) => command.startsWith('sleep 3'));
    });
    const asked = provider.chats().length;
    owner.kill('SIGINT');
    await until('the pause is stored', () => typesOf(rig.journal().events).includes('run.paused'));
    owner.kill('SIGKILL');
    await owner.ended;
    expect(readFileSync(begun, 'utf8')).not.toBe('');
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'user' });
    // A pause that is there already is refused, and nothing is asked for it.
    await rig.run(['pause']);
    expect(provider.chats()).toHaveLength(asked);
    expect((await rig.run(['resume'])).exit).toBe(0);
    expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\n');
    const told = provider.chats('worker')[1]?.body.messages.at(-1)?.content;
    expect(told).toMatch(/interrupted|stopped|ended by|killed|aborted/i);
  });

  test('F-10 is resumed by one of two that try at once, and the other is told', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const owner = rig.start(by(provider, ...GRAPH));
    await held.arrived;
    owner.kill('SIGINT');
    await owner.ended;
    const ends = await Promise.all([rig.run(['resume']), rig.run(['resume'])]);
    const codes = ends.map(({ exit }) => exit).sort();
    expect(codes).toEqual([0, 2]);
    const { events } = rig.journal();
    expect(typesOf(events).filter((type) => type === 'run.resumed')).toHaveLength(1);
    expect(provider.chats('worker')).toHaveLength(3);
  });
});
