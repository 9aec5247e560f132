/** Holds the ledger's events of a run to the promises of its budget. It counts for itself and decides nothing. */

import type { Amount, BudgetReserved, BudgetTripped, LedgerEvent, Usage } from '../../src/contract/budget.ts';
import type { RunEvent } from '../../src/contract/event.ts';
import type { Limits } from '../../src/contract/limits.ts';
import type { ModelSettings } from '../../src/contract/settings.ts';

export interface ObservedBudget {
  /** `live`: the run runs or is being planned, after this event. */
  take(event: RunEvent, live: boolean): void;
  /** At the end of a transaction. */
  settled(live: boolean): void;
  /** Calls that are reserved and neither charged nor released. */
  open(): number;
}

export interface BudgetWatch {
  readonly must: (holds: boolean, sentence: string) => void;
  /** Whether the provider keeps to one token a byte and to the limit of the output. */
  readonly lawful: boolean;
  /** Whether the effect that this call belongs to is owed now. */
  readonly isOwed: (call: string) => boolean;
  /** Whether a provider has reported just this; each report counts once. */
  readonly reported: (usage: Usage) => boolean;
}

interface Call {
  readonly final: boolean;
  readonly hold: Amount;
  readonly granted: number;
  /** Nobody wants what it was for: it must not be sent, so nobody can be billed for it. */
  readonly void: boolean;
}

const NONE: Amount = { tokens: 0, cost: 0 };
/** What a skeptic is kept: 10k in, 2k out. */
const SEAT = 12_000;

