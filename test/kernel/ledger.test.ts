import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent, Usage } from '../../src/contract/budget.ts';
import { NO_LIMITS } from '../../src/contract/limits.ts';
import { openLedger, type Ledger } from '../../src/kernel/ledger.ts';
import { applyLedger } from '../../src/kernel/ledger-apply.ts';
import { charge, release, request } from '../../src/kernel/ledger-calls.ts';
import { reportLedger } from '../../src/kernel/ledger-report.ts';
import { firstInput, laterInput } from '../../src/kernel/ledger-room.ts';
import { call, journal, PRICE } from './ledger-journal.ts';
import { faultOf, valueOf } from './ledger-world.ts';

describe('a request', () => {
  it('F-23: with 1k of 100k left none of five 5k calls is admitted; with 6k left exactly one', () => {
    const full = journal({ tokens: 100_000 });
    full.spend(99_000);
    expect([1, 2, 3, 4, 5].map(() => full.ask(call(5_000)).type)).toEqual(Array(5).fill('budget.tripped'));

    const nearly = journal({ tokens: 100_000 });
    nearly.spend(94_000);
    const answers = [1, 2, 3, 4, 5].map(() => nearly.ask(call(5_000)));
    expect(answers.map(({ type }) => type)).toEqual([
      'budget.reserved',
      ...Array<string>(4).fill('budget.waiting'),
    ]);
    // Once it is paid for, the others could not fit even alone: they learn so in turn.
    expect(nearly.end(answers[0]?.id ?? 0, { input: 2_500, cached: 0, output: 2_500 })).toEqual([
      'charged',
      ...Array<string>(4).fill('tripped'),
    ]);
    expect(nearly.spent()).toBe(99_000);
  });

  it('gets less output when less is left, but not below its floor', () => {
    const run = journal({ tokens: 10_000 });
    const wanted = call(0, { input: { known: 3_000, fresh: 1_000 }, maxOutput: 8_000, floor: 2_048 });
    expect(run.ask(wanted)).toMatchObject({
      type: 'budget.reserved',
      granted: 6_000,
      hold: { input: 4_000, output: 6_000 },
    });
    const poor = journal({ tokens: 6_047 });
    expect(poor.ask(wanted)).toMatchObject({
      type: 'budget.tripped',
      by: 'tokens',
      need: 6_048,
      left: 6_047,
    });
    expect(journal({ tokens: 6_048 }).ask(wanted)).toMatchObject({ granted: 2_048 });
  });

  it('is not cut short when it only has to wait', () => {
    const run = journal({ tokens: 10_000 });
    const first = run.ask(call(6_000));
    expect(run.ask(call(6_000, { floor: 1 })).type).toBe('budget.waiting');
    expect(run.end(first.id, { input: 500, cached: 0, output: 500 })).toEqual(['charged', 'reserved']);
    expect(run.ledger.open[0]).toMatchObject({ granted: 3_000 });
  });

  it('does not pass one that waits, even if it would fit', () => {
    const run = journal({ tokens: 10_000 });
    const big = run.ask(call(6_000));
    expect(run.ask(call(8_000)).type).toBe('budget.waiting');
    expect(run.ask(call(100)).type).toBe('budget.waiting');
    expect(run.release(big.id)).toEqual(['released', 'reserved', 'reserved']);
    expect(run.ledger.open.map(({ hold }) => hold.input + hold.output)).toEqual([8_000, 100]);
  });

  it('that could never fit trips at once, though others wait', () => {
    const run = journal({ tokens: 10_000 });
    run.ask(call(6_000));
    run.ask(call(6_000));
    expect(run.ask(call(10_001)).type).toBe('budget.tripped');
    expect(run.ledger.waiting).toHaveLength(1);
  });

  it('behind one that leaves the queue is answered', () => {
    const run = journal({ tokens: 10_000 });
    run.ask(call(6_000));
    const second = run.ask(call(8_000));
    run.ask(call(4_000));
    expect(run.release(second.id)).toEqual(['released', 'reserved']);
  });

  it('is stored as it is, in one order of keys and with nothing else that its caller had in hand', () => {
    const run = journal({ tokens: 10 });
    const { price, ...rest } = call(4, { price: { output: 3, cached: 2, input: 1 } });
    const wanted = { price, prompt: 'not for the journal', ...rest };
    const first = run.ask(wanted);
    const second = run.ask(call(10));
    for (const event of [first, second])
      expect(Object.keys(event).slice(0, 5)).toEqual(['type', 'at', 'id', 'call', 'role']);
    expect(JSON.stringify(first)).not.toContain('journal');
    expect(JSON.stringify(first)).toContain('"price":{"input":1,"cached":2,"output":3}');
  });

  it.each([
    ['NaN', { maxOutput: NaN }],
    ['a negative number', { input: { known: -1, fresh: 0 } }],
    ['a fraction', { floor: 0.5 }],
    ['no output at all', { maxOutput: 0 }],
    ['infinity', { input: { known: 0, fresh: Infinity } }],
    ['a price beyond belief', { price: { ...PRICE, output: 1e12 } }],
  ])('with %s is refused and changes nothing', (_name, change) => {
    expect(faultOf(request(openLedger(NO_LIMITS), call(100, change), 1)).code).toBe('bad_amount');
  });
});

