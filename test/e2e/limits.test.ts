/** Time limits on a real clock: what is in flight is ended, and only more time lets the run go on. */

import { describe, expect } from 'vitest';
import { test } from '../support/rig.ts';

describe('a run whose time is up', () => {
  test('pauses in order with exit code 4, and goes on only with more time', async ({ rig }) => {
    const a = rig.puppet('a');
    const plan = rig.plan({ nodes: [{ slug: 'a', run: a.command }] });
    const owner = rig.start(['run', plan, '--max-time', '1s']);
    const call = await a.called();
    const { exit, stdout } = await owner.ended;
    expect(exit).toBe(4);
    expect(stdout).toContain('goalgraph resume --max-time');
    expect(call.endedAt()).not.toBeNull();
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'deadline' });

    const refused = await rig.run(['resume']);
    expect(refused).toMatchObject({ exit: 2, stdout: '' });
    expect(refused.stderr).toContain('--max-time');
    expect(a.calls()).toBe(1);

    const resumed = rig.start(['resume', '--max-time', '10m']);
    (await a.called()).exit(0);
    expect((await resumed.ended).exit).toBe(0);
  });

  test('counts the time it ran, not the time between a crash and its resumption', async ({ rig }) => {
    const a = rig.puppet('a');
    const plan = rig.plan({ nodes: [{ slug: 'a', run: a.command }] });
    const owner = rig.start(['run', plan, '--max-time', '10m']);
    await a.called();
    owner.kill('SIGKILL');
    await owner.ended;
    const { events } = rig.journal();
    const resumed = rig.start(['resume']);
    (await a.called()).exit(0);
    expect((await resumed.ended).exit).toBe(0);
    const view = await rig.status();
    const after = rig.journal().events.slice(events.length);
    const restored = after.find(({ type }) => type === 'run.resumed');
    // Of the first process nothing is known after its last event, which came with the first.
    expect(view.ran).toBe((after.at(-1)?.at ?? 0) - (restored?.at ?? 0));
  });
});
