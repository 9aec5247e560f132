import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BudgetRequest, LedgerEvent } from '../../src/contract/budget.ts';
import type { Ledger, OpenCall } from '../../src/kernel/ledger.ts';
import { applyLedger } from '../../src/kernel/ledger-apply.ts';
import { acts, drain, newWorld, play, someLimits, valueOf, type Look, type World } from './ledger-world.ts';

const RUNS = { numRuns: 200 };
const nothing: Look = () => undefined;

// The outsider's own sums.
const total = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const held = (calls: readonly OpenCall[], what: 'tokens' | 'cost') =>
  total(calls.map(({ hold }) => (what === 'cost' ? hold.cost : hold.input + hold.output)));
const spent = (ledger: Ledger, what: 'tokens' | 'cost', final?: boolean) =>
  total(
    ledger.sums
      .filter((sum) => final === undefined || sum.final === final)
      .map((sum) => (what === 'cost' ? sum.cost : sum.input + sum.output)),
  );

/** What `final` (or not) callers have before them, with or without the present reservations. */
function room(ledger: Ledger, what: 'tokens' | 'cost', of: { final: boolean; alone: boolean }): number {
  const limit = ledger.limits[what];
  if (limit === null) return Infinity;
  const open = of.alone ? [] : ledger.open;
  const ofFinal =
    spent(ledger, what, true) +
    held(
      open.filter((call) => call.final),
      what,
    );
  const kept = of.final ? 0 : Math.max(0, ledger.standing[what] - ofFinal);
  return limit - spent(ledger, what) - held(open, what) - kept;
}

describe('with providers that keep the law', () => {
  const keepsTheBudget: Look = (_before, event, after) => {
    for (const what of ['tokens', 'cost'] as const) {
      const limit = after.limits[what] ?? Infinity;
      expect(spent(after, what) + held(after.open, what)).toBeLessThanOrEqual(limit);
      // The others together never reach into what is kept for the final node.
      const others =
        spent(after, what, false) +
        held(
          after.open.filter((call) => !call.final),
          what,
        );
      if (limit !== Infinity)
        expect(others).toBeLessThanOrEqual(limit - Math.min(limit, leastKept(after, what)));
    }
    if (event.type === 'budget.charged') expect([event.overrun, event.factor]).toEqual([null, 100]);
  };
  // The final node may take more than its slice; then only its slice is out of the others' reach.
  function leastKept(ledger: Ledger, what: 'tokens' | 'cost'): number {
    const ofFinal =
      spent(ledger, what, true) +
      held(
        ledger.open.filter((call) => call.final),
        what,
      );
    return Math.max(ledger.standing[what], ofFinal);
  }

  it('spent + reserved, and what is kept for the final node, never pass the limits', () => {
    fc.assert(
      fc.property(someLimits, acts(1_000), (limits, list) => {
        const world = newWorld(limits);
        for (const act of list) play(world, act, keepsTheBudget);
        drain(world, keepsTheBudget);
      }),
      RUNS,
    );
  });
});

