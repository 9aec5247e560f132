/** SIGINT, SIGTERM, SIGHUP: the first pauses in order, a second one does not wait. */

import { describe, expect } from 'vitest';
import { until } from '../support/os.ts';
import { isAlive } from '../support/rig-processes.ts';
import { test, type Rig } from '../support/rig.ts';
import type { Trait } from '../support/rig-puppets.ts';

async function running(rig: Rig, ...traits: readonly Trait[]) {
  const puppet = rig.puppet('a', ...traits);
  const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: puppet.command }] })]);
  const call = await puppet.called();
  return { puppet, owner, call };
}

async function goesOn(rig: Rig, puppet: ReturnType<Rig['puppet']>): Promise<void> {
  const resumed = rig.start(['resume']);
  (await puppet.called()).exit(0);
  expect(await resumed.ended).toMatchObject({ exit: 0, stderr: '' });
  expect(puppet.calls()).toBe(2);
}

/** What is printed last when a run comes to rest in order. */
const END_TABLE = 'goalgraph resume  go on';

describe('one signal', () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    test(`${signal} pauses in order, with exit code ${code}`, async ({ rig }) => {
      const { puppet, owner, call } = await running(rig);
      owner.kill(signal);
      const { exit, stdout } = await owner.ended;
      expect(exit).toBe(code);
      expect(call.endedAt()).not.toBeNull();
      expect(rig.alive()).toEqual([]);
      expect(stdout).toContain(END_TABLE);
      const paused = rig.journal().events.filter(({ type }) => type === 'run.paused');
      expect(paused).toMatchObject([{ why: 'user', detail: signal }]);
      await goesOn(rig, puppet);
    });
  }

  test('SIGHUP is none to a run that no terminal is attached to', async ({ rig }) => {
    const { owner, call } = await running(rig);
    owner.kill('SIGHUP');
    call.exit(0);
    expect(await owner.ended).toMatchObject({ exit: 0, stderr: '' });
  });

  test('starts nothing any more, also when a command ends at that moment', async ({ rig }) => {
    const [a, b] = [rig.puppet('a'), rig.puppet('b')];
    const plan = rig.plan({
      nodes: [
        { slug: 'a', run: a.command },
        { slug: 'b', deps: ['a'], run: b.command },
      ],
    });
    const owner = rig.start(['run', plan, '--json']);
    const call = await a.called();
    owner.kill('SIGINT');
    call.exit(0);
    expect((await owner.ended).exit).toBe(130);
    const types = rig.journal().events.map(({ type }) => type);
    expect(types.slice(types.indexOf('run.paused') + 1).filter((type) => type !== 'late')).toEqual([]);
    expect(b.calls()).toBe(0);
  });
});

describe('a second signal', () => {
  test('within a second of the first is the same key pressed once', async ({ rig }) => {
    const { puppet, owner, call } = await running(rig, 'stubborn');
    owner.kill('SIGINT');
    await owner.says('pausing');
    owner.kill('SIGINT');
    owner.kill('SIGTERM');
    const { exit, stdout } = await owner.ended;
    expect(exit).toBe(130);
    expect(call.endedAt()).not.toBeNull();
    expect(stdout).toContain(END_TABLE);
    await goesOn(rig, puppet);
  });

  test('after that kills at once a command that ignores SIGTERM, and all it started', async ({ rig }) => {
    const { puppet, owner, call } = await running(rig, 'stubborn');
    await call.daemon();
    const children = rig.alive().filter(({ pid }) => pid !== owner.pid);
    expect(children).toHaveLength(2);
    const start = performance.now();
    owner.kill('SIGINT');
    await owner.says('pausing');
    await until('more than a second has passed', () => performance.now() - start > 1_100);
    expect(children.filter(isAlive)).toEqual(children);
    owner.kill('SIGINT');
    await until('they are dead', () => children.filter(isAlive).length === 0);
    // In order, it would have been given two seconds before SIGKILL.
    expect(performance.now() - start).toBeLessThan(2_000);
    expect((await owner.ended).exit).toBe(130);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'user' });
    await goesOn(rig, puppet);
  });
});
