import { describe, expect, it } from 'vitest';
import type { BudgetRequest, Usage } from '../../src/contract/budget.ts';
import type { RunEvent } from '../../src/contract/event.ts';
import type { Limits } from '../../src/contract/limits.ts';
import type { AddedLimits } from '../../src/contract/request.ts';
import { NOTHING_ADDED } from '../../src/contract/request.ts';
import type { ModelSettings } from '../../src/contract/settings.ts';
import { eventOf } from '../../src/graph/request.ts';
import type { Ledger } from '../../src/kernel/ledger.ts';
import { charge, release, request } from '../../src/kernel/ledger-calls.ts';
import { reservedBy, spentBy, standingLeft } from '../../src/kernel/ledger-room.ts';
import { modelRun, type ModelRun } from '../support/model-runs.ts';

const PRICE = { input: 1_000_000, cached: 100_000, output: 2_000_000 };

/** A run at work whose limits are what is given: no panel, so nothing stands reserved unless a test wants it. */
function limited(limits: Partial<Limits>, models: Partial<ModelSettings> = {}): ModelRun {
  const run = modelRun([{ slug: 'a' }, { slug: 'b' }], {
    limits,
    models: { panel: { node: 1, final: 0 }, ...models },
  });
  run.base();
  return run;
}

let now = 5_000;

function ledgerOf(run: ModelRun): Ledger {
  const { ledger } = run.state();
  if (!ledger) throw new Error('no ledger');
  return ledger;
}

/** Asks for a call of this many tokens; the step as the engine makes it. Returns what it was answered. */
function ask(run: ModelRun, tokens: number, more: Partial<BudgetRequest> = {}): string {
  const asked: BudgetRequest = {
    call: 'a worker 1.1',
    role: 'worker',
    model: 'm',
    final: false,
    input: { known: 0, fresh: tokens - 100 },
    maxOutput: 100,
    floor: 100,
    price: null,
    ...more,
  };
  const decided = request(ledgerOf(run), asked, now++);
  if (!decided.ok) return decided.fault.message;
  return run.step(decided.value.answer) ?? decided.value.answer.type;
}

function pay(run: ModelRun, id: number, usage: Usage | null): void {
  const decided = charge(ledgerOf(run), { id, usage, at: now++ });
  if (!decided.ok) throw new Error(decided.fault.message);
  const refused = run.step(decided.value.events[0] as RunEvent);
  if (refused !== null) throw new Error(refused);
}

/** So many tokens, as a provider within the law reports them. */
function used(tokens: number): Usage {
  const output = Math.min(100, tokens - 1);
  return { input: tokens - output, cached: 0, output };
}

/** Events since there were `before`, as `type id`. */
function since(run: ModelRun, before: number): readonly string[] {
  return run
    .events()
    .slice(before)
    .map((event) => ('id' in event ? `${event.type} ${event.id}` : event.type));
}

function resume(run: ModelRun, add: Partial<AddedLimits>): string | null {
  const event = eventOf(
    run.state(),
    { type: 'resume', add: { ...NOTHING_ADDED, ...add }, concurrency: null, models: null },
    now++,
  );
  return event.ok ? run.step(event.value) : event.fault;
}

