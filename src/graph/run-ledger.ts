/** What the events of a run do to its ledger, and what the ledger's own events make follow. */

import type { BudgetAdded, BudgetTripped, LedgerEvent } from '../contract/budget.ts';
import type { RunEvent } from '../contract/event.ts';
import { fail } from '../contract/fault.ts';
import type { Limits } from '../contract/limits.ts';
import type { ModelSettings } from '../contract/settings.ts';
import { limitTime, NOTHING, openLedger, startClock, stopClock, type Ledger } from '../kernel/ledger.ts';
import { applyLedger } from '../kernel/ledger-apply.ts';
import { crashed, dropWaiting, nextAnswer, topUp, type Decided } from '../kernel/ledger-calls.ts';
import { reservedBy, spentBy, standingSlice } from '../kernel/ledger-room.ts';
import type { RunState } from './run-state.ts';

type Budgeted = Pick<Limits, 'tokens' | 'cost'>;

const LEDGER_EVENTS: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'budget.reserved',
  'budget.waiting',
  'budget.tripped',
  'budget.charged',
  'budget.released',
  'budget.added',
]);

export function isOfLedger(event: RunEvent): event is LedgerEvent {
  return LEDGER_EVENTS.has(event.type);
}

export function ledgerAfter({ graph, ledger, lastAt }: RunState, event: RunEvent): Ledger | null {
  if (event.type === 'run.created') {
    const standing = event.models ? standingFor(event.models, event.limits) : NOTHING;
    return startClock(openLedger(event.limits, standing), event.at);
  }
  if (!ledger) return null;
  switch (event.type) {
    case 'run.planned':
      // A plan that waits for a yes waits at rest.
      return graph.context.approve ? stopClock(ledger, event.at) : ledger;
    case 'run.approved':
      return startClock(ledger, event.at);
    case 'run.resumed': {
      const { tokens, cost, maxTime, until } = event.limits;
      const timed = limitTime(ledger, { maxTime, until });
      return startClock({ ...timed, limits: { tokens, cost } }, event.at);
    }
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

/** What a change of the run makes follow: a rest ends all waiting, a crash charges what was in flight. */
export function ledgerFollows(
  state: RunState,
  before: Ledger | null,
  event: RunEvent,
): readonly LedgerEvent[] {
  const { ledger } = state;
  if (!ledger || !before) return [];
  switch (event.type) {
    case 'run.planned':
      return state.graph.value === 'approval' ? dropWaiting(ledger, event.at).events : [];
    case 'run.paused':
    case 'run.cleared':
    case 'run.completed':
      return dropWaiting(ledger, event.at).events;
    case 'run.restored':
      return crashed(ledger, event.at).events;
    case 'run.resumed': {
      const { models } = state.graph.context;
      if (!models) return [];
      const raised = raise(before, { models, limits: event.limits, at: event.at });
      return raised?.ok ? raised.value.events.slice(0, 1) : [];
    }
    default:
      return [];
  }
}

/** The ledger with these limits instead of its own; null when they are its own. Fails where they cannot be kept. */
export function raise(
  ledger: Ledger,
  to: { readonly models: ModelSettings; readonly limits: Budgeted; readonly at: number },
): Decided | null {
  const { limits, models, at } = to;
  const tokens = added(ledger, 'tokens', limits.tokens);
  const cost = added(ledger, 'cost', limits.cost);
  if (tokens === null && cost === null) return null;
  const unpriced = (['worker', 'verifier'] as const).find((role) => models.prices[role] === null);
  if (limits.cost !== null && unpriced) {
    const message = `a money limit cannot be kept: there is no price for ${models[unpriced]}`;
    return fail({ code: 'no_price', message });
  }
  return topUp(ledger, { tokens, cost, standing: standingFor(models, limits), at });
}

/** How much more a limit is; null when it is the same. */
function added(ledger: Ledger, what: keyof Budgeted, limit: number | null): number | null {
  const old = ledger.limits[what];
  if (limit === null || limit === old) return null;
  return limit - (old ?? spentBy(ledger.sums)[what] + reservedBy(ledger.open)[what]);
}

function standingFor(models: ModelSettings, limits: Budgeted): BudgetAdded['standing'] {
  return standingSlice({ limits, panel: models.panel.final, price: models.prices.verifier });
}

type Charged =
  | { readonly ok: true; readonly ledger: Ledger; readonly derived: readonly RunEvent[] }
  | { readonly ok: false; readonly why: string };

/** One event of the ledger: those who wait may be next; a trip pauses the run. `live`: requests may be sent now. */
export function applyToLedger(ledger: Ledger | null, event: LedgerEvent, live: boolean): Charged {
  if (!ledger) return { ok: false, why: 'the run was not created yet' };
  if (!live && isAnswer(event)) return { ok: false, why: 'the run does not go on: nothing is sent for it' };
  const applied = applyLedger(ledger, event);
  if (!applied.ok) return { ok: false, why: applied.fault.message };
  if (!live) return { ok: true, ledger: applied.value, derived: [] };
  if (event.type === 'budget.tripped') {
    return { ok: true, ledger: applied.value, derived: [tripped(event)] };
  }
  const next = event.type === 'budget.waiting' ? null : nextAnswer(applied.value, event.at);
  return { ok: true, ledger: applied.value, derived: next ? [next] : [] };
}

/** What a request is answered with. */
function isAnswer({ type }: LedgerEvent): boolean {
  return type === 'budget.reserved' || type === 'budget.waiting' || type === 'budget.tripped';
}

function tripped(trip: BudgetTripped): RunEvent {
  const { at } = trip;
  return { type: 'run.paused', at, why: 'budget', detail: tripWords(trip), resetAt: null };
}

/** What did not fit into what. */
export function tripWords({ call, by, need, left, standing }: BudgetTripped): string {
  const unit = by === 'tokens' ? 'tokens' : 'millionths of a dollar';
  const kept = standing > 0 ? ` (${standing} more are kept for the final verification)` : '';
  return `${call} needs ${need} ${unit} at least, ${left} are left${kept}`;
}

export function limitsOf({ limits, clock }: Ledger): Limits {
  return { ...limits, maxTime: clock.maxTime, until: clock.until };
}