describe('a charge', () => {
  it('takes what was reported and gives the rest back', () => {
    const run = journal({ tokens: 10_000 });
    const { id } = run.ask(call(8_000));
    expect(run.left()).toBe(2_000);
    run.end(id, { input: 1_000, cached: 900, output: 50 });
    expect([run.spent(), run.left()]).toEqual([1_050, 8_950]);
  });

  it.each<[string, Usage | null]>([
    ['nothing is reported', null],
    ['zeros are reported', { input: 0, cached: 0, output: 0 }],
    ['no number is reported', { input: NaN, cached: 0, output: 5 }],
    ['a negative number is reported', { input: 10, cached: 0, output: -5 }],
    ['a fraction is reported', { input: 10.5, cached: 0, output: 5 }],
  ])('F-28: when %s it is the whole reservation, marked as estimated', (_name, usage) => {
    const run = journal({ tokens: 10_000 });
    run.end(run.ask(call(4_000)).id, usage);
    expect(run.events.at(-1)).toMatchObject({
      estimated: true,
      usage: { input: 2_000, cached: 0, output: 2_000 },
    });
    expect(reportLedger(run.ledger).total).toMatchObject({ estimated: 4_000, overrun: 0 });
  });

  it('F-28: numbers that nobody can mean are charged as far as there is room for them, and never break it', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: Number.MAX_SAFE_INTEGER }),
        fc.nat({ max: Number.MAX_SAFE_INTEGER }),
        (input, output) => {
          const run = journal({ tokens: 10_000 });
          run.end(run.ask(call(4_000)).id, { input, cached: 0, output });
          expect(Number.isSafeInteger(run.spent())).toBe(true);
          expect(run.spent()).toBeGreaterThanOrEqual(Math.min(input + output, 4_000));
        },
      ),
      {
        examples: [
          [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
          [1e11, 1e11],
        ],
      },
    );
  });

  it('F-28: a provider that never reports cannot dodge the budget', () => {
    const run = journal({ tokens: 20_000 });
    const answers: string[] = [];
    for (let i = 0; i < 6; i++) {
      const answer = run.ask(call(4_000));
      answers.push(answer.type);
      if (answer.type === 'budget.reserved') run.end(answer.id, null);
    }
    expect(answers).toEqual([...Array<string>(5).fill('budget.reserved'), 'budget.tripped']);
  });

  it('is what its input cannot have been less than, when only the output was reported', () => {
    const run = journal({});
    run.end(run.ask(call(4_000)).id, { input: 0, cached: 0, output: 9_000 });
    expect(run.events.at(-1)).toMatchObject({
      estimated: true,
      usage: { input: 2_000, output: 9_000 },
      overrun: { tokens: 7_000 },
    });
  });

  it('takes more cached input than input as all of it', () => {
    const run = journal({});
    run.end(run.ask(call(4_000)).id, { input: 100, cached: 500, output: 1 });
    expect(run.events.at(-1)).toMatchObject({
      usage: { input: 100, cached: 100, output: 1 },
      estimated: false,
    });
  });

  it('beyond the reservation is charged in full, shown, and makes later calls of that model dearer', () => {
    const run = journal({ tokens: 10_000 });
    const rogue = { model: 'rogue', input: { known: 1_000, fresh: 1_000 }, maxOutput: 1_000, floor: 1 };
    run.end(run.ask(call(0, rogue)).id, { input: 2_500, cached: 0, output: 1_100 });
    expect(run.events.at(-1)).toMatchObject({ overrun: { tokens: 600, cost: 0 }, factor: 150 });
    expect(run.spent()).toBe(3_600);
    expect(reportLedger(run.ledger).models).toMatchObject([{ model: 'rogue', overrun: 600, factor: 150 }]);
    expect(run.ask(call(0, rogue))).toMatchObject({ granted: 1_000, hold: { input: 2_500, output: 1_500 } });
    run.drop();
    expect(run.ask(call(1_000, { model: 'other' }))).toMatchObject({ hold: { input: 500, output: 500 } });
  });

  it('within the reservation as a whole is no overrun, but a part beyond its bound raises the factor', () => {
    const run = journal({ tokens: 10_000 });
    run.end(run.ask(call(2_000)).id, { input: 1_200, cached: 0, output: 10 });
    expect(run.events.at(-1)).toMatchObject({ overrun: null, factor: 120 });
  });

  it('that costs more than was reserved is an overrun, though its tokens were fewer', () => {
    const run = journal({ cost: 100_000 });
    run.end(run.ask(call(2_000, { price: PRICE })).id, { input: 10, cached: 0, output: 1_500 });
    expect(run.events.at(-1)).toMatchObject({
      cost: 22_530,
      overrun: { tokens: 0, cost: 4_530 },
      factor: 150,
    });
  });

  it('of a call that is not open is refused: late, repeated, or never asked for', () => {
    const run = journal({ tokens: 10_000 });
    const { id } = run.ask(call(4_000));
    run.crash();
    const usage = { input: 1, cached: 0, output: 1 };
    expect(faultOf(charge(run.ledger, { id, usage, at: 9 })).code).toBe('not_open');
    expect(faultOf(charge(run.ledger, { id: 77, usage, at: 9 })).code).toBe('not_open');
    expect(faultOf(release(run.ledger, { id, at: 9 })).code).toBe('not_known');
    expect(run.spent()).toBe(4_000);
  });

  it('F-31: of a role is shown for that role, also when its work was thrown away', () => {
    const run = journal({ tokens: 100_000 });
    run.spend(12_000, { role: 'planner' });
    run.spend(12_000, { role: 'planner', model: 'm2' });
    run.spend(1_000, { role: 'skeptic', final: true });
    run.spend(3_000, { role: 'skeptic' });
    const { roles, models, total } = reportLedger(run.ledger);
    expect(roles.map(({ role, calls, input, output }) => [role, calls, input + output])).toEqual([
      ['planner', 2, 24_000],
      ['skeptic', 2, 4_000],
    ]);
    expect(models.map(({ model, input, output }) => [model, input + output])).toEqual([
      ['m', 16_000],
      ['m2', 12_000],
    ]);
    expect(total).toMatchObject({ calls: 4, input: 14_000, output: 14_000, estimated: 0 });
  });
});

