/** A worker that waits for something: nobody is asked until then. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../support/os.ts';
import { typesOf } from '../support/rig-model-ledger.ts';
import { preload } from '../support/rig-model-preload.ts';
import { ACHIEVED, planned, report, type Step } from '../support/rig-model-story.ts';
import { by, test, type Provider } from '../support/rig-model.ts';
import type { Rig } from '../support/rig.ts';

const GRAPH = ['graph', 'Write the file'] as const;

function story(wait: Readonly<Record<string, number>>): readonly Step[] {
  return [
    planned([{ slug: 'a' }]),
    { role: 'worker', round: 1, calls: [report({ status: 'wait', summary: 'The build runs.', ...wait })] },
    {
      role: 'worker',
      round: 2,
      turn: 1,
      calls: [{ name: 'write', args: { path: 'a.txt', content: 'done\n' } }],
    },
    { role: 'worker', round: 2, turn: 2, calls: [report()] },
    ...ACHIEVED,
  ];
}

async function parked(rig: Rig): Promise<void> {
  await until('the node is parked', () => typesOf(rig.journal().events).includes('node.parked'));
}

function untilOf(rig: Rig): number {
  return rig.journal().events.find((event) => event.type === 'node.parked')?.until ?? 0;
}

/** It was woken, and asked again, no sooner than it wanted. */
function mustHaveWaited(rig: Rig, provider: Provider): void {
  const { events } = rig.journal();
  const woken = events.find((event) => event.type === 'wake.ended');
  expect(woken?.at).toBeGreaterThanOrEqual(untilOf(rig));
  expect(provider.chats('worker').map(({ key }) => `${key.round}.${key.turn}`)).toEqual([
    '1.1',
    '2.1',
    '2.2',
  ]);
  expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\n');
}

describe.concurrent('a worker that waits for a time', () => {
  test('F-5 is not asked before, and goes on then', async ({ rig, provider }) => {
    provider.tell(story({ wait_minutes: 0.03 }));
    const owner = rig.start(by(provider, ...GRAPH));
    await parked(rig);
    const asked = provider.chats().length;
    const [node] = (await rig.status()).nodes;
    expect(node).toMatchObject({ status: 'parked', goal: { until: untilOf(rig) } });
    expect(provider.chats()).toHaveLength(asked);
    expect((await owner.ended).exit).toBe(0);
    mustHaveWaited(rig, provider);
    const times = provider.chats('worker').map(({ at }) => at);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_800);
  });

  test('keeps to that time over SIGKILL', async ({ rig, provider }) => {
    provider.tell(story({ wait_minutes: 0.05 }));
    const owner = rig.start(by(provider, ...GRAPH));
    await parked(rig);
    owner.kill('SIGKILL');
    await owner.ended;
    const time = untilOf(rig);
    expect((await rig.status()).nodes[0]).toMatchObject({ status: 'parked', goal: { until: time } });
    expect((await rig.run(['resume'])).exit).toBe(0);
    expect(untilOf(rig)).toBe(time);
    mustHaveWaited(rig, provider);
  });

  test('can be paused, and goes on at once when the time has come meanwhile', async ({ rig, provider }) => {
    provider.tell(story({ wait_minutes: 0.03 }));
    const owner = rig.start(by(provider, ...GRAPH));
    await parked(rig);
    owner.kill('SIGINT');
    expect((await owner.ended).exit).toBe(130);
    const asked = provider.chats().length;
    await until('its time has come', () => Date.now() > untilOf(rig));
    expect(provider.chats()).toHaveLength(asked);
    expect((await rig.run(['resume'])).exit).toBe(0);
    mustHaveWaited(rig, provider);
  });
});

describe.concurrent('a worker that waits for a process', () => {
  test('F-7 costs no request until it has ended', async ({ rig, provider }) => {
    const { env } = preload(rig, { warp: 20 });
    const build = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const ended = new Promise((resolve) => build.once('exit', resolve));
    provider.tell(story({ wait_process: build.pid ?? 0 }));
    // In a sandbox the numbers of processes are others.
    const owner = rig.start(by(provider, ...GRAPH, '--sandbox', 'off'), { env });
    await parked(rig);
    const asked = provider.chats().length;
    // Long enough for it to have looked, by its own clock.
    const begun = performance.now();
    await until('it has looked a few times', () => performance.now() - begun > 1_000);
    expect(provider.chats()).toHaveLength(asked);
    build.kill('SIGKILL');
    await ended;
    expect((await owner.ended).exit).toBe(0);
    expect(provider.chats('worker')).toHaveLength(3);
  });
});