export function observeBudget({ must, lawful, isOwed, reported: wasReported }: BudgetWatch): ObservedBudget {
  let limits: Pick<Limits, 'tokens' | 'cost'> = { tokens: null, cost: null };
  let standing = NONE;
  let spent = NONE;
  let spentFinal = NONE;
  let lastId = 0;
  let before = { live: false, type: '' };
  const calls = new Map<number, Call>();
  const queue: number[] = [];
  const over = new Set<number>();

  const reserved = (final: boolean) =>
    [...calls.values()]
      .filter((call) => !final || call.final)
      .reduce((sum, { hold }) => plus(sum, hold), NONE);

  function within(kept: Amount, what: string) {
    const { tokens, cost } = plus(plus(spent, reserved(false)), kept);
    must(
      limits.tokens === null || tokens <= limits.tokens,
      `${what}: ${tokens} tokens of ${limits.tokens ?? 0}`,
    );
    must(limits.cost === null || cost <= limits.cost, `${what}: ${cost} micros of ${limits.cost ?? 0}`);
  }

  /** What is left of the slice for the end. */
  function kept(): Amount {
    const used = plus(spentFinal, reserved(true));
    return {
      tokens: Math.max(0, standing.tokens - used.tokens),
      cost: Math.max(0, standing.cost - used.cost),
    };
  }

  function create(models: ModelSettings, of: Limits) {
    limits = of;
    const { final } = models.panel;
    const price = models.prices.verifier;
    const seat = price ? (10_000 * price.input + 2_000 * price.output) / 1e6 : 0;
    if (final === 0) return;
    standing = {
      tokens: Math.min(of.tokens ?? Infinity, Math.max(Math.ceil((of.tokens ?? 0) / 10), final * SEAT)),
      cost: price ? Math.min(of.cost ?? Infinity, Math.max(Math.ceil((of.cost ?? 0) / 10), final * seat)) : 0,
    };
  }

  function admit(id: number, what: string) {
    must(before.live, `${what} ${id} while the run rests`);
    must(!over.has(id) && !calls.has(id), `${what} ${id} a second time`);
    if (queue[0] === id) queue.shift();
    else {
      must(id === lastId + 1, `${what} ${id} out of turn`);
      must(what !== 'reserved' || queue.length === 0, `${what} ${id} passes those who wait`);
      lastId = id;
    }
  }

  function reserve(event: BudgetReserved) {
    const { id, hold, final, granted, call, floor, maxOutput } = event;
    admit(id, 'reserved');
    must(granted <= maxOutput && granted >= Math.min(floor, maxOutput), `${call} is granted ${granted}`);
    const amount = { tokens: hold.input + hold.output, cost: hold.cost };
    calls.set(id, { final, hold: amount, granted, void: !isOwed(call) });
    within(final ? NONE : kept(), `${call} is reserved beyond the limit`);
  }

  function trip({ id, need, left, by, final }: BudgetTripped) {
    admit(id, 'tripped');
    over.add(id);
    must(need > left, `a trip although ${need} fit into ${left}`);
    const slice = Math.max(0, standing[by] - spentFinal[by]);
    const room = (limits[by] ?? Infinity) - spent[by] - (final ? 0 : slice);
    must(left === room, `a trip says ${left} are left, but it is ${room}`);
  }

  function pay(event: Extract<LedgerEvent, { type: 'budget.charged' }>, crash: boolean) {
    const { id, usage, cost, estimated, overrun } = event;
    const call = calls.get(id);
    must(call !== undefined, `call ${id} is charged, but not open`);
    if (!call) return;
    calls.delete(id);
    over.add(id);
    const tokens = usage.input + usage.output;
    const beyond = Math.max(0, tokens - call.hold.tokens);
    must((overrun?.tokens ?? 0) === beyond, `call ${id} overran by ${beyond}, and it says otherwise`);
    must(!lawful || overrun === null, `call ${id} overran by ${beyond} within the law`);
    must(!estimated || tokens >= call.hold.tokens, `call ${id} reported nothing and pays less than its hold`);
    must(estimated || wasReported(usage), `call ${id} is charged what nobody reported`);
    must(!call.void || crash, `call ${id} was sent, but nobody wanted it`);
    spent = plus(spent, { tokens, cost });
    if (call.final) spentFinal = plus(spentFinal, { tokens, cost });
  }

  function free(id: number) {
    const waits = queue.indexOf(id);
    must(calls.has(id) || waits >= 0, `call ${id} is released, but neither open nor waiting`);
    calls.delete(id);
    if (waits >= 0) queue.splice(waits, 1);
    over.add(id);
  }

  let restoring = false;

  function takeOne(event: RunEvent) {
    if (before.type === 'budget.tripped')
      must(event.type === 'run.paused' && event.why === 'budget', 'a trip does not pause the run');
    switch (event.type) {
      case 'run.created':
        if (event.models) create(event.models, event.limits);
        return;
      case 'run.restored':
        restoring = true;
        return;
      case 'budget.reserved':
        reserve(event);
        return;
      case 'budget.waiting':
        admit(event.id, 'waiting');
        queue.push(event.id);
        return;
      case 'budget.tripped':
        trip(event);
        return;
      case 'budget.charged':
        pay(event, restoring);
        return;
      case 'budget.released':
        free(event.id);
        return;
      case 'budget.added':
        must(event.standing.tokens >= standing.tokens, 'the slice for the end shrinks');
        must(limits.tokens === null || (event.tokens ?? 0) >= limits.tokens, 'the limit shrinks');
        limits = { tokens: event.tokens, cost: event.cost };
        standing = event.standing;
        return;
      default:
        return;
    }
  }

  return {
    take(event, live) {
      takeOne(event);
      if (lawful) within(NONE, `after ${event.type}`);
      before = { live, type: event.type };
    },
    settled(live) {
      must(live || queue.length === 0, 'the run rests, and calls wait');
      must(!restoring || calls.size === 0, 'a new owner leaves calls open');
      must(before.type !== 'budget.tripped', 'a trip does not pause the run');
      must(calls.size > 0 || queue.length === 0, 'calls wait, and there is nothing to wait for');
      restoring = false;
    },
    open: () => calls.size,
  };
}

function plus(a: Amount, b: Amount): Amount {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}
