/** Values of options: parsed once, here. A malformed one is a usage error that shows the right form. */

import { InvalidArgumentError, Option } from 'commander';
import { parseCost, parseDuration, parseTokens, parseUntil } from '../contract/amount.ts';

function parsed<T>(parse: (text: string) => T | null, form: string) {
  return (text: string): T => {
    const value = parse(text);
    if (value === null) throw new InvalidArgumentError(`Write it like ${form}.`);
    return value;
  };
}

export const maxTime = () =>
  new Option('--max-time <duration>', 'pause after this much running time').argParser(
    parsed(parseDuration, '90s, 20m or 2h30m'),
  );

export const until = () =>
  new Option('--until <time>', 'pause at this local time, the next such one').argParser(
    parsed((text) => parseUntil(text, Date.now()), '07:00 or 2026-12-24T07:00'),
  );

export const budget = () =>
  new Option('--budget <tokens>', 'tokens that models may use (no node asks a model yet)').argParser(
    parsed(parseTokens, '500k, 2m or 120000'),
  );

export const maxCost = () =>
  new Option(
    '--max-cost <amount>',
    'money that models may cost, like 5usd (no node asks a model yet)',
  ).argParser(parsed(parseCost, '5usd or 0.50usd'));

/** `otherwise`: what it is when not given. */
export const concurrency = (otherwise: string) =>
  new Option('--concurrency <n>', `nodes in flight at once, 1 to 64 (${otherwise})`).argParser(
    parsed(parseConcurrency, 'a whole number from 1 to 64'),
  );

function parseConcurrency(text: string): number | null {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= 64 ? count : null;
}

export interface LimitOptions {
  readonly budget?: number;
  readonly maxCost?: number;
  readonly maxTime?: number;
  readonly until?: number;
}

export function limitsFrom({ budget, maxCost, maxTime, until }: LimitOptions) {
  return { tokens: budget ?? null, cost: maxCost ?? null, maxTime: maxTime ?? null, until: until ?? null };
}
