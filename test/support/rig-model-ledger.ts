/** What the events of a run say of its budget, reckoned up apart from the program. */

import type { BudgetRequest, Usage } from '../../src/contract/budget.ts';
import type { RunEvent } from '../../src/contract/event.ts';

export interface Reckoned {
  /** As charged, those that were estimated left out. */
  readonly charged: Usage;
  /** Tokens charged for want of a report. */
  readonly estimated: number;
  /** All of it. */
  readonly spent: number;
  /** Tokens of calls that were reserved and are neither charged nor released. */
  readonly reserved: number;
  /** Calls that were charged. */
  readonly calls: number;
  /** The largest sum of spent and reserved that there ever was, less the limit of that moment. */
  readonly worst: number;
}

export function reckon(events: readonly RunEvent[]): Reckoned {
  const open = new Map<number, number>();
  const sum = { input: 0, cached: 0, output: 0 };
  let estimated = 0;
  let calls = 0;
  let limit = Infinity;
  let worst = -Infinity;
  const spent = () => sum.input + sum.output + estimated;
  const reserved = () => [...open.values()].reduce((all, each) => all + each, 0);
  for (const event of events) {
    switch (event.type) {
      case 'run.created':
      case 'run.resumed':
        limit = event.limits.tokens ?? Infinity;
        break;
      case 'budget.added':
        limit = event.tokens ?? Infinity;
        break;
      case 'budget.reserved':
        open.set(event.id, event.hold.input + event.hold.output);
        break;
      case 'budget.released':
        open.delete(event.id);
        break;
      case 'budget.charged':
        open.delete(event.id);
        calls += 1;
        if (event.estimated) estimated += event.usage.input + event.usage.output;
        else for (const what of ['input', 'cached', 'output'] as const) sum[what] += event.usage[what];
        break;
      default:
    }
    worst = Math.max(worst, spent() + reserved() - limit);
  }
  return { charged: sum, estimated, spent: spent(), reserved: reserved(), calls, worst };
}

export function requestsOf(events: readonly RunEvent[]): readonly BudgetRequest[] {
  return events.filter((event) => event.type === 'budget.reserved');
}

export function typesOf(events: readonly RunEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}