describe('after a crash', () => {
  it('F-32: what is left is what was left, and a call in flight is charged its reservation', () => {
    const run = journal({ tokens: 100_000 });
    run.spend(60_000);
    expect(reportLedger(run.fold()).left.tokens).toBe(40_000);
    run.ask(call(10_000));
    run.ask(call(35_000));
    expect(reportLedger(run.fold()).left.tokens).toBe(30_000);
    expect(run.crash()).toEqual(['released', 'charged']);
    expect(run.events.at(-1)).toMatchObject({ estimated: true });
    expect(reportLedger(run.fold())).toMatchObject({ spent: { tokens: 70_000 }, left: { tokens: 30_000 } });
    expect(run.crash()).toEqual([]);
  });

  it('F-37: stored calls that are replayed are not charged again', () => {
    const run = journal({ tokens: 100_000 });
    for (let i = 0; i < 5; i++) run.spend(1_000);
    const codes = run.events.map((event) => faultOf(applyLedger(run.ledger, event)).code);
    expect(codes).toEqual(Array(5).fill(['out_of_turn', 'not_open']).flat());
    expect(JSON.stringify(run.fold())).toBe(JSON.stringify(run.ledger));
  });

  it('F-38: no limit is still no limit', () => {
    const run = journal({});
    const saved = JSON.parse(JSON.stringify(run.ledger)) as Ledger;
    expect(saved).toEqual(run.ledger);
    expect(valueOf(request(saved, call(99_999_999_998), 1)).answer.type).toBe('budget.reserved');
    expect(reportLedger(saved).left).toEqual({ tokens: null, cost: null });
  });

  it.each([NaN, -1, 1.5, Infinity])('F-38: a stored limit of %d is refused', (tokens) => {
    const event: LedgerEvent = {
      type: 'budget.added',
      at: 1,
      tokens,
      cost: null,
      standing: { tokens: 0, cost: 0 },
    };
    expect(faultOf(applyLedger(openLedger(NO_LIMITS), event)).code).toBe('bad_amount');
  });
});

