/**
 * A stored event, applied. Events are facts: whether a call fitted is not asked again (a later version may decide
 * otherwise), but an event that cannot have happened on this ledger is refused, with the reason.
 */

import type {
  BudgetAdded,
  BudgetCharged,
  BudgetRequest,
  BudgetReserved,
  BudgetWaiting,
  Hold,
  LedgerEvent,
} from '../contract/budget.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import { never } from '../contract/never.ts';
import type { Ledger, OpenCall, Sum, WaitingCall } from './ledger.ts';
import { isCount, MAX_PRICE, plainRequest } from './ledger-room.ts';

export interface LedgerFault {
  readonly code: 'bad_amount' | 'no_price' | 'not_open' | 'not_known' | 'out_of_turn';
  readonly message: string;
}

export type Applied = Result<Ledger, LedgerFault>;

export function applyLedger(ledger: Ledger, event: LedgerEvent): Applied {
  switch (event.type) {
    case 'budget.reserved':
      return reserved(ledger, event);
    case 'budget.waiting':
      return waiting(ledger, event);
    case 'budget.tripped':
      return admitted(ledger, event.id);
    case 'budget.charged':
      return charged(ledger, event);
    case 'budget.released':
      return released(ledger, event.id);
    case 'budget.added':
      return added(ledger, event);
    default:
      return never(event);
  }
}

/** Why these numbers cannot be reserved; null when they can. */
export function badRequest(request: BudgetRequest): LedgerFault | null {
  const { input, maxOutput, floor, price } = request;
  const counts = [input.known, input.fresh, maxOutput, floor];
  const prices = price ? [price.input, price.cached, price.output] : [];
  const sound = counts.every(isCount) && prices.every((each) => isCount(each) && each <= MAX_PRICE);
  return sound && maxOutput >= 1 ? null : badAmount(`a request of ${request.call}`);
}

function reserved(ledger: Ledger, event: BudgetReserved): Applied {
  const { id, granted } = event;
  const bad = badRequest(event);
  if (bad) return fail(bad);
  const hold: Hold = { input: event.hold.input, output: event.hold.output, cost: event.hold.cost };
  if (!isCount(granted) || granted < 1 || granted > event.maxOutput || !isAmount(hold))
    return fail(badAmount(`a reservation of ${event.call}`));
  const at = admitted(ledger, id);
  if (!at.ok) return at;
  const { role, model, final, input, price } = plainRequest(event);
  const open: OpenCall = { id, role, model, final, input, granted, price, hold };
  return ok({ ...at.value, open: [...at.value.open, open] });
}

function waiting(ledger: Ledger, event: BudgetWaiting): Applied {
  const bad = badRequest(event);
  if (bad) return fail(bad);
  if (event.id !== ledger.lastId + 1) return fail(outOfTurn(event.id));
  const entry: WaitingCall = { id: event.id, ...plainRequest(event) };
  return ok({ ...ledger, lastId: event.id, waiting: [...ledger.waiting, entry] });
}

/** Answers a call that is new, or the first in the queue. A new one never passes the queue, unless it trips. */
function admitted(ledger: Ledger, id: number): Applied {
  if (ledger.waiting[0]?.id === id) return ok({ ...ledger, waiting: ledger.waiting.slice(1) });
  return id === ledger.lastId + 1 ? ok({ ...ledger, lastId: id }) : fail(outOfTurn(id));
}

function charged(ledger: Ledger, event: BudgetCharged): Applied {
  const { usage, cost, overrun, factor } = event;
  const call = ledger.open.find((open) => open.id === event.id);
  if (!call) return fail(notOpen(event.id));
  const counts = [usage.input, usage.cached, usage.output, overrun?.tokens ?? 0, factor];
  if (!counts.every(isCount) || usage.cached > usage.input || !Number.isSafeInteger(cost) || cost < 0) {
    return fail(badAmount(`the charge of call ${event.id}`));
  }
  return ok({
    ...ledger,
    open: ledger.open.filter((open) => open !== call),
    sums: summed(ledger.sums, call, event),
    factors: raised(ledger.factors, call.model, factor),
  });
}

function summed(sums: readonly Sum[], call: OpenCall, event: BudgetCharged): readonly Sum[] {
  const { role, model, final } = call;
  const { input, cached, output } = event.usage;
  const index = sums.findIndex((sum) => sum.role === role && sum.model === model && sum.final === final);
  const old = sums[index];
  const sum: Sum = {
    role,
    model,
    final,
    calls: (old?.calls ?? 0) + 1,
    input: (old?.input ?? 0) + input,
    cached: (old?.cached ?? 0) + cached,
    output: (old?.output ?? 0) + output,
    cost: (old?.cost ?? 0) + event.cost,
    estimated: (old?.estimated ?? 0) + (event.estimated ? input + output : 0),
    overrun: (old?.overrun ?? 0) + (event.overrun?.tokens ?? 0),
    unpriced: (old?.unpriced ?? 0) + (call.price ? 0 : 1),
  };
  return old ? sums.with(index, sum) : [...sums, sum];
}

function raised(factors: Ledger['factors'], model: string, percent: number): Ledger['factors'] {
  const index = factors.findIndex((factor) => factor.model === model);
  if (percent === (factors[index]?.percent ?? 100)) return factors;
  return index < 0 ? [...factors, { model, percent }] : factors.with(index, { model, percent });
}

function released(ledger: Ledger, id: number): Applied {
  const open = ledger.open.filter((call) => call.id !== id);
  const waiting = ledger.waiting.filter((call) => call.id !== id);
  const known = open.length < ledger.open.length || waiting.length < ledger.waiting.length;
  return known ? ok({ ...ledger, open, waiting }) : fail(notKnown(id));
}

function added(ledger: Ledger, event: BudgetAdded): Applied {
  const { tokens, cost, standing } = event;
  const amounts = [tokens ?? 0, cost ?? 0, standing.tokens, standing.cost];
  if (!amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0))
    return fail(badAmount('a limit'));
  return ok({
    ...ledger,
    limits: { tokens, cost },
    standing: { tokens: standing.tokens, cost: standing.cost },
  });
}

function isAmount(hold: Hold): boolean {
  return [hold.input, hold.output, hold.cost].every((amount) => Number.isSafeInteger(amount) && amount >= 0);
}

export function badAmount(what: string): LedgerFault {
  return { code: 'bad_amount', message: `${what} has an amount that is no count of tokens or money` };
}

export function notOpen(id: number): LedgerFault {
  return { code: 'not_open', message: `call ${id} has no open reservation` };
}

export function notKnown(id: number): LedgerFault {
  return { code: 'not_known', message: `call ${id} neither has a reservation nor waits for one` };
}

function outOfTurn(id: number): LedgerFault {
  return { code: 'out_of_turn', message: `call ${id} is neither new nor the first that waits` };
}
