/** A ledger driven by hand, for tables: short calls, and its events kept so that it can be folded anew. */

import type { BudgetRequest, LedgerEvent, Usage } from '../../src/contract/budget.ts';
import { NO_LIMITS } from '../../src/contract/limits.ts';
import { openLedger, type Ledger } from '../../src/kernel/ledger.ts';
import { applyLedger } from '../../src/kernel/ledger-apply.ts';
import { charge, crashed, dropWaiting, release, request, topUp } from '../../src/kernel/ledger-calls.ts';
import { reportLedger } from '../../src/kernel/ledger-report.ts';
import { valueOf } from './ledger-world.ts';

export const PRICE = { input: 3_000_000, cached: 300_000, output: 15_000_000 };

/** A call that needs `tokens` and is of no use with less. */
export function call(tokens: number, change: Partial<BudgetRequest> = {}): BudgetRequest {
  const half = Math.floor(tokens / 2);
  const sizes = { input: { known: 0, fresh: tokens - half }, maxOutput: half, floor: half };
  return { call: 'n1', role: 'worker', model: 'm', final: false, price: null, ...sizes, ...change };
}

/** A ledger with a journal: each step's events are kept, and it can be folded anew from them. */
export function journal(limits: Partial<typeof NO_LIMITS>, standing = { tokens: 0, cost: 0 }) {
  const first = openLedger({ ...NO_LIMITS, ...limits }, standing);
  const events: LedgerEvent[] = [];
  let ledger = first;
  const take = (moved: { ledger: Ledger; events: readonly LedgerEvent[] }) => {
    ledger = moved.ledger;
    events.push(...moved.events);
    return moved.events.map(({ type }) => type.slice('budget.'.length));
  };
  return {
    events,
    get ledger() {
      return ledger;
    },
    spent: () => reportLedger(ledger).spent.tokens,
    left: () => reportLedger(ledger).left.tokens,
    ask(wanted: BudgetRequest) {
      const { ledger: next, answer } = valueOf(request(ledger, wanted, 1));
      take({ ledger: next, events: [answer] });
      return answer;
    },
    end: (id: number, usage: Usage | null) => take(valueOf(charge(ledger, { id, usage, at: 2 }))),
    release: (id: number) => take(valueOf(release(ledger, { id, at: 2 }))),
    drop: () => take(dropWaiting(ledger, 2)),
    crash: () => take(crashed(ledger, 3)),
    add: (tokens: number) =>
      take(valueOf(topUp(ledger, { tokens, cost: null, standing: { tokens: 0, cost: 0 }, at: 4 }))),
    fold: () => events.reduce((next, event) => valueOf(applyLedger(next, event)), first),
    /** Spends exactly this much. */
    spend(tokens: number, change: Partial<BudgetRequest> = {}) {
      const { id } = this.ask(call(tokens, change));
      return this.end(id, {
        input: tokens - Math.floor(tokens / 2),
        cached: 0,
        output: Math.floor(tokens / 2),
      });
    },
  };
}
