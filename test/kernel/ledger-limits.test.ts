import { describe, expect, it } from 'vitest';
import { request, topUp } from '../../src/kernel/ledger-calls.ts';
import { reportLedger } from '../../src/kernel/ledger-report.ts';
import { costOf, standingSlice } from '../../src/kernel/ledger-room.ts';
import { call, journal, PRICE } from './ledger-journal.ts';
import { faultOf, valueOf } from './ledger-world.ts';

describe('the slice of the final node', () => {
  it('is out of reach for all others, and counts down with what its roles spend', () => {
    const run = journal({ tokens: 100_000 }, { tokens: 36_000, cost: 0 });
    run.spend(60_000);
    expect(run.ask(call(5_000))).toMatchObject({
      type: 'budget.tripped',
      need: 5_000,
      left: 4_000,
      standing: 36_000,
    });
    expect(run.ask(call(40_000, { final: true })).type).toBe('budget.reserved');
    expect(run.left()).toBe(0);
    run.crash();
    expect(run.ask(call(1, { maxOutput: 1, floor: 1, final: true }))).toMatchObject({
      type: 'budget.tripped',
      standing: 0,
    });
  });

  it('is free again as far as its roles did not use what they reserved', () => {
    const run = journal({ tokens: 100_000 }, { tokens: 36_000, cost: 0 });
    const vote = run.ask(call(30_000, { final: true }));
    run.end(vote.id, { input: 10_000, cached: 0, output: 0 });
    expect(reportLedger(run.ledger).standing).toEqual({ tokens: 26_000, cost: 0 });
    expect(run.ask(call(64_000)).type).toBe('budget.reserved');
    expect(run.ask(call(26_000, { final: true })).type).toBe('budget.reserved');
  });

  it.each([
    ['a tenth', { tokens: 2_000_001, cost: null }, 3, 200_001],
    ['12k a skeptic', { tokens: 100_000, cost: null }, 3, 36_000],
    ['12k a skeptic without a limit, in case one comes', { tokens: null, cost: null }, 5, 60_000],
    ['nothing without a panel', { tokens: 2_000_000, cost: null }, 0, 0],
  ])('is %s', (_name, limits, panel, tokens) => {
    expect(standingSlice({ limits, panel, price: null })).toEqual({ tokens, cost: 0 });
  });

  it('is of money too', () => {
    const limits = { tokens: null, cost: 5_000_000 };
    expect(standingSlice({ limits, panel: 3, price: PRICE }).cost).toBe(500_000);
    expect(standingSlice({ limits: { ...limits, cost: 1_000_000 }, panel: 3, price: PRICE }).cost).toBe(
      180_000,
    );
  });

  it('is no more than the limit', () => {
    const run = journal({ tokens: 10_000 }, { tokens: 36_000, cost: 0 });
    expect(run.ask(call(2))).toMatchObject({ type: 'budget.tripped', left: 0, standing: 10_000 });
    expect(run.ask(call(10_000, { final: true })).type).toBe('budget.reserved');
  });
});

describe('money', () => {
  it.each([
    [{ input: 1_000, cached: 0, output: 500 }, 10_500],
    [{ input: 1_000, cached: 1_000, output: 0 }, 300],
    [{ input: 1, cached: 1, output: 0 }, 1],
    [{ input: 0, cached: 0, output: 0 }, 0],
    [{ input: 99_999_999_999, cached: 0, output: 1 }, 300_000_000_012],
  ])('F-29: %j costs %d millionths of a dollar, by the table and rounded up once', (usage, cost) => {
    expect(costOf(usage, PRICE)).toBe(cost);
  });

  it('is reserved and charged beside tokens', () => {
    const run = journal({ cost: 10_000 });
    const wanted = call(0, { input: { known: 0, fresh: 1_000 }, maxOutput: 1_000, floor: 100, price: PRICE });
    expect(run.ask(wanted)).toMatchObject({ type: 'budget.reserved', granted: 466, hold: { cost: 9_990 } });
    expect(run.ask(wanted).type).toBe('budget.waiting');
    run.end(1, { input: 1_000, cached: 1_000, output: 66 });
    expect(run.events.at(-2)).toMatchObject({ cost: 1_290, estimated: false });
    expect(run.events.at(-1)).toMatchObject({ type: 'budget.reserved', granted: 380 });
    run.end(2, null);
    expect(run.ask(wanted)).toMatchObject({ type: 'budget.tripped', by: 'cost', need: 4_500, left: 10 });
  });

  it('that a cache costs more than fresh input is bounded too', () => {
    const run = journal({ cost: 1_000 });
    const price = { input: 1_000_000, cached: 1_250_000, output: 0 };
    expect(run.ask(call(0, { input: { known: 0, fresh: 800 }, maxOutput: 10, price }))).toMatchObject({
      hold: { cost: 1_000 },
    });
  });

  it('cannot be limited without a price', () => {
    const run = journal({ cost: 1_000 });
    expect(faultOf(request(run.ledger, call(100), 1)).code).toBe('no_price');
    const free = journal({});
    free.spend(100);
    const more = { tokens: null, cost: 5, standing: { tokens: 0, cost: 0 }, at: 1 };
    expect(faultOf(topUp(free.ledger, more)).code).toBe('no_price');
    expect(reportLedger(free.ledger).total.unpriced).toBe(1);
  });
});

describe('more budget', () => {
  it('F-22: lets the next call go, and what was spent stays spent', () => {
    const run = journal({ tokens: 10_000 });
    run.spend(9_000);
    expect(run.ask(call(5_000)).type).toBe('budget.tripped');
    expect(run.add(20_000)).toEqual(['added']);
    expect(run.ask(call(5_000)).type).toBe('budget.reserved');
    expect([run.spent(), run.left()]).toEqual([9_000, 16_000]);
  });

  it('is given to those who wait, in turn', () => {
    const run = journal({ tokens: 10_000 });
    run.ask(call(6_000));
    run.ask(call(9_000));
    run.ask(call(1_000));
    expect(run.add(5_000)).toEqual(['added', 'reserved']);
    expect(run.add(1_000)).toEqual(['added', 'reserved']);
  });

  it('begins a limit where there was none', () => {
    const run = journal({});
    run.spend(9_000);
    run.ask(call(1_000));
    run.add(500);
    expect(run.ledger.limits.tokens).toBe(10_500);
    expect(run.ask(call(1_000)).type).toBe('budget.waiting');
  });

  it('sets aside a new slice for the final node, as far as there is room', () => {
    const run = journal({ tokens: 50_000 }, { tokens: 36_000, cost: 0 });
    run.spend(50_000, { final: true });
    const more = { tokens: 100_000, cost: null, standing: { tokens: 36_000, cost: 0 }, at: 1 };
    const { ledger } = valueOf(topUp(run.ledger, more));
    expect(reportLedger(ledger).standing.tokens).toBe(36_000);
    const less = valueOf(topUp(run.ledger, { ...more, tokens: 20_000 })).ledger;
    expect(reportLedger(less).standing.tokens).toBe(20_000);
  });

  it.each([0, -1, 0.5, NaN, Infinity, Number.MAX_SAFE_INTEGER])('of %d is refused', (tokens) => {
    const run = journal({ tokens: 10 });
    const more = { tokens, cost: null, standing: { tokens: 0, cost: 0 }, at: 1 };
    expect(faultOf(topUp(run.ledger, more)).code).toBe('bad_amount');
  });
});
