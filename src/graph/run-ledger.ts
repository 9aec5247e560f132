/** What the events of a run do to its ledger: time, so far; the calls of models come through their own events. */

import type { RunEvent } from '../contract/event.ts';
import type { Limits } from '../contract/limits.ts';
import { limitTime, openLedger, startClock, stopClock, type Ledger } from '../kernel/ledger.ts';
import type { RunState } from './run-state.ts';

export function ledgerAfter({ ledger, lastAt }: RunState, event: RunEvent): Ledger | null {
  if (event.type === 'run.created') return startClock(openLedger(event.limits), event.at);
  if (!ledger) return null;
  switch (event.type) {
    case 'run.resumed':
      return startClock(limited(ledger, event.limits), event.at);
    case 'run.paused':
    case 'run.completed':
    case 'run.cleared':
      return stopClock(ledger, event.at);
    case 'run.restored':
      // Its process died some time after the last event: what came later is not known to have been running.
      return stopClock(ledger, lastAt);
    default:
      return ledger;
  }
}

export function limitsOf({ limits, clock }: Ledger): Limits {
  return { ...limits, maxTime: clock.maxTime, until: clock.until };
}

function limited(ledger: Ledger, { tokens, cost, maxTime, until }: Limits): Ledger {
  return { ...limitTime(ledger, { maxTime, until }), limits: { tokens, cost } };
}
