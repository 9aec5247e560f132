/** Who drives a run: one process at a time, and which one is never left to chance or to a guess. */

import { describe, expect } from 'vitest';
import { test, type Rig } from '../support/rig.ts';
import type { Puppet } from '../support/rig-puppets.ts';

async function pausedRun(rig: Rig, puppet: Puppet): Promise<string> {
  const plan = rig.plan({ nodes: [{ slug: 'a', run: puppet.command }] });
  const owner = rig.start(['run', plan]);
  await puppet.called();
  expect((await rig.run(['pause'])).exit).toBe(0);
  expect((await owner.ended).exit).toBe(3);
  return plan;
}

describe('a run that is going', () => {
  test('is not resumed, and not started over, by a second process', async ({ rig }) => {
    const a = rig.puppet('a');
    const plan = rig.plan({ nodes: [{ slug: 'a', run: a.command }] });
    const owner = rig.start(['run', plan]);
    const call = await a.called();
    const resume = await rig.run(['resume']);
    expect(resume).toMatchObject({ exit: 2, stdout: '' });
    expect(resume.stderr).toContain(`running already (process ${owner.pid})`);
    const second = await rig.run(['run', plan]);
    expect(second).toMatchObject({ exit: 2, stdout: '' });
    expect(second.stderr).toContain(`process ${owner.pid} on `);
    expect(a.calls()).toBe(1);
    call.exit(0);
    expect((await owner.ended).exit).toBe(0);
  });

  test('is one of two that were begun at the same moment', async ({ rig }) => {
    const a = rig.puppet('a');
    const plan = rig.plan({ nodes: [{ slug: 'a', run: a.command }] });
    const both = [rig.start(['run', plan]), rig.start(['run', plan])];
    const call = await a.called();
    const loser = await Promise.race(both.map((each) => each.ended.then((end) => ({ each, end }))));
    const winner = both.find((each) => each !== loser.each);
    expect(loser.end).toMatchObject({ exit: 2, stdout: '' });
    expect(loser.end.stderr).toContain(`process ${winner?.pid ?? 0} on `);
    call.exit(0);
    expect((await winner?.ended)?.exit).toBe(0);
    expect(a.calls()).toBe(1);
    expect((await rig.run(['runs'])).stdout.trim().split('\n')).toHaveLength(1);
  });

  test('is not reached by what is asked of an older one', async ({ rig }) => {
    const [a, b] = [rig.puppet('a'), rig.puppet('b')];
    const first = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }] })]);
    (await a.called()).exit(0);
    expect((await first.ended).exit).toBe(0);
    const { run } = await rig.status();
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: b.command }] })]);
    const call = await b.called();
    for (const args of [['pause'], ['skip', 'a'], ['clear'], ['resume']]) {
      const { exit, stdout, stderr } = await rig.run([...args, '--run', run]);
      expect({ args, exit, stdout }).toEqual({ args, exit: 2, stdout: '' });
      expect(stderr).toContain(String(owner.pid));
    }
    expect((await rig.run(['status', '--run', run])).stdout).toContain('complete');
    call.exit(0);
    expect((await owner.ended).exit).toBe(0);
    expect((await rig.status()).run).not.toBe(run);
  });

  test('loses none of 20 requests that are made at once', async ({ rig }) => {
    const a = rig.puppet('a');
    const slugs = Array.from({ length: 20 }, (_, i) => `n${i}`);
    const rest = slugs.map((slug) => ({ slug, deps: ['a'], run: 'false' }));
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }, ...rest] })]);
    const call = await a.called();
    const ends = await Promise.all(slugs.map((slug) => rig.run(['skip', slug])));
    expect(ends.map(({ exit, stderr }) => `${exit}${stderr}`)).toEqual(slugs.map(() => '0'));
    const { events, inbox } = rig.journal();
    expect(events.filter(({ type }) => type === 'node.skipped')).toHaveLength(20);
    expect(inbox.map(({ answer }) => answer)).toEqual(slugs.map(() => JSON.stringify({ refused: null })));
    call.exit(0);
    expect((await owner.ended).exit).toBe(0);
    expect((await rig.status()).counts.skipped).toBe(20);
  });
});

