/** The ledger in words. What goes as it should is not worth a line: there are two events a request. */

import { formatCost, formatTokens } from '../../contract/amount.ts';
import type { BudgetAdded, BudgetCharged, BudgetTripped, LedgerEvent } from '../../contract/budget.ts';
import { never } from '../../contract/never.ts';
import type { Told } from './event-told.ts';

export function budgetTold(event: LedgerEvent): readonly Told[] {
  switch (event.type) {
    case 'budget.reserved':
    case 'budget.waiting':
    case 'budget.released':
      return [];
    case 'budget.tripped':
      return [{ text: trippedWords(event), tone: 'bad' }];
    case 'budget.charged':
      return chargedTold(event);
    case 'budget.added':
      return [{ text: `budget from now on: ${limitWords(event)}`, tone: 'run' }];
    default:
      return never(event);
  }
}

function trippedWords({ call, by, need, left, standing }: BudgetTripped): string {
  const amount = by === 'tokens' ? (n: number) => `${formatTokens(n)} tokens` : formatCost;
  const kept = standing > 0 ? `, ${amount(standing)} more are kept for the final verification` : '';
  return `budget: ${call} needs ${amount(need)} at least, ${amount(left)} are left${kept}`;
}

function chargedTold({ id, usage, estimated, overrun }: BudgetCharged): readonly Told[] {
  const told: Told[] = [];
  if (estimated) {
    const tokens = formatTokens(usage.input + usage.output);
    told.push({
      text: `budget: call ${id} reported nothing, so all of its ${tokens} reserved tokens are charged`,
      tone: 'odd',
    });
  }
  if (overrun !== null) {
    const cost = overrun.cost > 0 ? ` (${formatCost(overrun.cost)})` : '';
    told.push({
      text: `budget: call ${id} used ${formatTokens(overrun.tokens)} tokens${cost} more than were reserved for it`,
      tone: 'odd',
    });
  }
  return told;
}

function limitWords({ tokens, cost, standing }: BudgetAdded): string {
  const limits = [
    ...(tokens === null ? [] : [`${formatTokens(tokens)} tokens`]),
    ...(cost === null ? [] : [formatCost(cost)]),
  ];
  const kept =
    standing.tokens > 0 ? [`${formatTokens(standing.tokens)} of it for the final verification`] : [];
  return [...(limits.length === 0 ? ['no limit'] : limits), ...kept].join(', ');
}
