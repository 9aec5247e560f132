/**
 * Ceilings across runs: what all runs of one person may use together in a day or a month, as the local calendar has
 * them. A call counts for the day that the clock shows when it is reserved.
 */

import { formatCost, formatTokens } from './amount.ts';
import type { Amount } from './budget.ts';

export type Period = 'day' | 'month';

/** Null is no ceiling. Money in millionths of a dollar. */
export interface Ceiling {
  readonly tokens: number | null;
  readonly cost: number | null;
}

export type CeilingSettings = Readonly<Record<Period, Ceiling>>;

/** `reserved`: by calls under way. */
export interface Counted {
  readonly spent: Amount;
  readonly reserved: Amount;
}

/** What a call needs does not fit below this one. */
export interface OverCeiling {
  readonly which: Period;
  readonly unit: keyof Amount;
  readonly limit: number;
  readonly spent: number;
  readonly reserved: number;
  readonly need: number;
}

const NONE: Ceiling = { tokens: null, cost: null };
export const NO_CEILINGS: CeilingSettings = { day: NONE, month: NONE };

/** The one that frees last comes first. */
export const PERIODS: readonly Period[] = ['month', 'day'];
const UNITS: readonly (keyof Amount)[] = ['tokens', 'cost'];

export function hasCeiling({ day, month }: CeilingSettings): boolean {
  return [day, month].some(({ tokens, cost }) => tokens !== null || cost !== null);
}

/**
 * The ceiling that stops a call; null when it may go. One that stops it even when all that is reserved comes free comes
 * before one that does not, for waiting helps with the latter only.
 */
export function overCeiling(
  ceilings: CeilingSettings,
  counted: Readonly<Record<Period, Counted>>,
  needed: Amount,
): OverCeiling | null {
  const over: OverCeiling[] = [];
  for (const which of PERIODS) {
    for (const unit of UNITS) {
      const limit = ceilings[which][unit];
      const need = needed[unit];
      const spent = counted[which].spent[unit];
      const reserved = counted[which].reserved[unit];
      // What costs nothing passes any ceiling of money.
      if (limit === null || need === 0 || spent + reserved + need <= limit) continue;
      over.push({ which, unit, limit, spent, reserved, need });
    }
  }
  return over.find(isLasting) ?? over[0] ?? null;
}

/** True when it does not help to wait for calls under way. */
export function isLasting({ spent, need, limit }: OverCeiling): boolean {
  return spent + need > limit;
}

/** For a person, with the time from which it is worth going on; null when that is never. */
export function ceilingWords(
  over: OverCeiling,
  { call, at }: { readonly call: string; readonly at: number },
): { readonly detail: string; readonly resetAt: number | null } {
  const { which, unit, limit, spent, reserved, need } = over;
  const name = `the ${which}'s ceiling of ${amountText(unit, limit)} (own configuration)`;
  if (need > limit) {
    const detail = `${name} is too small: ${call} needs ${amountText(unit, need)} at once; raise it under "limits"`;
    return { detail, resetAt: null };
  }
  const resetAt = endOf(which, at);
  const others = reserved > 0 ? `, ${amountText(unit, reserved)} reserved` : '';
  const used = `${amountText(unit, spent)} spent ${which === 'day' ? 'today' : 'this month'}${others}`;
  const more = `${call} needs ${amountText(unit, need)}`;
  const day = which === 'day' ? '' : `on ${dayOf(resetAt)} `;
  return { detail: `${name} is reached: ${used}, ${more}; it frees ${day}at ${timeOf(resetAt)}`, resetAt };
}

/** Whether what a pause says is that a ceiling was reached. More budget for the run would not help. */
export function isOverCeiling(detail: string | null): boolean {
  return detail !== null && /^the (?:day|month)'s ceiling of /.test(detail);
}

/** `2m tokens, $10.00`; null when there is none. */
export function ceilingText({ tokens, cost }: Ceiling): string | null {
  const parts = [
    ...(tokens === null ? [] : [amountText('tokens', tokens)]),
    ...(cost === null ? [] : [amountText('cost', cost)]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

export function amountText(unit: keyof Amount, amount: number): string {
  return unit === 'tokens' ? `${formatTokens(amount)} tokens` : formatCost(amount);
}

/** `2026-11-30`: sorts, and begins with its month. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return `${monthOf(at)}-${String(date.getDate()).padStart(2, '0')}`;
}

/** `2026-11`. */
export function monthOf(at: number): string {
  const date = new Date(at);
  return `${String(date.getFullYear()).padStart(4, '0')}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/** When the next day or month begins on the local clock; a midnight that is jumped over is the moment of the jump. */
export function endOf(which: Period, at: number): number {
  const date = new Date(at);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return which === 'day' ? new Date(year, month, day + 1).getTime() : new Date(year, month + 1, 1).getTime();
}

function timeOf(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
