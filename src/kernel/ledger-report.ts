/** What status and reports show of a ledger. */

import type { BudgetReport, Spending } from '../contract/budget.ts';
import type { Ledger, Sum } from './ledger.ts';
import { reservedBy, roomFor, spentBy, standingLeft } from './ledger-room.ts';

export function reportLedger(ledger: Ledger): BudgetReport {
  const { sums, factors } = ledger;
  return {
    limits: ledger.limits,
    spent: spentBy(sums),
    reserved: reservedBy(ledger.open),
    standing: standingLeft(ledger, false),
    left: roomFor(ledger, { final: true, alone: false }),
    total: totalOf(sums),
    roles: grouped(sums, 'role').map(([role, of]) => ({ role, ...totalOf(of) })),
    models: grouped(sums, 'model').map(([model, of]) => ({
      model,
      ...totalOf(of),
      factor: factors.find((factor) => factor.model === model)?.percent ?? 100,
    })),
  };
}

function totalOf(sums: readonly Sum[]): Spending {
  const add = (what: keyof Spending) => sums.reduce((total, sum) => total + sum[what], 0);
  return {
    calls: add('calls'),
    input: add('input'),
    cached: add('cached'),
    output: add('output'),
    cost: add('cost'),
    estimated: add('estimated'),
    overrun: add('overrun'),
    unpriced: add('unpriced'),
  };
}

/** In the order in which each was first charged. */
function grouped(sums: readonly Sum[], by: 'role' | 'model'): readonly (readonly [string, readonly Sum[]])[] {
  const groups = new Map<string, Sum[]>();
  for (const sum of sums) groups.set(sum[by], [...(groups.get(sum[by]) ?? []), sum]);
  return [...groups];
}