describe('a budget', () => {
  it('lets calls wait for each other, and grants them in order when one is paid', () => {
    const run = limited({ tokens: 1_000 });
    expect([ask(run, 600), ask(run, 600), ask(run, 200)]).toEqual([
      'budget.reserved',
      'budget.waiting',
      // It would fit, but does not pass those who wait.
      'budget.waiting',
    ]);
    const before = run.events().length;
    pay(run, 1, used(100));
    expect(since(run, before)).toEqual(['budget.charged 1', 'budget.reserved 2', 'budget.reserved 3']);
    run.mustFold();
  });

  it('grants nobody what the first in the queue waits for', () => {
    const run = limited({ tokens: 1_000 });
    for (const tokens of [500, 300, 650, 110]) ask(run, tokens);
    const before = run.events().length;
    pay(run, 2, used(300));
    expect(since(run, before)).toEqual(['budget.charged 2']);
    pay(run, 1, used(1));
    expect(since(run, before).slice(1)).toEqual(['budget.charged 1', 'budget.reserved 3']);
    pay(run, 3, used(600));
    expect(since(run, before).slice(3)).toEqual(['budget.charged 3', 'budget.tripped 4', 'run.paused']);
    run.mustFold();
  });

  it('that can hold a call never again pauses the run, and says what is needed and left', () => {
    const run = limited({ tokens: 1_000 });
    ask(run, 600);
    pay(run, 1, used(600));
    const before = run.events().length;
    expect(ask(run, 500)).toBe('budget.tripped');
    expect(since(run, before)).toEqual(['budget.tripped 2', 'run.paused']);
    expect(run.last('run.paused')).toMatchObject({
      why: 'budget',
      detail: 'a worker 1.1 needs 500 tokens at least, 400 are left',
    });
    expect(run.owes()).toEqual([]);
    run.mustFold();
  });

  it('drops the queue when a call trips that had waited', () => {
    const run = limited({ tokens: 1_000 });
    for (const tokens of [600, 800, 100]) ask(run, tokens);
    const before = run.events().length;
    pay(run, 1, used(500));
    expect(since(run, before)).toEqual([
      'budget.charged 1',
      'budget.tripped 2',
      'run.paused',
      'budget.released 3',
    ]);
    run.mustFold();
  });

  it('of what stands reserved for the end is no other call’s, and says so', () => {
    const run = limited({ tokens: 20_000 }, { panel: { node: 1, final: 1 } });
    expect(standingLeft(ledgerOf(run), false).tokens).toBe(12_000);
    expect(ask(run, 8_001)).toBe('budget.tripped');
    expect(run.last('run.paused').detail).toContain('12000 more are kept for the final verification');
    expect(resume(run, { tokens: 1 })).toBeNull();
    expect(ask(run, 20_001, { final: true })).toBe('budget.reserved');
    run.mustFold();
  });
});

describe('a rest', () => {
  it('drops the queue, takes what ends late, and grants nobody for it', () => {
    const run = limited({ tokens: 1_000 });
    for (const tokens of [600, 600]) ask(run, tokens);
    const before = run.events().length;
    run.pause();
    expect(since(run, before)).toEqual(['run.paused', 'budget.released 2']);
    pay(run, 1, used(100));
    expect(since(run, before).slice(2)).toEqual(['budget.charged 1']);
    expect(spentBy(ledgerOf(run).sums).tokens).toBe(100);
    run.mustFold();
  });

  it('sends nothing: no call is reserved, waits or trips until the run goes on', () => {
    const run = limited({ tokens: 1_000 });
    run.pause();
    for (const tokens of [100, 9_000]) expect(ask(run, tokens)).toContain('nothing is sent');
    expect(resume(run, {})).toBeNull();
    expect(ask(run, 100)).toBe('budget.reserved');
    run.mustFold();
  });

  it('of a run that is cleared drops the queue, and what ends late is still paid', () => {
    const run = limited({ tokens: 1_000 });
    for (const tokens of [600, 600]) ask(run, tokens);
    expect(run.step({ type: 'run.cleared', at: now++ })).toBeNull();
    expect(run.events().at(-1)).toMatchObject({ type: 'budget.released', id: 2 });
    pay(run, 1, null);
    expect(spentBy(ledgerOf(run).sums).tokens).toBe(600);
    run.mustFold();
  });
});

describe('a crash', () => {
  it('charges every open call its reservation, once, and voids the queue', () => {
    const run = limited({ tokens: 1_000 });
    for (const tokens of [300, 400, 900]) ask(run, tokens);
    const before = run.events().length;
    run.crash();
    expect(since(run, before)).toEqual([
      'run.restored',
      'budget.released 3',
      'budget.charged 1',
      'budget.charged 2',
    ]);
    expect(run.last('budget.charged')).toMatchObject({ estimated: true });
    expect(spentBy(ledgerOf(run).sums).tokens).toBe(700);
    expect(reservedBy(ledgerOf(run).open).tokens).toBe(0);
    expect(charge(ledgerOf(run), { id: 1, usage: null, at: now }).ok).toBe(false);
    run.resume();
    run.crash();
    expect(spentBy(ledgerOf(run).sums).tokens).toBe(700);
    run.mustFold();
  });

  it('after a pause, before all that was in flight had ended, charges it as well', () => {
    const run = limited({ tokens: 1_000 });
    ask(run, 300);
    run.pause();
    const before = run.events().length;
    run.crash();
    expect(since(run, before)).toEqual(['run.restored', 'budget.charged 1']);
    expect(run.state().graph.context.paused?.why).toBe('user');
    run.resume();
    expect(run.owes()).toEqual(['round a 1']);
    run.mustFold();
  });
});