describe.each([
  ['providers that keep the law', 1_000],
  ['rogues that report up to ten times as much', 10_000],
])('with %s', (_name, reach) => {
  const withWorld = (check: (world: World, list: Parameters<typeof play>[1][]) => void) =>
    fc.assert(
      fc.property(someLimits, acts(reach), (limits, list) => {
        check(newWorld(limits), [...list]);
      }),
      RUNS,
    );

  it('nobody overtakes: a call is answered only when none that came before it waits', () => {
    const inTurn: Look = (before, event) => {
      if (event.type !== 'budget.reserved') return;
      expect(before.waiting.filter(({ id }) => id < event.id)).toEqual([]);
    };
    withWorld((world, list) => {
      for (const act of list) play(world, act, inTurn);
    });
  });

  it('a call waits only while it does not fit beside what is reserved, and never when nothing is', () => {
    withWorld((world, list) => {
      for (const act of list) {
        play(world, act, nothing);
        const [head] = world.ledger.waiting;
        if (!head) continue;
        expect(world.ledger.open).not.toEqual([]);
        // In full, or cut to what is left with nothing reserved: that is what it waits for.
        const most = mostOutput(world.ledger, head);
        expect(most).toBeGreaterThanOrEqual(Math.max(1, Math.min(head.floor, head.maxOutput)));
        expect(canHave(world.ledger, head, { output: most, alone: false })).toBe(false);
      }
    });
  });

  it('a call trips only if its least could not fit with nothing reserved, and always then', () => {
    const fair: Look = (before, event) => {
      if (
        event.type !== 'budget.tripped' &&
        event.type !== 'budget.reserved' &&
        event.type !== 'budget.waiting'
      )
        return;
      const call = event.type === 'budget.tripped' ? before.waiting.find(({ id }) => id === event.id) : event;
      if (!call) return;
      const least = Math.max(1, Math.min(call.floor, call.maxOutput));
      expect(event.type === 'budget.tripped').toBe(!canHave(before, call, { output: least, alone: true }));
      if (event.type === 'budget.tripped') {
        expect(event.need).toBe(needOf(before, call, least)[event.by]);
        expect(event.left).toBe(room(before, event.by, { final: call.final, alone: true }));
        expect(event.need).toBeGreaterThan(event.left);
      }
      if (event.type === 'budget.reserved') expect(event.granted).toBe(mostOutput(before, call));
    };
    withWorld((world, list) => {
      for (const act of list) play(world, act, fair);
      drain(world, fair);
    });
  });

  it('everybody who asked is answered once all open calls have ended, and ends exactly once', () => {
    withWorld((world, list) => {
      for (const act of list) play(world, act, nothing);
      drain(world, nothing);
      expect(world.ledger.waiting).toEqual([]);
      for (const call of world.seen.values())
        expect(['charged', 'released', 'tripped']).toContain(call.state);
      expect(world.ledger.lastId).toBe(world.seen.size);
    });
  });

  it('what is spent is what was charged, all of it and once', () => {
    withWorld((world, list) => {
      const conserved: Look = (_before, _event, after, { events }) => {
        const charges = events.filter((event) => event.type === 'budget.charged');
        expect(spent(after, 'tokens')).toBe(total(charges.map(({ usage }) => usage.input + usage.output)));
        expect(spent(after, 'cost')).toBe(total(charges.map(({ cost }) => cost)));
        expect(total(after.sums.map(({ calls }) => calls))).toBe(charges.length);
        expect(total(after.sums.map(({ overrun }) => overrun))).toBe(
          total(charges.map(({ overrun }) => overrun?.tokens ?? 0)),
        );
      };
      for (const act of list) play(world, act, conserved);
      expect(spent(world.ledger, 'tokens')).toBe(world.charged);
      const rows = world.ledger.sums.map(({ role, model, final }) => `${role} ${model} ${String(final)}`);
      expect(new Set(rows).size).toBe(rows.length);
    });
  });

  it('a fold of the stored events is the live ledger byte for byte, also when cut and gone on with anywhere', () => {
    fc.assert(
      fc.property(someLimits, acts(reach), fc.nat(1_000), (limits, list, where) => {
        const world = newWorld(limits);
        for (const act of list) play(world, act, nothing);
        const stored = JSON.parse(JSON.stringify(world.events)) as LedgerEvent[];
        const fold = (ledger: Ledger, events: readonly LedgerEvent[]) =>
          events.reduce((next, event) => valueOf(applyLedger(next, event)), ledger);
        const live = JSON.stringify(world.ledger);
        expect(JSON.stringify(fold(world.first, stored))).toBe(live);
        const cut = where % (stored.length + 1);
        const half = JSON.parse(JSON.stringify(fold(world.first, stored.slice(0, cut)))) as Ledger;
        expect(JSON.stringify(fold(half, stored.slice(cut)))).toBe(live);
      }),
      RUNS,
    );
  });

  it('no event can be applied a second time, but the statement of a limit', () => {
    withWorld((world, list) => {
      for (const act of list) play(world, act, nothing);
      const repeated = world.events.filter((event) => applyLedger(world.ledger, event).ok);
      expect(repeated.filter(({ type }) => type !== 'budget.added')).toEqual([]);
    });
  });

  it('a crash leaves nothing reserved and nobody waiting, and charges what was reserved', () => {
    withWorld((world, list) => {
      for (const act of list) play(world, act, nothing);
      const before = spent(world.ledger, 'tokens') + held(world.ledger.open, 'tokens');
      const cost = spent(world.ledger, 'cost') + held(world.ledger.open, 'cost');
      play(world, { do: 'crash' }, nothing);
      expect([world.ledger.open, world.ledger.waiting]).toEqual([[], []]);
      expect([spent(world.ledger, 'tokens'), spent(world.ledger, 'cost')]).toEqual([before, cost]);
    });
  });
});

