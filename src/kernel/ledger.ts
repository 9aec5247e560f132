/**
 * The ledger of a run: its limits, what it spent, what is reserved, who waits, and how long it has run. Plain JSON
 * and immutable; folded from events (`ledger-apply.ts`), decided upon in `ledger-calls.ts`. Totals are always
 * summed from the rows and never kept beside them, so they cannot drift: there are as many open calls as slots, and
 * as many sums as roles times models. For providers that keep to one token a byte and to the limit of the output,
 * `spent + reserved + what is left standing ≤ limit` after every event.
 */

import type { Amount, BudgetRequest, Hold, Price } from '../contract/budget.ts';
import type { Limits } from '../contract/limits.ts';

export interface Ledger {
  /** Null is no limit. */
  readonly limits: { readonly tokens: number | null; readonly cost: number | null };
  /** Kept for the final node: what its roles have spent counts against it. */
  readonly standing: Amount;
  readonly clock: RunClock;
  /** The id of the newest call; ids are never used again, so nothing can be charged twice. */
  readonly lastId: number;
  /** Calls in flight, in the order in which they were granted. */
  readonly open: readonly OpenCall[];
  /** First come, first served. */
  readonly waiting: readonly WaitingCall[];
  readonly sums: readonly Sum[];
  readonly factors: readonly Factor[];
}

export interface OpenCall {
  readonly id: number;
  readonly role: string;
  readonly model: string;
  readonly final: boolean;
  readonly input: BudgetRequest['input'];
  readonly granted: number;
  readonly price: Price | null;
  readonly hold: Hold;
}

export interface WaitingCall extends BudgetRequest {
  readonly id: number;
}

/** What one role has spent with one model; the final node's roles apart. */
export interface Sum {
  readonly role: string;
  readonly model: string;
  readonly final: boolean;
  readonly calls: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly cost: number;
  /** Tokens among these that no provider reported: reservations charged for want of a report. */
  readonly estimated: number;
  /** Tokens among these beyond their reservations. */
  readonly overrun: number;
  /** Calls among these that had no price, so that `cost` does not know of them. */
  readonly unpriced: number;
}

/** Percent by which a model's fresh input and its output are reserved, once it reported more than the law allows. */
export interface Factor {
  readonly model: string;
  readonly percent: number;
}

/** Running time: pauses do not count. */
export interface RunClock {
  readonly maxTime: number | null;
  readonly until: number | null;
  /** Milliseconds up to the last stop. */
  readonly ran: number;
  /** When the present stretch began; null while at rest. */
  readonly since: number | null;
}

export const NOTHING: Amount = { tokens: 0, cost: 0 };

/** `standing`: see `standingSlice`. More than the limit is cut to the limit: then nobody else may ask anything. */
export function openLedger(limits: Limits, standing: Amount = NOTHING): Ledger {
  return {
    limits: { tokens: limits.tokens, cost: limits.cost },
    standing: {
      tokens: Math.min(standing.tokens, limits.tokens ?? Infinity),
      cost: Math.min(standing.cost, limits.cost ?? Infinity),
    },
    clock: { maxTime: limits.maxTime, until: limits.until, ran: 0, since: null },
    lastId: 0,
    open: [],
    waiting: [],
    sums: [],
    factors: [],
  };
}

/** Time limits from now on; `maxTime` counts what has run already. Tokens and money are raised by `topUp`. */
export function limitTime(ledger: Ledger, limits: Pick<Limits, 'maxTime' | 'until'>): Ledger {
  return { ...ledger, clock: { ...ledger.clock, maxTime: limits.maxTime, until: limits.until } };
}

/** The run begins to run, or goes on. Nothing changes if it is running. */
export function startClock(ledger: Ledger, at: number): Ledger {
  return ledger.clock.since === null ? { ...ledger, clock: { ...ledger.clock, since: at } } : ledger;
}

/** The run is at rest. After a crash: `at` is the time of the last event that was stored, for time off counts for nobody. */
export function stopClock(ledger: Ledger, at: number): Ledger {
  const { clock } = ledger;
  return clock.since === null
    ? ledger
    : { ...ledger, clock: { ...clock, ran: ran(ledger, at), since: null } };
}

/** Milliseconds of running time at `at`. A system clock that was set back takes nothing away. */
export function ran(ledger: Ledger, at: number): number {
  const { since, ran } = ledger.clock;
  return since === null ? ran : ran + Math.max(0, at - since);
}

/** When the run must pause; null without a time limit, and while it is at rest. */
export function deadline(ledger: Ledger): number | null {
  const { since, maxTime, until, ran } = ledger.clock;
  if (since === null) return null;
  const spent = maxTime === null ? null : since + maxTime - ran;
  if (spent === null || until === null) return spent ?? until;
  return Math.min(spent, until);
}