describe('more budget', () => {
  function spent(tokens: number | null, models: Partial<ModelSettings> = {}): ModelRun {
    const run = limited({ tokens }, models);
    ask(run, 600);
    pay(run, 1, used(400));
    run.pause();
    return run;
  }

  it('is added to what is left, and forgets nothing that was spent', () => {
    const run = spent(1_000);
    expect(resume(run, { tokens: 500 })).toBeNull();
    expect(ledgerOf(run).limits.tokens).toBe(1_500);
    expect(spentBy(ledgerOf(run).sums).tokens).toBe(400);
    expect(run.last('budget.added')).toMatchObject({ tokens: 1_500, cost: null });
    expect(ask(run, 1_101)).toBe('budget.tripped');
    run.mustFold();
  });

  it('counts from now where there was no limit', () => {
    const run = spent(null);
    expect(resume(run, { tokens: 500 })).toBeNull();
    expect(ledgerOf(run).limits.tokens).toBe(900);
    run.mustFold();
  });

  it('lets what stands reserved grow with it', () => {
    const run = limited({ tokens: 100_000 }, { panel: { node: 1, final: 1 } });
    run.pause();
    expect(ledgerOf(run).standing.tokens).toBe(12_000);
    expect(resume(run, { tokens: 900_000 })).toBeNull();
    expect(ledgerOf(run).standing.tokens).toBe(100_000);
    run.mustFold();
  });

  it('changes nothing of the budget when none is added', () => {
    const run = spent(1_000);
    const before = run.events().length;
    expect(resume(run, {})).toBeNull();
    expect(since(run, before)).toEqual(['run.resumed', 'node.started']);
    run.mustFold();
  });

  it('of money is refused where nobody knows a price, by a sentence that names the model', () => {
    const run = limited({ tokens: 1_000 }, { prices: { worker: PRICE, verifier: null } });
    run.pause();
    expect(resume(run, { cost: 5_000_000 })).toBe(
      'a money limit cannot be kept: there is no price for test/verifier',
    );
    const priced = limited({ tokens: 1_000 }, { prices: { worker: PRICE, verifier: PRICE } });
    priced.pause();
    expect(resume(priced, { cost: 5_000_000 })).toBeNull();
    expect(ledgerOf(priced).limits.cost).toBe(5_000_000);
    expect(ask(priced, 100)).toContain('there is no price for m');
    priced.mustFold();
  });
});

describe('five calls at once', () => {
  it('share what is left: none is refused that fits alone, and the limit holds at every event', () => {
    const run = limited({ tokens: 1_000 });
    const within = () => {
      const { sums, open, limits } = ledgerOf(run);
      expect(spentBy(sums).tokens + reservedBy(open).tokens).toBeLessThanOrEqual(limits.tokens ?? 0);
    };
    for (let call = 0; call < 5; call++) {
      expect(ask(run, 400)).toBe(call < 2 ? 'budget.reserved' : 'budget.waiting');
      within();
    }
    for (let id = 1; id <= 5; id++) {
      pay(run, id, used(150));
      within();
    }
    expect(spentBy(ledgerOf(run).sums).tokens).toBe(750);
    expect(run.state().graph.context.paused).toBeNull();
    run.mustFold();
  });

  it('give back what they do not use or do not send', () => {
    const run = limited({ tokens: 1_000 });
    for (let call = 0; call < 5; call++) ask(run, 900);
    for (let id = 1; id <= 5; id++) {
      const decided = release(ledgerOf(run), { id, at: now++ });
      if (!decided.ok) throw new Error(decided.fault.message);
      expect(run.step(decided.value.events[0] as RunEvent)).toBeNull();
    }
    expect(ledgerOf(run)).toMatchObject({ open: [], waiting: [], sums: [] });
    run.mustFold();
  });
});
