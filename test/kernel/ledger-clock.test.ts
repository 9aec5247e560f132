import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../src/contract/limits.ts';
import { deadline, limitTime, openLedger, ran, startClock, stopClock } from '../../src/kernel/ledger.ts';

const open = (limits: Partial<typeof NO_LIMITS>) => openLedger({ ...NO_LIMITS, ...limits });

describe('the clock of a run', () => {
  it('counts running time only', () => {
    let ledger = startClock(open({ maxTime: 1_000 }), 10_000);
    expect([ran(ledger, 10_400), deadline(ledger)]).toEqual([400, 11_000]);
    ledger = stopClock(ledger, 10_400);
    expect([ran(ledger, 99_000), deadline(ledger)]).toEqual([400, null]);
    ledger = startClock(ledger, 50_000);
    expect([ran(ledger, 50_100), deadline(ledger)]).toEqual([500, 50_600]);
  });

  it('has the earlier of both limits as its deadline, or none', () => {
    expect(deadline(startClock(open({}), 5))).toBeNull();
    expect(deadline(startClock(open({ until: 900 }), 5))).toBe(900);
    expect(deadline(startClock(open({ until: 900, maxTime: 100 }), 5))).toBe(105);
    expect(deadline(startClock(open({ until: 50, maxTime: 100 }), 5))).toBe(50);
  });

  it('started twice or stopped twice is started or stopped once', () => {
    const running = startClock(startClock(open({}), 100), 200);
    expect(ran(running, 300)).toBe(200);
    expect(ran(stopClock(stopClock(running, 300), 900), 900)).toBe(200);
  });

  it('loses nothing when the system clock is set back', () => {
    const ledger = stopClock(startClock(stopClock(startClock(open({}), 100), 150), 1_000), 400);
    expect(ran(ledger, 0)).toBe(50);
  });

  it('takes new limits, which count what has run', () => {
    const ledger = stopClock(startClock(open({ maxTime: 100 }), 0), 100);
    const raised = startClock(limitTime(ledger, { maxTime: 150, until: null }), 1_000);
    expect(deadline(raised)).toBe(1_050);
  });

  it('at its deadline has run for as long as it may', () => {
    const stretches = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { maxLength: 20 });
    fc.assert(
      fc.property(stretches, fc.integer({ min: 1, max: 2_000 }), (pairs, maxTime) => {
        let ledger = open({ maxTime });
        let now = 0;
        for (const [run, rest] of pairs) {
          ledger = startClock(ledger, now);
          ledger = stopClock(JSON.parse(JSON.stringify(ledger)) as typeof ledger, now + run);
          now += run + rest;
        }
        ledger = startClock(ledger, now);
        const due = deadline(ledger);
        expect(ran(ledger, now)).toBe(pairs.reduce((sum, [run]) => sum + run, 0));
        if (due !== null && due >= now) expect(ran(ledger, due)).toBe(maxTime);
        else expect(ran(ledger, now)).toBeGreaterThan(maxTime);
      }),
    );
  });
});