it('an event that cannot have happened is refused', () => {
  const run = journal({ tokens: 10_000 });
  const first = run.ask(call(6_000));
  const waits = run.ask(call(6_000));
  const last = run.ask(call(100));
  const hold = { input: 1, output: 1, cost: 0 };
  const refusal = (event: LedgerEvent) => faultOf(applyLedger(run.ledger, event)).code;
  const reserved = { type: 'budget.reserved', at: 1, ...call(10), hold, granted: 1 } as const;
  const charged = {
    type: 'budget.charged',
    at: 1,
    cost: 0,
    estimated: false,
    overrun: null,
    factor: 100,
  } as const;
  expect(refusal({ ...reserved, id: last.id })).toBe('out_of_turn');
  expect(refusal({ ...reserved, id: first.id })).toBe('out_of_turn');
  expect(refusal({ ...reserved, id: 99 })).toBe('out_of_turn');
  expect(refusal({ ...reserved, id: waits.id, granted: 6 })).toBe('bad_amount');
  expect(refusal({ ...reserved, id: waits.id, hold: { ...hold, input: -1 } })).toBe('bad_amount');
  expect(refusal({ type: 'budget.waiting', at: 1, ...call(10), id: waits.id })).toBe('out_of_turn');
  expect(refusal({ ...charged, id: waits.id, usage: { input: 1, cached: 0, output: 1 } })).toBe('not_open');
  expect(refusal({ ...charged, id: first.id, usage: { input: 1, cached: 2, output: 1 } })).toBe('bad_amount');
  expect(refusal({ ...charged, id: first.id, usage: { input: -1, cached: 0, output: 1 } })).toBe(
    'bad_amount',
  );
  expect(refusal({ type: 'budget.released', at: 1, id: 99 })).toBe('not_known');
});

describe('the bound of an input', () => {
  it('is bytes and 1,024 at first, then what was reported, what is new, and 32 a message', () => {
    expect(firstInput(5_000)).toEqual({ known: 0, fresh: 6_024 });
    expect(laterInput({ lastReported: 4_321, newBytes: 1_000, newMessages: 3 })).toEqual({
      known: 4_321,
      fresh: 1_096,
    });
  });
});
