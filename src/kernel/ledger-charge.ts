/** What a call is charged, whatever its provider reported. */

import type { Amount, BudgetCharged, Hold, Usage } from '../contract/budget.ts';
import type { Ledger, OpenCall } from './ledger.ts';
import { costOf, factorAfter, MAX_COUNT } from './ledger-room.ts';

/** What the end of a call costs. `usage`: as reported; null for nothing, or a stream that broke. */
export function chargeOf(
  ledger: Ledger,
  call: OpenCall,
  ended: { readonly id: number; readonly usage: Usage | null; readonly at: number },
): BudgetCharged {
  const { usage, estimated } = usable(call.hold, ended.usage);
  const billed = costOf(usage, call.price);
  const cost = estimated ? Math.max(call.hold.cost, billed) : billed;
  const over: Amount = {
    tokens: Math.max(0, usage.input + usage.output - call.hold.input - call.hold.output),
    cost: Math.max(0, cost - call.hold.cost),
  };
  return {
    type: 'budget.charged',
    at: ended.at,
    id: call.id,
    usage,
    cost,
    estimated,
    overrun: over.tokens + over.cost > 0 ? over : null,
    factor: factorAfter(ledger, call, usage),
  };
}

/**
 * A report without input or with a number that is none is no report: providers send zeros when they did not count,
 * and a call that is charged nothing would dodge the budget. What it does say is still charged if it is more.
 */
function usable(hold: Hold, reported: Usage | null): { readonly usage: Usage; readonly estimated: boolean } {
  const input = counted(reported?.input);
  const output = counted(reported?.output);
  if (input !== null && input > 0 && output !== null) {
    return {
      usage: { input, cached: Math.min(counted(reported?.cached) ?? 0, input), output },
      estimated: false,
    };
  }
  const usage = {
    input: Math.max(hold.input, input ?? 0),
    cached: 0,
    output: Math.max(hold.output, output ?? 0),
  };
  return { usage, estimated: true };
}

/** Nobody means more than this; input and output together, and what they are over, are still counts. */
const MOST_REPORTED = MAX_COUNT / 2;

function counted(value: number | undefined): number | null {
  if (value === undefined || !Number.isSafeInteger(value) || value < 0) return null;
  return Math.min(value, MOST_REPORTED);
}
