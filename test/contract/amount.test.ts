import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatCost,
  formatDuration,
  formatTokens,
  parseCost,
  parseDuration,
  parseTokens,
  parseUntil,
} from '../../src/contract/amount.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['10m', 600_000],
    ['2h', 2 * HOUR],
    ['1h30m', 90 * MINUTE],
    ['1d', 24 * HOUR],
    ['1d2h3m4s5ms', 26 * HOUR + 3 * MINUTE + 4_005],
    ['1h5s', HOUR + 5_000],
    ['1.5h', 90 * MINUTE],
    ['0.5s', 500],
    ['0.1d', 2.4 * HOUR],
    ['90m', 90 * MINUTE],
    ['010m', 600_000],
    ['0h10m', 600_000],
    ['36525d', 36_525 * 24 * HOUR],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(
    [
      '',
      ' ',
      '0',
      '0s',
      '0.0h',
      '10',
      '-5m',
      '+5m',
      '10 m',
      ' 10m',
      '10m ',
      '10m\n',
      '1.5',
      '1.25h',
      '1.5ms',
    ].concat(
      [
        '.5h',
        '1.h',
        '1h1.5m',
        '1.5h30m',
        '30m1h',
        '1m1m',
        '10M',
        '10min',
        '1e3s',
        'h',
        '36526d',
        '1_000s',
        'NaN',
      ],
      ['99999999999999999999d', '9007199254740993ms', '٣m'],
    ),
  )('%j is refused', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it.each([
    [0, '0ms'],
    [45, '45ms'],
    [999.9, '999ms'],
    [1_000, '1s'],
    [3_200, '3.2s'],
    [59_999, '59.9s'],
    [60_000, '1m'],
    [130_000, '2m10s'],
    [125_000, '2m05s'],
    [HOUR - 1, '59m59s'],
    [HOUR, '1h'],
    [HOUR + 5 * MINUTE, '1h05m'],
    [24 * HOUR - 1, '23h59m'],
    [51 * HOUR, '2d03h'],
    [-3, '0ms'],
  ])('of %d ms is shown as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('is read back from what is shown, never longer than it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 36_524 * 24 * HOUR }), (ms) => {
        const back = parseDuration(formatDuration(ms));
        expect(back).not.toBeNull();
        expect(back).toBeLessThanOrEqual(ms);
        expect(back).toBeGreaterThan(ms * 0.9 - 1);
      }),
    );
  });
});

describe('an amount of tokens', () => {
  it.each([
    ['2m', 2_000_000],
    ['2M', 2_000_000],
    ['500k', 500_000],
    ['500K', 500_000],
    ['12000', 12_000],
    ['1_000', 1_000],
    ['1_000k', 1_000_000],
    ['1.5m', 1_500_000],
    ['1.1m', 1_100_000],
    ['0.000001m', 1],
    ['1.50000000m', 1_500_000],
    ['1', 1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s is %d', (text, tokens) => {
    expect(parseTokens(text)).toBe(tokens);
  });

  it.each(
    [
      '',
      '0',
      '0k',
      '0.0m',
      '50kk',
      '-5',
      '+5',
      '1e6',
      '1.5',
      '1.2345k',
      '.5m',
      '5.m',
      '1,000',
      '1__0',
      '_1',
      '1_',
    ].concat([
      '2 m',
      ' 2m',
      '2m ',
      '2g',
      'm',
      'Infinity',
      'NaN',
      '0x10',
      '9007199254740992',
      '9007199254740991k',
      '2m\n',
    ]),
  )('%j is refused', (text) => {
    expect(parseTokens(text)).toBeNull();
  });

  it.each([
    [0, '0'],
    [950, '950'],
    [1_000, '1k'],
    [12_345, '12.3k'],
    [482_999, '482k'],
    [999_999, '999k'],
    [1_240_000, '1.24m'],
    [1_999_999, '1.99m'],
    [2_000_000, '2m'],
    [12_345_678, '12.3m'],
    [1_234_567_890, '1234m'],
    [-12_345, '-12.3k'],
  ])('of %d is shown as %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });

  it('is read back from what is shown, never more than it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (tokens) => {
        const back = parseTokens(formatTokens(tokens));
        expect(back).not.toBeNull();
        expect(back).toBeLessThanOrEqual(tokens);
        expect(back).toBeGreaterThan(tokens * 0.99 - 1);
      }),
    );
  });
});

describe('an amount of money', () => {
  it.each([
    ['5usd', 5_000_000],
    ['5USD', 5_000_000],
    ['$5', 5_000_000],
    ['0.50usd', 500_000],
    ['$0.29', 290_000],
    ['0.000001usd', 1],
    ['$1.10000000', 1_100_000],
  ])('%s is %d millionths of a dollar', (text, micros) => {
    expect(parseCost(text)).toBe(micros);
  });

  it.each(
    [
      '',
      '5',
      '0usd',
      '$0',
      '$0.00',
      '-5usd',
      '$-5',
      '5eur',
      '5 usd',
      '$5usd',
      '$',
      'usd',
      '0.0000001usd',
    ].concat(['$.5', '$5.', '5e2usd', '$9007199254.740992', '$1,000', '$1_000']),
  )('%j is refused', (text) => {
    expect(parseCost(text)).toBeNull();
  });

  it.each([
    [0, '$0.00'],
    [5_000_000, '$5.00'],
    [12_309_999, '$12.30'],
    [999_999, '$0.9999'],
    [500_000, '$0.50'],
    [31_500, '$0.0315'],
    [3_400, '$0.0034'],
    [12, '$0.000012'],
    [-1_500_000, '-$1.50'],
  ])('of %d millionths is shown as %s', (micros, text) => {
    expect(formatCost(micros)).toBe(text);
  });
});

