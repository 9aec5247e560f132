/**
 * What the ledger decides. Each function returns events and the ledger after them, and changes nothing else; the
 * events are to be stored before a call is sent. A charge, a release or more budget may grant calls that waited:
 * those grants are among the events.
 *
 * After a trip the run pauses. The caller then drops the queue, and releases what the same step granted but did not send.
 */

import type {
  Amount,
  BudgetAnswer,
  BudgetRequest,
  BudgetReserved,
  BudgetTripped,
  Hold,
  LedgerEvent,
  Usage,
} from '../contract/budget.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { Ledger, WaitingCall } from './ledger.ts';
import { applyLedger, badAmount, badRequest, notKnown, notOpen, type LedgerFault } from './ledger-apply.ts';
import { chargeOf } from './ledger-charge.ts';
import { fits, holdFor, plainRequest, reservedBy, roomFor, spentBy, standingLeft } from './ledger-room.ts';

export interface Moved<E extends LedgerEvent = LedgerEvent> {
  readonly ledger: Ledger;
  readonly events: readonly E[];
}

export type Decided = Result<Moved, LedgerFault>;

/** Exactly one event: reserved (send it now), waiting, or tripped. Its `id` names the call from here on. */
export function request(
  ledger: Ledger,
  request: BudgetRequest,
  at: number,
): Result<{ readonly ledger: Ledger; readonly answer: BudgetAnswer }, LedgerFault> {
  const bad = badRequest(request);
  if (bad) return fail(bad);
  if (ledger.limits.cost !== null && request.price === null) return fail(noPrice(request.model));
  const call: WaitingCall = { id: ledger.lastId + 1, ...plainRequest(request) };
  const decision = decide(ledger, call, at);
  // Whoever fits must still not pass those who wait.
  const held = decision === null || (decision.type === 'budget.reserved' && ledger.waiting.length > 0);
  const answer: BudgetAnswer = held ? { type: 'budget.waiting', at, ...call } : decision;
  return ok({ ledger: applied(ledger, answer), answer });
}

/** The call has ended. `usage`: what the provider reported; null for nothing, or a stream that broke. */
export function charge(
  ledger: Ledger,
  ended: { readonly id: number; readonly usage: Usage | null; readonly at: number },
): Decided {
  const call = ledger.open.find((open) => open.id === ended.id);
  if (!call) return fail(notOpen(ended.id));
  return ok(settle(ledger, [chargeOf(ledger, call, ended)], ended.at));
}

/** The call was never sent, or was refused before it could be billed; or it need not wait any longer. */
export function release(ledger: Ledger, ended: { readonly id: number; readonly at: number }): Decided {
  const { id, at } = ended;
  const known = [...ledger.open, ...ledger.waiting].some((call) => call.id === id);
  return known ? ok(settle(ledger, [{ type: 'budget.released', at, id }], at)) : fail(notKnown(id));
}

/** A pause: nobody waits any longer, so nothing that ends later can grant a call. */
export function dropWaiting(ledger: Ledger, at: number): Moved {
  const events = ledger.waiting.map(({ id }): LedgerEvent => ({ type: 'budget.released', at, id }));
  return { ledger: events.reduce(applied, ledger), events };
}

/** The process is gone: its queue is void, and every call in flight is charged its reservation. */
export function crashed(ledger: Ledger, at: number): Moved {
  const dropped = dropWaiting(ledger, at);
  const charges = ledger.open.map((call) => chargeOf(dropped.ledger, call, { id: call.id, usage: null, at }));
  const events = [...dropped.events, ...charges];
  return { ledger: charges.reduce(applied, dropped.ledger), events };
}

/**
 * Raises limits. A limit that was not set begins here: what is spent and reserved, plus what is added.
 * `standing`: what the final node should at least have before it now; as far as there is room for it.
 */