describe('a paused run', () => {
  test('stands in the way of another, which names what to do', async ({ rig }) => {
    const a = rig.puppet('a');
    const plan = await pausedRun(rig, a);
    const { exit, stdout, stderr } = await rig.run(['run', plan]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('goalgraph resume');
    expect(stderr).toContain('goalgraph clear');
    expect(a.calls()).toBe(1);
    expect((await rig.status()).status).toBe('paused');
  });

  test('loses none of 20 requests that are made at once, with nobody driving', async ({ rig }) => {
    const a = rig.puppet('a');
    const slugs = Array.from({ length: 20 }, (_, i) => `n${i}`);
    const rest = slugs.map((slug) => ({ slug, deps: ['a'], run: 'false' }));
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }, ...rest] })]);
    await a.called();
    expect((await rig.run(['pause'])).exit).toBe(0);
    await owner.ended;
    const ends = await Promise.all(
      slugs.map((slug) => rig.run(['edit', slug, '--run-command', `touch ${slug}`])),
    );
    expect(ends.map(({ exit, stderr }) => `${exit}${stderr}`)).toEqual(slugs.map(() => '0'));
    expect((await rig.status()).planVersion).toBe(21);
    const resumed = rig.start(['resume']);
    (await a.called()).exit(0);
    expect((await resumed.ended).exit).toBe(0);
  });

  test('is driven by exactly one of two that resume it, over and over', async ({ rig }) => {
    const a = rig.puppet('a');
    await pausedRun(rig, a);
    for (let round = 0; round < 4; round++) {
      const both = [rig.start(['resume']), rig.start(['resume'])];
      const call = await a.called();
      const loser = await Promise.race(both.map((each) => each.ended.then((end) => ({ each, end }))));
      const winner = both.find((each) => each !== loser.each);
      expect(loser.end).toMatchObject({ exit: 2, stdout: '' });
      expect(loser.end.stderr).toContain(`process ${winner?.pid ?? 0}`);
      expect(a.calls()).toBe(round + 2);
      // Half of the time it is paused, half of the time it is killed.
      if (round % 2 === 0) expect((await rig.run(['pause'])).exit).toBe(0);
      else winner?.kill('SIGKILL');
      await winner?.ended;
      if (round % 2 === 0) expect(call.endedAt()).not.toBeNull();
    }
    const last = rig.start(['resume']);
    (await a.called()).exit(0);
    expect((await last.ended).exit).toBe(0);
  });

  test('can be resumed at once, while its last owner is still ending a stubborn command', async ({ rig }) => {
    const a = rig.puppet('a', 'stubborn');
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }] })]);
    const first = await a.called();
    expect((await rig.run(['pause'])).exit).toBe(0);
    expect(owner.isOver()).toBe(false);
    const resumed = rig.start(['resume']);
    const second = await a.called();
    expect(first.endedAt()).toBeLessThan(second.startedAt);
    expect((await owner.ended).exit).toBe(3);
    second.exit(0);
    expect((await resumed.ended).exit).toBe(0);
  });
});

describe('a run whose owner was killed', () => {
  test('says so, and is paused, retried and cleared like any other', async ({ rig }) => {
    const a = rig.puppet('a');
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }] })]);
    const call = await a.called();
    owner.kill('SIGKILL');
    await owner.ended;
    expect((await rig.run(['status'])).stdout).toContain('Its process is gone');
    expect(await rig.run(['pause'])).toMatchObject({ exit: 0, stderr: '' });
    expect(call.endedAt()).not.toBeNull();
    expect(await rig.status()).toMatchObject({ status: 'paused' });
    expect((await rig.run(['clear'])).exit).toBe(0);
    expect(await rig.status()).toMatchObject({ status: 'cleared' });
  });
});

describe('with nothing to resume', () => {
  test('a workspace without a run says how to start one, and stays as it is', async ({ rig }) => {
    for (const args of [
      ['resume'],
      ['pause'],
      ['retry', 'a'],
      ['clear'],
      ['status'],
      ['log', 'a'],
      ['runs'],
      ['show'],
    ]) {
      const { exit, stdout, stderr } = await rig.run(args);
      expect({ args, exit, stdout }).toEqual({ args, exit: 2, stdout: '' });
      expect(stderr).toContain('goalgraph run FILE');
    }
    expect(rig.journal().events).toEqual([]);
  });

  test('a complete run refuses, and an unknown id is named', async ({ rig }) => {
    expect((await rig.run(['run', rig.plan({ nodes: [{ slug: 'a', run: 'true' }] })])).exit).toBe(0);
    for (const args of [['resume'], ['pause'], ['retry', 'a'], ['skip', 'a'], ['clear']]) {
      const { exit, stdout, stderr } = await rig.run(args);
      expect({ args, exit, stdout }).toEqual({ args, exit: 2, stdout: '' });
      expect(stderr).toContain('complete');
    }
    for (const args of [['resume'], ['status'], ['pause'], ['log', 'a']]) {
      const unknown = await rig.run([...args, '--run', '20200101-000000-dead']);
      expect(unknown).toMatchObject({ exit: 2, stdout: '' });
      expect(unknown.stderr).toContain('20200101-000000-dead');
      expect(unknown.stderr).toContain('goalgraph runs');
    }
    expect(rig.journal().events.at(-1)?.type).toBe('run.completed');
  });
});