describe('a model that broke the law', () => {
  it('is reserved enough from then on, unless it is worse than ten tokens a byte', () => {
    fc.assert(
      fc.property(acts(9_000), (list) => {
        // No reductions and no known part: then the same breach must be covered the next time.
        const world = newWorld({ tokens: null, cost: null, standing: { tokens: 0, cost: 0 } });
        const factors = new Map<string, number>();
        const rising: Look = (before, event) => {
          if (event.type !== 'budget.charged') return;
          const call = before.open.find(({ id }) => id === event.id);
          if (!call) throw new Error('charged, not open');
          expect(event.factor).toBeGreaterThanOrEqual(factors.get(call.model) ?? 100);
          if (event.overrun && event.factor < 1_000) {
            const fresh = ceil(call.input.fresh, event.factor) + call.input.known;
            expect(event.usage.input).toBeLessThanOrEqual(fresh);
            expect(event.usage.output).toBeLessThanOrEqual(ceil(call.granted, event.factor));
          }
          factors.set(call.model, event.factor);
        };
        for (const act of list) play(world, act, rising);
        for (const [model, percent] of factors) expect(factor(world.ledger, model)).toBe(percent);
      }),
      RUNS,
    );
  });
});

it('these runs do get to waiting, tripping, cutting short, overruns and the slice of the final node', () => {
  const reached = { waits: 0, trips: 0, poor: 0, cuts: 0, overruns: 0, queued: 0, kept: 0 };
  const count: Look = (before, event) => {
    if (event.type === 'budget.waiting') reached.waits++;
    if (event.type === 'budget.tripped') reached[event.by === 'tokens' ? 'trips' : 'poor']++;
    if (event.type === 'budget.tripped' && event.standing > 0) reached.kept++;
    if (event.type === 'budget.charged' && event.overrun) reached.overruns++;
    if (event.type !== 'budget.reserved') return;
    if (event.granted < event.maxOutput) reached.cuts++;
    if (before.waiting.length > 0) reached.queued++;
  };
  const runs = fc.sample(fc.tuple(someLimits, acts(3_000)), { numRuns: 200, seed: 1 });
  for (const [limits, list] of runs) {
    const world = newWorld(limits);
    for (const act of list) play(world, act, count);
  }
  for (const times of Object.values(reached)) expect(times).toBeGreaterThan(50);
});

function factor(ledger: Ledger, model: string): number {
  return ledger.factors.find((each) => each.model === model)?.percent ?? 100;
}

function ceil(tokens: number, percent: number): number {
  return Number((BigInt(tokens) * BigInt(percent) + 99n) / 100n);
}

function costOf(call: { price: OpenCall['price'] }, input: number, output: number): number {
  if (!call.price) return 0;
  const dearest = Math.max(call.price.input, call.price.cached);
  const micros = BigInt(input) * BigInt(dearest) + BigInt(output) * BigInt(call.price.output);
  return Number((micros + 999_999n) / 1_000_000n);
}

function needOf(ledger: Ledger, call: BudgetRequest, output: number): { tokens: number; cost: number } {
  const percent = factor(ledger, call.model);
  const input = call.input.known + ceil(call.input.fresh, percent);
  return { tokens: input + ceil(output, percent), cost: costOf(call, input, ceil(output, percent)) };
}

function canHave(ledger: Ledger, call: BudgetRequest, of: { output: number; alone: boolean }): boolean {
  const need = needOf(ledger, call, of.output);
  const { final } = call;
  return (['tokens', 'cost'] as const).every(
    (what) => need[what] <= room(ledger, what, { final, alone: of.alone }),
  );
}

/** The most output the call can have with nothing reserved, by halving the steps upwards; 0 when none. */
function mostOutput(ledger: Ledger, call: BudgetRequest): number {
  let output = 0;
  for (let by = 4_096; by >= 1; by /= 2) {
    const next = output + by;
    if (next <= call.maxOutput && canHave(ledger, call, { output: next, alone: true })) output = next;
  }
  return output;
}
