import { describe, expect, it } from 'vitest';
import type { Ended } from '../../src/contract/event.ts';
import { nodeId } from '../../src/contract/ids.ts';
import type { NodeView } from '../../src/contract/view.ts';
import { owed } from '../../src/graph/owed.ts';
import { keepRecords } from '../../src/graph/records.ts';
import { viewOf } from '../../src/graph/view.ts';
import { answer, GREEN, RED, runOf } from '../support/answers.ts';
import { created, plan, stepper, type NodeText } from '../support/plans.ts';

/** A run that can be looked at after each step. */
function shown(nodes: readonly NodeText[], limits = {}) {
  const first = created(plan(nodes), { limits });
  const run = stepper(first);
  const view = () => {
    const records = keepRecords();
    for (const event of run.events()) records.add(event);
    return viewOf(first, run.state(), records);
  };
  return {
    ...run,
    view,
    node: (slug: string): NodeView => {
      const node = view().nodes.find((one) => one.slug === slug);
      if (!node) throw new Error(`no node ${slug}`);
      return node;
    },
    end(command: string, how: Ended = GREEN) {
      const effect = owed(run.state()).find((one) => runOf(one) === command);
      if (!effect) throw new Error(`${command} is not owed`);
      run.step(answer(effect, how));
    },
  };
}

const three = ({ executed, claimed, verified }: NodeView) => [executed, claimed, verified];

describe('what is shown of a node', () => {
  it('are three records that do not stand in for each other', () => {
    const run = shown([{ slug: 'a' }]);
    expect(three(run.node('a'))).toEqual([false, false, false]);
    run.end('work a');
    expect(three(run.node('a'))).toEqual([true, true, false]);
    run.end('check a', RED);
    expect(three(run.node('a'))).toEqual([true, true, false]);
    const failed = shown([{ slug: 'a' }]);
    failed.end('work a', RED);
    expect(three(failed.node('a'))).toEqual([true, false, false]);
    const achieved = shown([{ slug: 'a' }]);
    achieved.end('work a');
    achieved.end('check a');
    expect(three(achieved.node('a'))).toEqual([true, true, true]);
  });

  it('is what is in flight: its command, then its check', () => {
    const run = shown([{ slug: 'a' }]);
    expect(run.node('a')).toMatchObject({
      status: 'running',
      command: 'work a',
      startedAt: 1_000,
      attempts: 1,
    });
    run.end('work a');
    expect(run.node('a')).toMatchObject({ status: 'verifying', command: 'check a' });
  });

  it('is why it fell short, and whom it is held by', () => {
    const run = shown([{ slug: 'a' }, { slug: 'b', deps: ['a'] }]);
    run.end('work a');
    run.end('check a', RED);
    expect(run.node('a').reason).toBe('check `check a`: exit 1');
    expect(run.node('b').reason).toBe('held by a');
    expect(run.node('a').checks).toMatchObject([{ run: 'check a', end: { exit: 1 } }]);
  });

  it('counts its attempts: retries and reruns, but not a pause between its command and its check', () => {
    const run = shown([{ slug: 'a', retries: 1 }]);
    run.end('work a', RED);
    expect(run.node('a')).toMatchObject({ attempts: 2, work: null, rerun: false });
    const again = () => {
      run.step({ type: 'run.paused', at: 3_000, why: 'user', detail: null, resetAt: null });
      expect(run.node('a')).toMatchObject({ status: 'ready', startedAt: null });
      const { limits } = created(plan([{ slug: 'a' }]));
      run.step({ type: 'run.resumed', at: 4_000, limits, concurrency: 1, models: null, moves: 0 });
    };
    again();
    expect(run.node('a')).toMatchObject({ attempts: 3, rerun: true, startedAt: 4_000 });
    run.end('work a');
    again();
    expect(run.node('a')).toMatchObject({ attempts: 3, rerun: false, status: 'verifying' });
  });

  it('forgets the ends of a node that is tried anew, not that it was tried', () => {
    const run = shown([{ slug: 'a' }]);
    run.end('work a', RED);
    run.step({ type: 'node.retried', at: 3_000, node: nodeId('a') });
    expect(run.node('a')).toMatchObject({ status: 'ready', work: null, reason: null, attempts: 1, ms: 5 });
  });

  it('counts nothing of a node that has to be shown again, because one it is built on is tried anew', () => {
    const run = shown([{ slug: 'a' }, { slug: 'b', deps: ['a'] }]);
    for (const command of ['work a', 'check a', 'work b', 'check b']) run.end(command);
    run.end('check a', RED);
    run.end('check b');
    run.step({ type: 'node.retried', at: 3_000, node: nodeId('a') });
    expect(run.node('b')).toMatchObject({ status: 'waiting', attempts: 1, work: null });
    expect(three(run.node('b'))).toEqual([false, false, false]);
  });

  it('adds up to the run: counts, time, deadline', () => {
    const run = shown([{ slug: 'a' }, { slug: 'b', deps: ['a'] }], { maxTime: 60_000 });
    run.end('work a');
    expect(run.view()).toMatchObject({
      status: 'running',
      why: null,
      runningSince: 1_000,
      deadline: 61_000,
      ran: 0,
      counts: { verifying: 1, waiting: 2, running: 0 },
      limits: { maxTime: 60_000, tokens: null },
    });
    run.step({ type: 'run.paused', at: 3_500, why: 'user', detail: 'goalgraph pause', resetAt: null });
    expect(run.view()).toMatchObject({
      status: 'paused',
      why: 'user',
      detail: 'goalgraph pause',
      ran: 2_500,
      deadline: null,
    });
  });
});