export function topUp(
  ledger: Ledger,
  more: {
    readonly tokens: number | null;
    readonly cost: number | null;
    readonly standing: Amount;
    readonly at: number;
  },
): Decided {
  const { at, standing } = more;
  const amounts = [more.tokens ?? 1, more.cost ?? 1];
  const limits = {
    tokens: raisedLimit(ledger, 'tokens', more.tokens),
    cost: raisedLimit(ledger, 'cost', more.cost),
  };
  const sound = [limits.tokens, limits.cost].every((limit) => limit === null || Number.isSafeInteger(limit));
  const counts = [...amounts, standing.tokens, standing.cost].every(Number.isSafeInteger);
  if (!sound || !counts || Math.min(...amounts) < 1 || Math.min(standing.tokens, standing.cost) < 0) {
    return fail(badAmount('what is added'));
  }
  const calls = [...ledger.open, ...ledger.waiting];
  const unpriced = calls.find((call) => call.price === null) ?? ledger.sums.find((sum) => sum.unpriced > 0);
  if (limits.cost !== null && unpriced) return fail(noPrice(unpriced.model));
  const raised = { ...ledger, limits };
  const kept = { tokens: keptAfter(raised, 'tokens', standing), cost: keptAfter(raised, 'cost', standing) };
  return ok(settle(ledger, [{ type: 'budget.added', at, ...limits, standing: kept }], at));
}

function raisedLimit(ledger: Ledger, what: keyof Amount, more: number | null): number | null {
  const old = ledger.limits[what];
  if (more === null) return old;
  return (old ?? spentBy(ledger.sums)[what] + reservedBy(ledger.open)[what]) + more;
}

/** The slice with `asked` still unspent, if there is room: never below what it was, never more than is free. */
function keptAfter(ledger: Ledger, what: keyof Amount, asked: Amount): number {
  const spent = spentBy(ledger.sums.filter((sum) => sum.final))[what];
  const reserved = reservedBy(ledger.open.filter((open) => open.final))[what];
  const free = roomFor(ledger, { final: true, alone: false })[what] ?? Infinity;
  return Math.min(Math.max(ledger.standing[what], spent + asked[what]), spent + reserved + Math.max(0, free));
}

/** What the first of those who wait is answered now; null when it must go on waiting, or nobody waits. */
export function nextAnswer(ledger: Ledger, at: number): BudgetReserved | BudgetTripped | null {
  const call = ledger.waiting[0];
  return call ? decide(ledger, call, at) : null;
}

/** Applies events, then answers those who wait, in order, until one must go on waiting. */
function settle(ledger: Ledger, first: readonly LedgerEvent[], at: number): Moved {
  const events = [...first];
  let next = first.reduce(applied, ledger);
  for (let answer = nextAnswer(next, at); answer; answer = nextAnswer(next, at)) {
    events.push(answer);
    next = applied(next, answer);
  }
  return { ledger: next, events };
}

/** Null: it fits, but not beside what is reserved. */
function decide(ledger: Ledger, call: WaitingCall, at: number): BudgetReserved | BudgetTripped | null {
  const alone = roomFor(ledger, { final: call.final, alone: true });
  const fitting = (output: number) => fits(holdFor(ledger, call, output), alone);
  const granted = largest(Math.min(call.floor, call.maxOutput), call.maxOutput, fitting);
  if (granted === null) return tripOf(ledger, call, at);
  const hold = holdFor(ledger, call, granted);
  if (!fits(hold, roomFor(ledger, { final: call.final, alone: false }))) return null;
  return { type: 'budget.reserved', at, ...call, hold, granted };
}

/** The largest number from `least` (but 1) to `most` that fits; null when the least does not. */
function largest(least: number, most: number, fitting: (value: number) => boolean): number | null {
  if (fitting(most)) return most;
  let low = Math.max(1, least);
  if (!fitting(low)) return null;
  for (let high = most; high - low > 1;) {
    const middle = Math.floor((low + high) / 2);
    if (fitting(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function tripOf(ledger: Ledger, call: WaitingCall, at: number): BudgetTripped {
  const { id, role, model, final } = call;
  const least: Hold = holdFor(ledger, call, Math.max(1, Math.min(call.floor, call.maxOutput)));
  const room = roomFor(ledger, { final, alone: true });
  const tokens = least.input + least.output;
  const by = room.tokens !== null && tokens > room.tokens ? 'tokens' : 'cost';
  return {
    type: 'budget.tripped',
    at,
    id,
    call: call.call,
    role,
    model,
    final,
    by,
    need: by === 'tokens' ? tokens : least.cost,
    left: room[by] ?? 0,
    standing: final ? 0 : standingLeft(ledger, true)[by],
  };
}

function noPrice(model: string): LedgerFault {
  return { code: 'no_price', message: `a money limit cannot be kept: there is no price for ${model}` };
}

/** Applies an event that was just decided: if the ledger refuses it, that is a bug. */
function applied(ledger: Ledger, event: LedgerEvent): Ledger {
  const result = applyLedger(ledger, event);
  if (!result.ok) throw new Error(`the ledger refuses its own ${event.type}: ${result.fault.message}`);
  return result.value;
}
