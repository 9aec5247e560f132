import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import { nodeId } from '../../src/contract/ids.ts';
import type { Request } from '../../src/contract/request.ts';
import { NOTHING_ADDED } from '../../src/contract/request.ts';
import { ran } from '../../src/kernel/ledger.ts';
import { eventOf } from '../../src/graph/request.ts';
import { planningRun, type ModelRun } from '../support/model-runs.ts';
import { plan } from '../support/plans.ts';

const PLAN = plan(
  [
    { slug: 'a', run: null },
    { slug: 'b', run: null, deps: ['a'] },
  ],
  [],
  true,
);

const planned = (epoch: number, at = 2_000): RunEvent => ({
  type: 'run.planned',
  at,
  epoch,
  plan: PLAN,
  warnings: [],
});

function ask(run: ModelRun, request: Request, at = 9_000): string | null {
  const event = eventOf(run.state(), request, at);
  return event.ok ? run.step(event.value) : event.fault;
}

const value = (run: ModelRun) => run.state().graph.value;

describe('planning', () => {
  it('is owed by a run without a plan, and its plan starts the run', () => {
    const run = planningRun();
    expect([value(run), run.owes()]).toEqual(['planning', ['plan 0']]);
    expect(run.step(planned(0))).toBeNull();
    expect([value(run), run.owes()]).toEqual(['running', ['base a']]);
    run.mustFold();
  });

  it('takes no plan of an older planning, and no second one', () => {
    const run = planningRun();
    run.pause();
    expect(run.step(planned(0))).toContain('nobody waits for run.planned');
    run.resume();
    expect(run.owes()).toEqual(['plan 1']);
    expect(run.step(planned(0))).toContain('nobody waits for run.planned');
    expect(run.step(planned(1))).toBeNull();
    expect(run.step(planned(1))).toContain('nobody waits for run.planned');
    run.mustFold();
  });

  it('that the gate refuses to the end pauses, and says all that is wrong', () => {
    const run = planningRun();
    const faults = ['a has no spec', 'b depends on itself'];
    expect(run.step({ type: 'plan.refused', at: 2_000, epoch: 0, faults })).toBeNull();
    const { paused } = run.state().graph.context;
    expect(paused).toMatchObject({ why: 'infra' });
    for (const fault of faults) expect(paused?.detail).toContain(fault);
    run.resume();
    expect(run.owes()).toEqual(['plan 1']);
    expect(run.step({ type: 'plan.refused', at: 3_000, epoch: 0, faults })).toContain('nobody waits');
    run.mustFold();
  });

  it.each(['pause', 'crash'] as const)('plans again after a %s', (how) => {
    const run = planningRun();
    run[how]();
    expect([value(run), run.owes()]).toEqual(['paused', []]);
    run.resume();
    expect([value(run), run.owes()]).toEqual(['planning', ['plan 1']]);
    expect(ask(run, { type: 'resume', add: NOTHING_ADDED, concurrency: null, models: null })).toBe(
      'the run is being planned already',
    );
    run.mustFold();
  });

  it('that failed for its provider goes on when it is resumed', () => {
    const run = planningRun();
    const failed = { type: 'effect.failed', at: 2_000, effect: 'plan 0', detail: 'no key' } as const;
    expect(run.step({ ...failed, why: 'provider', resetAt: 70_000 })).toBeNull();
    expect(run.state().graph.context.paused).toEqual({ why: 'provider', detail: 'no key', resetAt: 70_000 });
    run.resume();
    expect(run.owes()).toEqual(['plan 1']);
  });

  it('knows of no node yet', () => {
    const run = planningRun();
    for (const type of ['retry', 'skip'] as const)
      expect(ask(run, { type, node: 'a' })).toBe('the run has no plan yet');
    expect(ask(run, { type: 'approve' })).toBe('the run has no plan yet');
    expect(ask(run, { type: 'clear' })).toBeNull();
    expect(value(run)).toBe('cleared');
    run.mustFold();
  });
});

describe('a plan that waits for a yes', () => {
  function waiting(): ModelRun {
    const run = planningRun({ approve: true, limits: { maxTime: 60_000 } });
    expect(run.step(planned(0, 3_000))).toBeNull();
    return run;
  }

  it('rests: nothing is owed, and its clock stands', () => {
    const run = waiting();
    expect([value(run), run.owes()]).toEqual(['approval', []]);
    const { ledger } = run.state();
    expect(ledger?.clock.since).toBeNull();
    expect(ledger && ran(ledger, 999_999)).toBe(2_000);
    run.mustFold();
  });

  it('starts when it is approved, and its clock goes on', () => {
    const run = waiting();
    expect(ask(run, { type: 'approve' }, 500_000)).toBeNull();
    expect([value(run), run.owes()]).toEqual(['running', ['base a']]);
    const { ledger } = run.state();
    expect(ledger && ran(ledger, 501_000)).toBe(3_000);
    expect(ask(run, { type: 'approve' })).toContain('approved already');
    run.mustFold();
  });

  it('may be edited, and nodes of it skipped', () => {
    const run = waiting();
    expect(ask(run, { type: 'edit', node: 'b', spec: 'else', run: null, checks: null })).toBeNull();
    expect(run.state().graph.context.plan?.version).toBe(2);
    expect(ask(run, { type: 'skip', node: 'a' })).toBeNull();
    expect([value(run), run.owes()]).toEqual(['approval', []]);
    expect(ask(run, { type: 'approve' })).toBeNull();
    expect(run.owes()).toEqual(['base b']);
    run.mustFold();
  });

  it.each([
    { type: 'pause', by: 'test' },
    { type: 'resume', add: NOTHING_ADDED, concurrency: null, models: null },
  ] as const)('can neither be paused nor resumed, and says what to do: $type', (request) => {
    const run = waiting();
    expect(ask(run, request)).toBe('its plan waits for a yes: goalgraph approve, or goalgraph clear');
    expect(value(run)).toBe('approval');
  });

  it('retries nothing, and can be cleared', () => {
    const run = waiting();
    expect(run.step({ type: 'node.retried', at: 9_000, node: nodeId('a') })).toContain('a is ready');
    expect(ask(run, { type: 'clear' })).toBeNull();
    expect(value(run)).toBe('cleared');
    run.mustFold();
  });

  it('is not asked about when a person wrote it', () => {
    const run = planningRun();
    expect(run.step(planned(0))).toBeNull();
    expect(value(run)).toBe('running');
  });
});
