/**
 * Words of the ledger: what a model call may use, what it did use, and the events that tell of both.
 * Tokens are raw tokens as billed. Money is in millionths of a US dollar. All numbers are integers.
 */

/** Tokens, and what they cost. */
export interface Amount {
  readonly tokens: number;
  readonly cost: number;
}

/** Millionths of a dollar per million tokens: 3,000,000 is $3 a million. At most 2,500,000,000. */
export interface Price {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** As a provider reports it. */
export interface Usage {
  /** Tokens sent, cached ones included. */
  readonly input: number;
  /** Those of `input` that came out of the provider's cache. */
  readonly cached: number;
  /** Tokens received, reasoning included. */
  readonly output: number;
}

/** An upper bound of the tokens of a request's input: what is known, and what is only bounded by its bytes. */
export interface InputBound {
  /** Tokens of the part that a provider has counted already. */
  readonly known: number;
  /** Tokens of the rest if no token is shorter than a byte; a model that was wrong about that has a factor. */
  readonly fresh: number;
}

/** A model call that asks for its reservation. */
export interface BudgetRequest {
  /** Names the call for people: node, round, turn. */
  readonly call: string;
  readonly role: string;
  readonly model: string;
  /** True for roles of the final node: they alone may use what stands reserved for it. */
  readonly final: boolean;
  readonly input: InputBound;
  /** Tokens the answer should be allowed. */
  readonly maxOutput: number;
  /** Tokens of answer below which the call is of no use. */
  readonly floor: number;
  /** Null when there is none; then no money limit can be kept, and the ledger refuses the call if there is one. */
  readonly price: Price | null;
}

/** What is reserved for one call. */
export interface Hold {
  readonly input: number;
  readonly output: number;
  /** 0 without a price. */
  readonly cost: number;
}

interface Timed {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** One call of the ledger. Ids count up from 1 and are never used again. */
interface Numbered extends Timed {
  readonly id: number;
}

/** The call may be sent now, with this limit on its output. */
export interface BudgetReserved extends Numbered, BudgetRequest {
  readonly type: 'budget.reserved';
  readonly hold: Hold;
  /** What to send as the limit of the output: `maxOutput`, or less (never under the floor) when less is left. */
  readonly granted: number;
}

/** The call fits the budget, but not beside what is reserved; it stands in the queue. */
export interface BudgetWaiting extends Numbered, BudgetRequest {
  readonly type: 'budget.waiting';
}

/** The call could not fit even if nothing else were reserved. */
export interface BudgetTripped extends Numbered {
  readonly type: 'budget.tripped';
  readonly call: string;
  readonly role: string;
  readonly model: string;
  readonly final: boolean;
  /** Which limit: tokens, or money (millionths of a dollar). */
  readonly by: 'tokens' | 'cost';
  /** The least that would do, and what is left for it with nothing reserved (below 0 after an overrun). */
  readonly need: number;
  readonly left: number;
  /** What stands reserved for the final verification and is not counted in `left`. */
  readonly standing: number;
}

/** The call has ended and is paid for; what it did not use of its reservation is free again. */
export interface BudgetCharged extends Numbered {
  readonly type: 'budget.charged';
  readonly usage: Usage;
  readonly cost: number;
  /** True when the provider reported nothing usable, and the reservation was charged instead. */
  readonly estimated: boolean;
  /** What was reported beyond the reservation; charged all the same. */
  readonly overrun: Amount | null;
  /** The model's factor from now on, in percent: 100 is at most one token a byte. */
  readonly factor: number;
}

/** The call was not sent, or certainly not billed; or it left the queue. */
export interface BudgetReleased extends Numbered {
  readonly type: 'budget.released';
}

/** Limits from now on. */
export interface BudgetAdded extends Timed {
  readonly type: 'budget.added';
  readonly tokens: number | null;
  readonly cost: number | null;
  readonly standing: Amount;
}

/** What a request is answered with. */
export type BudgetAnswer = BudgetReserved | BudgetWaiting | BudgetTripped;

export type LedgerEvent = BudgetAnswer | BudgetCharged | BudgetReleased | BudgetAdded;

/** What was spent, summed over calls. */
export interface Spending {
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

/** What status and reports show of a ledger. */
export interface BudgetReport {
  /** Null is no limit. */
  readonly limits: { readonly tokens: number | null; readonly cost: number | null };
  readonly spent: Amount;
  readonly reserved: Amount;
  /** What is still kept for the final verification. */
  readonly standing: Amount;
  /** Limits less what is spent and reserved; null without a limit, below zero after an overrun. */
  readonly left: { readonly tokens: number | null; readonly cost: number | null };
  readonly total: Spending;
  readonly roles: readonly (Spending & { readonly role: string })[];
  readonly models: readonly (Spending & { readonly model: string; readonly factor: number })[];
}
