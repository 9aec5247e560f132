/** The owner of a run dies by SIGKILL: what it had set going is ended before anything runs again. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../support/os.ts';
import { eventsIn } from '../support/rig-journal.ts';
import type { Running } from '../support/rig-cli.ts';
import { isAlive } from '../support/rig-processes.ts';
import { test } from '../support/rig.ts';

async function kill(owner: Running): Promise<void> {
  owner.kill('SIGKILL');
  await owner.ended;
}

describe('after its owner was killed with SIGKILL', () => {
  test('a run is gone on with only when the old command and all it started are dead', async ({ rig }) => {
    const slow = rig.puppet('slow', 'stubborn');
    const plan = rig.plan({
      nodes: [{ slug: 'slow', run: slow.command, checks: [{ run: 'test -f done' }] }],
    });
    const owner = rig.start(['run', plan]);
    const first = await slow.called();
    await first.daemon();
    await kill(owner);
    const orphans = rig.alive();
    expect(orphans).toHaveLength(2);
    expect(first.endedAt()).toBeNull();

    const resumed = rig.start(['resume', '--json']);
    const aliveAtFirstLine = new Promise((resolve) => resumed.onLine(() => resolve(orphans.filter(isAlive))));
    const second = await slow.called();
    expect(await aliveAtFirstLine).toEqual([]);
    expect(first.endedAt()).toBeLessThan(second.startedAt);
    await second.write('done', 'yes');
    second.exit(0);

    const { exit, stdout } = await resumed.ended;
    expect(exit).toBe(0);
    const events = eventsIn(stdout);
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual([
      'run.restored',
      'run.resumed',
      'node.started',
    ]);
    expect(events.find(({ type }) => type === 'work.ended')).toMatchObject({ rerun: true, exit: 0 });
    expect(slow.calls()).toBe(2);
  });

  test('nothing is written any more by what was cut', async ({ rig }) => {
    const writer = rig.puppet('writer', 'stubborn', 'beating');
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: writer.command }] })]);
    const first = await writer.called();
    const file = join(rig.workspace, 'beats');
    const beats = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
    const beatsOf = (pid: number) => beats().filter((line) => line === String(pid)).length;
    await until('it writes', () => beatsOf(first.pid) > 0);
    await kill(owner);
    const atDeath = beatsOf(first.pid);
    await until('it still writes, though its owner is dead', () => beatsOf(first.pid) > atDeath);

    const resumed = rig.start(['resume', '--json']);
    const atFirstLine = new Promise((resolve) => resumed.onLine(() => resolve(beatsOf(first.pid))));
    const second = await writer.called();
    const before = await atFirstLine;
    await until('the new one writes', () => beatsOf(second.pid) > 20);
    expect(beatsOf(first.pid)).toBe(before);
    expect(beats().lastIndexOf(String(first.pid))).toBeLessThan(beats().indexOf(String(second.pid)));
    second.exit(0);
    expect((await resumed.ended).exit).toBe(0);
  });

  test('a check that was cut runs again, but not the command before it', async ({ rig }) => {
    const [work, check] = [rig.puppet('work'), rig.puppet('check')];
    const node = { slug: 'a', run: work.command, checks: [{ run: check.command, once: true }] };
    const owner = rig.start(['run', rig.plan({ nodes: [node] })]);
    (await work.called()).exit(0);
    const first = await check.called();
    await kill(owner);
    const resumed = rig.start(['resume', '--json']);
    const second = await check.called();
    expect(first.endedAt()).toBeLessThan(second.startedAt);
    second.exit(0);
    const { exit, stdout } = await resumed.ended;
    expect(exit).toBe(0);
    expect(eventsIn(stdout).find(({ type }) => type === 'node.started')).toMatchObject({ rerun: false });
    expect([work.calls(), check.calls()]).toEqual([1, 2]);
    expect((await rig.status()).nodes[0]).toMatchObject({
      attempts: 1,
      executed: true,
      claimed: true,
      verified: true,
    });
  });

  test('a command that must not be repeated blocks its node, until a person says retry', async ({ rig }) => {
    const [once, other] = [rig.puppet('once'), rig.puppet('other')];
    const plan = rig.plan({
      nodes: [
        { slug: 'once', scope: ['once'], run: once.command, onCut: 'block' },
        { slug: 'after', deps: ['once'], run: 'true' },
        { slug: 'other', scope: ['other'], run: other.command },
      ],
    });
    const owner = rig.start(['run', plan]);
    await once.called();
    await other.called();
    await kill(owner);

    const resumed = rig.start(['resume']);
    (await other.called()).exit(0);
    const { exit, stdout } = await resumed.ended;
    expect(exit).toBe(3);
    expect(stdout).toContain('goalgraph retry once');
    expect(once.calls()).toBe(1);
    const { nodes } = await rig.status();
    expect(nodes.map(({ slug, status, reason }) => `${slug} ${status}: ${reason ?? ''}`)).toEqual([
      'once blocked: its command was cut, and on-cut says block',
      'after held: held by once',
      'other achieved: ',
      'gn-final held: held by once',
    ]);

    expect((await rig.run(['retry', 'once'])).exit).toBe(0);
    const again = rig.start(['resume']);
    (await once.called()).exit(0);
    expect((await again.ended).exit).toBe(0);
    expect([once.calls(), other.calls()]).toEqual([2, 2]);
  });
});
