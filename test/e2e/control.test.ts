/** Control from a second terminal while another process drives the run. Puppets hold the run where the test wants it. */

import { describe, expect } from 'vitest';
import { nodeId } from '../../src/contract/ids.ts';
import { test, type Rig } from '../support/rig.ts';

/** What was asked of the owner last, and the event it became; tells how long that took, and asserts nothing on it. */
function lastRequest(rig: Rig, type: string) {
  const { events, inbox } = rig.journal();
  const posted = inbox.at(-1);
  const event = events.findLast((each) => each.type === type);
  if (!posted || !event) throw new Error(`no request, or no ${type}`);
  process.stderr.write(`${type}: ${event.at - posted.postedAt} ms after it was asked for\n`);
  return { request: JSON.parse(posted.request) as unknown, answer: posted.answer, event };
}

const AGREED = JSON.stringify({ refused: null });

describe('from a second terminal', () => {
  test('pause ends what is in flight, and the run can be gone on with', async ({ rig }) => {
    const [a, b] = [rig.puppet('a'), rig.puppet('b')];
    const plan = rig.plan({
      nodes: [
        { slug: 'a', run: a.command },
        { slug: 'b', deps: ['a'], run: b.command },
      ],
    });
    const owner = rig.start(['run', plan]);
    const call = await a.called();

    expect(await rig.run(['pause'])).toMatchObject({ exit: 0, stdout: 'Paused. Go on: goalgraph resume\n' });
    expect(lastRequest(rig, 'run.paused')).toMatchObject({
      request: { type: 'pause' },
      answer: AGREED,
      event: { why: 'user', detail: 'goalgraph pause' },
    });
    expect((await owner.ended).exit).toBe(3);
    expect(call.endedAt()).not.toBeNull();
    expect(rig.journal().events.map(({ type }) => type)).toEqual([
      'run.created',
      'node.started',
      'run.paused',
      'late',
    ]);

    const resumed = rig.start(['resume']);
    (await a.called()).exit(0);
    (await b.called()).exit(0);
    expect(await resumed.ended).toMatchObject({ exit: 0, stderr: '' });
  });

  test('retry starts a failed node again while others still run', async ({ rig }) => {
    const [bad, long] = [rig.puppet('bad'), rig.puppet('long')];
    const owner = rig.start([
      'run',
      rig.plan({
        nodes: [
          { slug: 'bad', scope: ['bad'], run: bad.command },
          { slug: 'long', scope: ['long'], run: long.command },
        ],
      }),
    ]);
    const longCall = await long.called();
    (await bad.called()).exit(7);
    await owner.says('bad: failed');

    expect((await rig.run(['retry', 'bad'])).exit).toBe(0);
    const again = await bad.called();
    expect(lastRequest(rig, 'node.retried').answer).toBe(AGREED);
    expect(longCall.endedAt()).toBeNull();
    again.exit(0);
    longCall.exit(0);
    expect((await owner.ended).exit).toBe(0);
  });

  test('skip lets the dependents of a failed node start', async ({ rig }) => {
    const [long, after] = [rig.puppet('long'), rig.puppet('after')];
    const owner = rig.start([
      'run',
      rig.plan({
        nodes: [
          { slug: 'bad', scope: ['bad'], run: 'exit 7' },
          { slug: 'long', scope: ['long'], run: long.command },
          { slug: 'after', deps: ['bad'], scope: ['after'], run: after.command },
        ],
      }),
    ]);
    const longCall = await long.called();
    await owner.says('bad: failed');
    expect(after.calls()).toBe(0);

    expect((await rig.run(['skip', 'bad'])).exit).toBe(0);
    (await after.called()).exit(0);
    expect(lastRequest(rig, 'node.skipped').answer).toBe(AGREED);
    longCall.exit(0);
    const { exit, stdout } = await owner.ended;
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^\S+ bad +skipped/m);
  });

  test('edit ends the old command before the new one starts', async ({ rig }) => {
    const [old, next] = [rig.puppet('old', 'stubborn'), rig.puppet('next')];
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'x', run: old.command }] })]);
    const oldCall = await old.called();

    expect(
      (await rig.run(['edit', 'x', '--run-command', next.command, '--check', 'test -f made'])).exit,
    ).toBe(0);
    const nextCall = await next.called();
    expect(lastRequest(rig, 'node.edited')).toMatchObject({ answer: AGREED, event: { version: 2 } });
    expect(oldCall.endedAt()).toBeLessThan(nextCall.startedAt);
    await nextCall.write('made', 'by the new command');
    nextCall.exit(0);
    expect((await owner.ended).exit).toBe(0);
    expect(await rig.status()).toMatchObject({ planVersion: 2, status: 'complete' });
  });

  test('clear gives the run up, and another may begin', async ({ rig }) => {
    const a = rig.puppet('a');
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }] })]);
    await a.called();
    expect((await rig.run(['clear'])).exit).toBe(0);
    expect(lastRequest(rig, 'run.cleared').answer).toBe(AGREED);
    expect((await owner.ended).exit).toBe(3);
    expect((await rig.status()).status).toBe('cleared');
    expect(await rig.run(['resume'])).toMatchObject({ exit: 2, stdout: '' });
    expect((await rig.run(['run', rig.plan({ nodes: [{ slug: 'b', run: 'true' }] })])).exit).toBe(0);
  });

  test('what cannot be done is refused with a reason, and the run goes on', async ({ rig }) => {
    const a = rig.puppet('a');
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'alpha', run: a.command }] })]);
    const call = await a.called();
    for (const [args, words] of [
      [['retry', 'alpha'], 'alpha is running'],
      [['retry', 'alhpa'], 'did you mean alpha?'],
      [['skip', 'gn-final'], 'final verification'],
      [['edit', 'gn-final', '--run-command', 'true'], 'final node'],
      [['edit', 'alpha', '--check', 'true'], 'alpha'],
      [['edit', 'alpha'], '--spec-file'],
    ] as const) {
      const { exit, stdout, stderr } = await rig.run(args);
      expect({ args, exit, stdout }).toEqual({ args, exit: 2, stdout: '' });
      expect(stderr).toContain(words);
    }
    expect(a.calls()).toBe(1);
    call.exit(0);
    expect((await owner.ended).exit).toBe(0);
  });

  test('looking shows the run as it is, and does not disturb it', async ({ rig }) => {
    const a = rig.puppet('a');
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }] })]);
    const call = await a.called();
    const looks = [['status'], ['show'], ['runs'], ['log', 'a'], ['export', '--format', 'mermaid']];
    for (const args of looks) {
      expect(await rig.run(args)).toMatchObject({ exit: 0, stderr: '' });
    }
    const { status, nodes } = await rig.status();
    expect(status).toBe('running');
    expect(nodes.find(({ id }) => id === nodeId('a'))).toMatchObject({ status: 'running', attempts: 1 });
    call.exit(0);
    expect((await owner.ended).exit).toBe(0);
  });
});
