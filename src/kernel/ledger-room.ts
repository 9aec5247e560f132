/** How much room there is, and how much a call needs. The only place with the ledger's arithmetic. */

import type { Amount, BudgetRequest, Hold, InputBound, Price, Usage } from '../contract/budget.ts';
import type { Limits } from '../contract/limits.ts';
import type { Ledger, OpenCall, Sum } from './ledger.ts';

/** Larger counts of tokens are garbage; up to here every product below stays an exact integer. */
export const MAX_COUNT = 1e11;
export const MAX_PRICE = 2.5e9;

/** No model is believed to make more than ten tokens of a byte, whatever it reports. */
const MAX_FACTOR = 1_000;

/** Tokens of answer below which a call is of no use. */
export const FLOOR = { worker: 2_048, verdict: 512 } as const;

const FIRST_CALL = 1_024;
const PER_MESSAGE = 32;
const SEAT: Usage = { input: 10_000, cached: 0, output: 2_000 };

/** Input of a session's first call: the UTF-8 bytes of its messages and tools. */
export function firstInput(bytes: number): InputBound {
  return { known: 0, fresh: bytes + FIRST_CALL };
}

/** Input of a later call. `lastReported`: input and output of the session's last call, as it was charged. */
export function laterInput(later: {
  readonly lastReported: number;
  readonly newBytes: number;
  readonly newMessages: number;
}): InputBound {
  return {
    known: Math.min(later.lastReported, MAX_COUNT),
    fresh: later.newBytes + PER_MESSAGE * later.newMessages,
  };
}

/** What stands reserved for the final verification: a tenth of the limit, and no less than 12k tokens a skeptic. */
export function standingSlice(of: {
  readonly limits: Pick<Limits, 'tokens' | 'cost'>;
  readonly panel: number;
  /** Of the skeptics' model. */
  readonly price: Price | null;
}): Amount {
  const { limits, panel, price } = of;
  if (panel === 0) return { tokens: 0, cost: 0 };
  return {
    tokens: Math.max(Math.ceil((limits.tokens ?? 0) / 10), panel * (SEAT.input + SEAT.output)),
    cost: price ? Math.max(Math.ceil((limits.cost ?? 0) / 10), panel * costOf(SEAT, price)) : 0,
  };
}

/** Millionths of a dollar, rounded up once. */
export function costOf(usage: Usage, price: Price | null): number {
  if (price === null) return 0;
  const parts: readonly (readonly [number, number])[] = [
    [usage.input - usage.cached, price.input],
    [usage.cached, price.cached],
    [usage.output, price.output],
  ];
  // Whole millions and the rest apart: tokens times price can pass 2^53.
  let whole = 0;
  let rest = 0;
  for (const [tokens, each] of parts) {
    whole += Math.floor(tokens / 1e6) * each;
    rest += (tokens % 1e6) * each;
  }
  return whole + Math.ceil(rest / 1e6);
}

/** What must be reserved so that the call, with this limit on its output, cannot use more. */
export function holdFor(ledger: Ledger, request: BudgetRequest, maxOutput: number): Hold {
  const factor = factorOf(ledger, request.model);
  const { known, fresh } = request.input;
  const input = known + percent(fresh, factor);
  const output = percent(maxOutput, factor);
  const { price } = request;
  const dearest = price && { ...price, input: Math.max(price.input, price.cached) };
  return { input, output, cost: costOf({ input, cached: 0, output }, dearest) };
}

export function factorOf(ledger: Ledger, model: string): number {
  return ledger.factors.find((factor) => factor.model === model)?.percent ?? 100;
}

/** The factor that would have been enough for what was reported; it never falls. */
export function factorAfter(ledger: Ledger, open: OpenCall, usage: Usage): number {
  const before = factorOf(ledger, open.model);
  if (usage.input <= open.hold.input && usage.output <= open.hold.output) return before;
  const needed = Math.max(
    (usage.input - open.input.known) / Math.max(1, open.input.fresh),
    usage.output / open.granted,
  );
  return Math.max(before, Math.min(MAX_FACTOR, Math.ceil(needed * 100)));
}

/** What a request has before it. `alone`: as if nothing were reserved, so it says whether waiting can help. */
export function roomFor(ledger: Ledger, who: { readonly final: boolean; readonly alone: boolean }): Room {
  const spent = spentBy(ledger.sums);
  const reserved = who.alone ? { tokens: 0, cost: 0 } : reservedBy(ledger.open);
  const kept = who.final ? { tokens: 0, cost: 0 } : standingLeft(ledger, who.alone);
  const { tokens, cost } = ledger.limits;
  return {
    tokens: tokens === null ? null : tokens - spent.tokens - reserved.tokens - kept.tokens,
    cost: cost === null ? null : cost - spent.cost - reserved.cost - kept.cost,
  };
}

/** Null is no limit; below zero after an overrun. */
export interface Room {
  readonly tokens: number | null;
  readonly cost: number | null;
}

export function fits(hold: Hold, room: Room): boolean {
  return (
    (room.tokens === null || hold.input + hold.output <= room.tokens) &&
    (room.cost === null || hold.cost <= room.cost)
  );
}

/** What of the final node's slice its roles have neither spent nor (unless `alone`) reserved. */
export function standingLeft(ledger: Ledger, alone: boolean): Amount {
  const spent = spentBy(ledger.sums.filter((sum) => sum.final));
  const reserved = alone ? { tokens: 0, cost: 0 } : reservedBy(ledger.open.filter((open) => open.final));
  return {
    tokens: Math.max(0, ledger.standing.tokens - spent.tokens - reserved.tokens),
    cost: Math.max(0, ledger.standing.cost - spent.cost - reserved.cost),
  };
}

export function spentBy(sums: readonly Sum[]): Amount {
  let tokens = 0;
  let cost = 0;
  for (const sum of sums) {
    tokens += sum.input + sum.output;
    cost += sum.cost;
  }
  return { tokens, cost };
}

export function reservedBy(open: readonly OpenCall[]): Amount {
  let tokens = 0;
  let cost = 0;
  for (const { hold } of open) {
    tokens += hold.input + hold.output;
    cost += hold.cost;
  }
  return { tokens, cost };
}

/** The request and nothing else, keys in one order: live and folded ledgers must be the same text. */
export function plainRequest(request: BudgetRequest): BudgetRequest {
  const { call, role, model, final, input, maxOutput, floor, price } = request;
  return {
    call,
    role,
    model,
    final,
    input: { known: input.known, fresh: input.fresh },
    maxOutput,
    floor,
    price: price && { input: price.input, cached: price.cached, output: price.output },
  };
}

export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= MAX_COUNT;
}

function percent(tokens: number, factor: number): number {
  return Math.ceil((tokens * factor) / 100);
}
