import { describe, expect, it } from 'vitest';
import { NOTHING_ADDED, type Request } from '../../src/contract/request.ts';
import type { Limits } from '../../src/contract/limits.ts';
import { eventOf } from '../../src/graph/request.ts';
import { created, plan, stepper } from '../support/plans.ts';

const AT = 10_000;

function paused(limits: Partial<Limits> = {}) {
  const run = stepper(created(plan([{ slug: 'parse-csv' }, { slug: 'write' }]), { limits }));
  run.step({ type: 'run.paused', at: 5_000, why: 'user', detail: null, resetAt: null });
  return run;
}

function ask(request: Request, limits: Partial<Limits> = {}) {
  return eventOf(paused(limits).state(), request, AT);
}

describe('a request', () => {
  it('names a node by its slug or its id', () => {
    const run = paused();
    const bySlug = eventOf(run.state(), { type: 'skip', node: 'write' }, AT);
    if (!bySlug.ok || bySlug.value.type !== 'node.skipped') throw new Error('not skipped');
    expect(eventOf(run.state(), { type: 'skip', node: bySlug.value.node }, AT)).toEqual(bySlug);
  });

  it('for a node that is not there names the nearest one', () => {
    expect(ask({ type: 'retry', node: 'parse-cvs' })).toEqual({
      ok: false,
      fault: 'there is no node parse-cvs; did you mean parse-csv?',
    });
    expect(ask({ type: 'retry', node: 'constructor' })).toEqual({
      ok: false,
      fault: 'there is no node constructor: goalgraph status lists them',
    });
  });

  it('to edit a node carries the plan that results, and is refused if the gate refuses that', () => {
    const edit = { type: 'edit', node: 'write', spec: null, run: 'make', checks: ['test -f x'] } as const;
    expect(ask(edit)).toMatchObject({ ok: true, value: { type: 'node.edited', version: 2, run: 'make' } });
    const trivial = ask({ ...edit, checks: ['true'] });
    expect(trivial.ok ? '' : trivial.fault).toContain('check');
  });

  it.each([
    ['what is left', { maxTime: 60_000 }, { maxTime: 10_000 }, { maxTime: 70_000 }],
    ['now, where time had run out', { maxTime: 1_000 }, { maxTime: 10_000 }, { maxTime: 14_000 }],
    ['now, where there was no limit', {}, { maxTime: 10_000 }, { maxTime: 14_000 }],
    ['the tokens there were', { tokens: 100 }, { tokens: 50 }, { tokens: 150 }],
    ['nothing, when nothing is added', { maxTime: 60_000, tokens: 7 }, {}, { maxTime: 60_000, tokens: 7 }],
  ])('to resume adds limits to %s', (_, limits, add, expected) => {
    const event = ask(
      { type: 'resume', add: { ...NOTHING_ADDED, ...add }, concurrency: null, models: null },
      limits,
    );
    expect(event).toMatchObject({
      ok: true,
      value: { limits: { tokens: null, maxTime: null, ...expected } },
    });
  });

  it('to resume after the deadline is refused, and says what to add', () => {
    const resume = { type: 'resume', add: NOTHING_ADDED, concurrency: null, models: null } as const;
    for (const limits of [{ maxTime: 1_000 }, { until: 9_000 }]) {
      const refused = ask(resume, limits);
      expect(refused.ok ? '' : refused.fault).toContain('--max-time');
    }
    expect(ask({ ...resume, add: { ...NOTHING_ADDED, until: 99_000 } }, { until: 9_000 }).ok).toBe(true);
  });
});