describe('a time to stop at', () => {
  it.each(
    [
      '',
      '7',
      '24:00',
      '7:5',
      '07:60',
      '07:00:00',
      '07:00pm',
      ' 07:00',
      '2026-08-01',
      '2026-02-30T07:00',
    ].concat(
      [
        '2026-13-01T07:00',
        '2026-08-01T24:00',
        '2026-08-01T07:60',
        '2026-8-1T07:00',
        '2026-08-01T07:00+2',
        'tomorrow',
      ],
      ['2025-12-31T23:59Z', '2026-01-01T00:00Z'],
    ),
  )('%j is refused', (text) => {
    expect(parseUntil(text, Date.UTC(2026, 0, 1))).toBeNull();
  });

  it.each([
    ['2026-08-01T07:00Z', Date.UTC(2026, 7, 1, 7)],
    ['2026-08-01T07:00:30Z', Date.UTC(2026, 7, 1, 7, 0, 30)],
    ['2026-08-01T07:00+02:00', Date.UTC(2026, 7, 1, 5)],
    ['2026-08-01 07:00-05:30', Date.UTC(2026, 7, 1, 12, 30)],
    ['2028-02-29T00:00Z', Date.UTC(2028, 1, 29)],
  ])('%s is absolute', (text, at) => {
    expect(parseUntil(text, Date.UTC(2026, 0, 1))).toBe(at);
  });

  it('is local when it names no zone', () => {
    expect(parseUntil('2026-08-01T07:00', 0)).toBe(new Date(2026, 7, 1, 7).getTime());
  });

  // The rows of one zone go to one child: TZ is read once in the life of a process.
  it.each([
    {
      zone: 'Europe/Berlin',
      rows: [
        ['later today', '07:00', '2026-01-10T02:00+01:00', '2026-01-10T07:00+01:00'],
        ['one digit', '7:00', '2026-01-10T02:00+01:00', '2026-01-10T07:00+01:00'],
        ['strictly after now', '07:00', '2026-01-10T07:00+01:00', '2026-01-11T07:00+01:00'],
        ['a moment before', '07:00', '2026-01-10T06:59:59+01:00', '2026-01-10T07:00+01:00'],
        ['over the end of a year', '07:00', '2025-12-31T22:00+01:00', '2026-01-01T07:00+01:00'],
        ['midnight', '00:00', '2026-01-10T22:00+01:00', '2026-01-11T00:00+01:00'],
        ['over the night clocks go forward', '07:00', '2026-03-28T22:00+01:00', '2026-03-29T07:00+02:00'],
        ['over the night clocks go back', '07:00', '2026-10-24T22:00+02:00', '2026-10-25T07:00+01:00'],
        ['a time that is jumped over', '02:30', '2026-03-28T22:00+01:00', '2026-03-29T03:00+02:00'],
        ['just before the jump', '02:30', '2026-03-29T01:59+01:00', '2026-03-29T03:00+02:00'],
        ['just after the jump', '02:30', '2026-03-29T03:10+02:00', '2026-03-30T02:30+02:00'],
        ['at the jump', '02:30', '2026-03-29T03:00+02:00', '2026-03-30T02:30+02:00'],
        ['the first of two', '02:30', '2026-10-25T02:00+02:00', '2026-10-25T02:30+02:00'],
        ['the second of two', '02:30', '2026-10-25T02:45+02:00', '2026-10-25T02:30+01:00'],
        ['after both', '02:30', '2026-10-25T02:30+01:00', '2026-10-26T02:30+01:00'],
        ['the hour that is not shown twice', '03:00', '2026-10-25T02:45+02:00', '2026-10-25T03:00+01:00'],
        ['a date and time', '2026-07-01T07:00', '2026-01-01T00:00+01:00', '2026-07-01T07:00+02:00'],
      ],
    },
    {
      zone: 'Australia/Lord_Howe', // clocks move by half an hour
      rows: [
        ['a time that is jumped over', '02:15', '2026-10-03T22:00+10:30', '2026-10-04T02:30+11:00'],
        ['the second of two', '01:45', '2026-04-05T01:50+11:00', '2026-04-05T01:45+10:30'],
      ],
    },
    {
      zone: 'America/Sao_Paulo', // in 2018 clocks went from 24:00 to 01:00
      rows: [['a midnight that is jumped over', '00:00', '2018-11-03T22:00-03:00', '2018-11-04T01:00-02:00']],
    },
    {
      zone: 'Pacific/Apia', // 30 December 2011 did not happen
      rows: [['over a day that is left out', '07:00', '2011-12-29T22:00-10:00', '2011-12-31T07:00+14:00']],
    },
  ])('$zone: is the next such local time', ({ zone, rows }) => {
    const asked = rows.map(([, text, now]) => ({ text, now: Date.parse(now ?? '') }));
    const answers = inZone(zone, asked);
    const shown = rows.map(([name], i) => [name, new Date(answers[i] ?? NaN).toISOString()]);
    const wanted = rows.map(([name, , , at]) => [name, new Date(at ?? '').toISOString()]);
    expect(shown).toEqual(wanted);
  });
});

const AMOUNT = fileURLToPath(new URL('../../src/contract/amount.ts', import.meta.url));

function inZone(zone: string, asked: readonly unknown[]): readonly number[] {
  const script = `
    const { parseUntil } = await import(${JSON.stringify(AMOUNT)});
    const asked = ${JSON.stringify(asked)};
    process.stdout.write(JSON.stringify(asked.map(({ text, now }) => parseUntil(text, now))));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const env = { PATH: process.env['PATH'], TZ: zone };
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })) as readonly number[];
}
