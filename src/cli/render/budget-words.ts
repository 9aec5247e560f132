/** What was spent and what is left, as facts for one line. Numbers come from the ledger's report and nowhere else. */

import { formatCost, formatDuration, formatTokens } from '../../contract/amount.ts';
import type { BudgetReport } from '../../contract/budget.ts';
import { FINAL_NODE } from '../../contract/ids.ts';

/** The last moment with a date of four digits. */
const MOST_TIME = Date.UTC(9999, 11, 31);

/** `80%`; cut, so that nothing is shown as all before it is. */
export function shareWords(share: number): string {
  return `${Math.floor(share * 100)}%`;
}

/** `812k of 2m tokens`, `$1.20 of $5.00`: what counts at a glance. */
export function spentWords({ limits, spent, total }: BudgetReport): readonly string[] {
  const tokens =
    limits.tokens === null
      ? `${formatTokens(spent.tokens)} tokens`
      : `${formatTokens(spent.tokens)} of ${formatTokens(limits.tokens)} tokens`;
  return [tokens, ...costWords({ limits, spent, total })];
}

/** Nothing for a run whose tokens have no price. */
function costWords({ limits, spent, total }: Pick<BudgetReport, 'limits' | 'spent' | 'total'>) {
  if (limits.cost !== null) return [`${formatCost(spent.cost)} of ${formatCost(limits.cost)}`];
  return total.calls > total.unpriced && spent.cost > 0 ? [formatCost(spent.cost)] : [];
}

/** The whole line: also what is in flight, what is left, what stands for the final verification, the cached share. `over`: nothing
 * is kept for anybody any more. */
export function budgetWords(budget: BudgetReport, over: boolean): readonly string[] {
  const { left, reserved, standing, total } = budget;
  const [tokens = '', ...cost] = spentWords(budget);
  const kept =
    !over && standing.tokens > 0 ? `, ${formatTokens(standing.tokens)} of it kept for ${FINAL_NODE}` : '';
  return [
    `spent ${tokens}`,
    ...cost,
    ...(total.input > 0 ? [`${shareWords(total.cached / total.input)} of the input cached`] : []),
    ...(reserved.tokens > 0 ? [`${formatTokens(reserved.tokens)} reserved`] : []),
    ...(left.tokens === null ? [] : [`${formatTokens(left.tokens)} left${kept}`]),
    ...(left.cost === null ? [] : [`${formatCost(left.cost)} left`]),
  ];
}

/** A moment for somebody who reads it later, too: `2026-03-01 23:40 UTC, in 1h10m`. */
export function momentWords(at: number, now: number): string {
  // Whoever said so may have said anything.
  if (!(Math.abs(at) < MOST_TIME)) return 'the end of time';
  const day = new Date(at).toISOString();
  const stamp = `${day.slice(0, 10)} ${day.slice(11, 16)} UTC`;
  return at > now ? `${stamp}, in ${formatDuration(at - now)}` : stamp;
}

/** What a parked node waits for still: true of a paused run, too, which does not go on by itself. */
export function waitWords(until: number, now: number): string {
  return until > now ? `waits ${formatDuration(until - now)} more` : 'waits no more';
}
