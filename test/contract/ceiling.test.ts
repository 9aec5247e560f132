/** Ceilings: whose day a moment is, when it ends, and the words for one that is reached. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  ceilingText,
  ceilingWords,
  dayOf,
  endOf,
  isOverCeiling,
  monthOf,
  NO_CEILINGS,
  overCeiling,
  type OverCeiling,
} from '../../src/contract/ceiling.ts';

const NOON = new Date(2026, 10, 30, 12).getTime();

describe('a day', () => {
  it('is of its month, and ends where the next one begins', () => {
    expect([dayOf(NOON), monthOf(NOON)]).toEqual(['2026-11-30', '2026-11']);
    expect(endOf('day', NOON)).toBe(new Date(2026, 11, 1).getTime());
    expect(endOf('month', NOON)).toBe(new Date(2026, 11, 1).getTime());
    expect(endOf('month', new Date(2026, 11, 31, 23, 59).getTime())).toBe(new Date(2027, 0, 1).getTime());
    expect(endOf('day', endOf('day', NOON))).toBe(new Date(2026, 11, 2).getTime());
  });

  // The rows of one zone go to one child: TZ is read once in the life of a process.
  it.each([
    {
      zone: 'Europe/Berlin',
      rows: [
        ['of 23 hours', '2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00'],
        ['of 25 hours', '2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00'],
        ['to its last moment', '2026-10-25T23:59:59.999+01:00', '2026-10-26T00:00+01:00'],
      ],
    },
    {
      zone: 'America/Sao_Paulo', // in 2018 clocks went from 24:00 to 01:00, and from 24:00 to 23:00
      rows: [
        ['before a midnight that is jumped over', '2018-11-03T12:00-03:00', '2018-11-04T01:00-02:00'],
        ['whose last hour comes twice', '2018-02-17T23:30-02:00', '2018-02-18T00:00-03:00'],
        ['in its second last hour', '2018-02-17T23:30-03:00', '2018-02-18T00:00-03:00'],
      ],
    },
    {
      zone: 'America/Havana', // clocks go from 01:00 to 00:00
      rows: [
        ['whose first hour comes twice', '2026-10-31T12:00-04:00', '2026-11-01T00:00-04:00'],
        ['in its second first hour', '2026-11-01T00:30-05:00', '2026-11-02T00:00-05:00'],
      ],
    },
    {
      zone: 'Pacific/Apia', // 30 December 2011 did not happen
      rows: [['before one that is left out', '2011-12-29T22:00-10:00', '2011-12-31T00:00+14:00']],
    },
  ])('$zone: ends once, on the clock of the place', ({ zone, rows }) => {
    const asked = rows.map(([, now]) => Date.parse(now ?? ''));
    const answers = inZone(zone, asked);
    const shown = rows.map(([name], i) => [name, new Date(answers[i]?.end ?? NaN).toISOString()]);
    expect(shown).toEqual(rows.map(([name, , end]) => [name, new Date(end ?? '').toISOString()]));
    for (const { today, before, after } of answers) {
      expect(before).toBe(today);
      expect(after > today).toBe(true);
    }
  });
});

const CEILING = fileURLToPath(new URL('../../src/contract/ceiling.ts', import.meta.url));

interface Zoned {
  readonly end: number;
  readonly today: string;
  /** The days just before and at the end. */
  readonly before: string;
  readonly after: string;
}

function inZone(zone: string, asked: readonly number[]): readonly Zoned[] {
  const script = `
    const { dayOf, endOf } = await import(${JSON.stringify(CEILING)});
    const told = ${JSON.stringify(asked)}.map((at) => {
      const end = endOf('day', at);
      return { end, today: dayOf(at), before: dayOf(end - 1), after: dayOf(end) };
    });
    process.stdout.write(JSON.stringify(told));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const env = { PATH: process.env['PATH'], TZ: zone };
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })) as readonly Zoned[];
}

describe('a ceiling that is reached', () => {
  const over: OverCeiling = {
    which: 'day',
    unit: 'tokens',
    limit: 2_000_000,
    spent: 1_980_000,
    reserved: 0,
    need: 26_100,
  };
  const told = { call: 'worker of a round 1 turn 2', at: NOON };

  it('is named, with what is spent and when it frees', () => {
    expect(ceilingWords(over, told)).toEqual({
      detail:
        "the day's ceiling of 2m tokens (own configuration) is reached: 1.98m tokens spent today, worker of a round 1 turn 2 needs 26.1k tokens; it frees at 00:00",
      resetAt: new Date(2026, 11, 1).getTime(),
    });
    const month: OverCeiling = { ...over, which: 'month', unit: 'cost', limit: 10_000_000, spent: 9_990_000 };
    expect(ceilingWords({ ...month, reserved: 5_000 }, told).detail).toBe(
      "the month's ceiling of $10.00 (own configuration) is reached: $9.99 spent this month, $0.005 reserved, worker of a round 1 turn 2 needs $0.0261; it frees on 2026-12-01 at 00:00",
    );
  });

  it('never frees for a call that is larger than all of it', () => {
    const { detail, resetAt } = ceilingWords({ ...over, limit: 20_000 }, told);
    expect(detail).toContain('is too small: worker of a round 1 turn 2 needs 26.1k tokens at once');
    expect([resetAt, isOverCeiling(detail)]).toEqual([null, true]);
  });

  it('can be told from a budget that is used up', () => {
    expect(isOverCeiling(ceilingWords(over, told).detail)).toBe(true);
    expect(isOverCeiling('worker of a needs 600 tokens at least, 250 are left')).toBe(false);
    expect(isOverCeiling(null)).toBe(false);
  });
});

it('stops nothing where none is set', () => {
  const counted = { spent: { tokens: 1e11, cost: 1e11 }, reserved: { tokens: 1, cost: 1 } };
  expect(overCeiling(NO_CEILINGS, { day: counted, month: counted }, { tokens: 1e11, cost: 1 })).toBeNull();
  expect(ceilingText(NO_CEILINGS.day)).toBeNull();
  expect(ceilingText({ tokens: 2_000_000, cost: 10_000_000 })).toBe('2m tokens, $10.00');
});
