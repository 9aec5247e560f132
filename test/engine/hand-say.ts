/**
 * A run's journal in memory, with the part of its machine that a bank and a session meet: what follows from a charge,
 * a release or a trip. It stores all that was queued in one turn of the event loop at once, and can die at any event.
 */

import type { LedgerEvent } from '../../src/contract/budget.ts';
import type { RunEvent } from '../../src/contract/event.ts';
import { NO_LIMITS, type Limits } from '../../src/contract/limits.ts';
import type { Proposal, Say } from '../../src/engine/say.ts';
import type { RunState } from '../../src/graph/run-state.ts';
import { applyLedger } from '../../src/kernel/ledger-apply.ts';
import { charge, crashed, dropWaiting, release } from '../../src/kernel/ledger-calls.ts';
import { openLedger, type Ledger } from '../../src/kernel/ledger.ts';

export interface HandSay extends Say {
  /** All that is stored, and the transactions it came in. */
  readonly events: readonly RunEvent[];
  readonly batches: readonly (readonly RunEvent[])[];
  /** Fires when the run pauses. */
  readonly signal: AbortSignal;
  /** Resolves when the process is dead: from then on nothing is stored, and nobody is answered. */
  readonly dead: Promise<void>;
  ledger(): Ledger;
  /** As a person does it: whoever waits is dropped. */
  pause(): void;
  types(): readonly string[];
}

export interface HandSayOptions {
  readonly limits?: Partial<Limits>;
  readonly value?: string;
  /** What a process before has stored; its calls in flight are charged. */
  readonly stored?: readonly RunEvent[];
  /** A transaction that would reach beyond so many events kills the process instead. */
  readonly dieAfter?: number;
  /** Refuses an event. */
  readonly refuse?: (event: RunEvent) => string | null;
}

interface Queued {
  readonly proposal: Proposal;
  readonly resolve: (why: string | null) => void;
}

export function handSay(options: HandSayOptions = {}): HandSay {
  const { limits = {}, value: first = 'running', stored = [], dieAfter = Infinity, refuse } = options;
  const controller = new AbortController();
  const listeners = new Set<(event: RunEvent) => void>();
  const events: RunEvent[] = [...stored];
  const batches: RunEvent[][] = [];
  let ledger = openLedger({ ...NO_LIMITS, ...limits });
  let value = first;
  let queue: Queued[] = [];
  let busy = false;
  let isDead = false;
  let die = () => {};
  const dead = new Promise<void>((resolve) => (die = resolve));

  for (const event of stored) if (isLedgerEvent(event)) apply(event);
  if (stored.length > 0) for (const event of crashed(ledger, 0).events) events.push(apply(event));

  function apply(event: LedgerEvent): LedgerEvent {
    const result = applyLedger(ledger, event);
    if (!result.ok) throw new Error(result.fault.message);
    ledger = result.value;
    return event;
  }

  function take(event: RunEvent, batch: RunEvent[]): void {
    const before = ledger;
    batch.push(isLedgerEvent(event) ? apply(event) : event);
    const follow = isLedgerEvent(event) ? following(before, event).map(apply) : [];
    batch.push(...follow);
    if (event.type === 'run.paused') {
      value = 'paused';
      batch.push(...dropWaiting(ledger, 0).events.map(apply));
    }
    if ([event, ...follow].some(({ type }) => type === 'budget.tripped')) pauseFor('budget', batch);
  }

  function pauseFor(why: 'budget' | 'user', batch: RunEvent[]): void {
    value = 'paused';
    batch.push(...dropWaiting(ledger, 0).events.map(apply));
    batch.push({ type: 'run.paused', at: 0, why, detail: null, resetAt: null });
  }

  function decide({ proposal }: Queued, batch: RunEvent[]): string | null {
    const result = proposal(stateOf(value, ledger), events.length + batch.length);
    if (!result.ok) return result.fault;
    const why = refuse?.(result.value) ?? null;
    if (why === null) take(result.value, batch);
    return why;
  }

  function drain(): void {
    const now = queue;
    queue = [];
    const batch: RunEvent[] = [];
    const answers = now.map((queued) => decide(queued, batch));
    if (events.length + batch.length > dieAfter) {
      isDead = true;
      return die();
    }
    // Durable a turn later, as with a disk.
    setImmediate(() => {
      events.push(...batch);
      if (batch.length > 0) batches.push(batch);
      for (const event of batch) for (const heard of [...listeners]) heard(event);
      now.forEach(({ resolve }, at) => resolve(answers[at] ?? null));
      if (batch.some(({ type }) => type === 'run.paused')) controller.abort();
      busy = false;
      if (queue.length > 0) wake();
    });
  }

  function wake(): void {
    if (busy || isDead) return;
    busy = true;
    setImmediate(drain);
  }

  function store(proposal: Proposal): Promise<string | null> {
    return new Promise((resolve) => {
      queue.push({ proposal, resolve });
      wake();
    });
  }

  return {
    events,
    batches,
    signal: controller.signal,
    dead,
    state: () => stateOf(value, ledger),
    store,
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    ledger: () => ledger,
    pause() {
      const batch: RunEvent[] = [];
      pauseFor('user', batch);
      events.push(...batch);
      for (const event of batch) for (const heard of [...listeners]) heard(event);
      controller.abort();
    },
    types: () => events.map(({ type }) => type),
  };
}

/** Grants for those who waited, as the run's machine derives them. */
function following(before: Ledger, event: LedgerEvent): readonly LedgerEvent[] {
  const { at } = event;
  if (event.type === 'budget.released') return rest(release(before, { id: event.id, at }));
  if (event.type !== 'budget.charged') return [];
  return rest(charge(before, { id: event.id, usage: event.estimated ? null : event.usage, at }));
}

function rest(decided: ReturnType<typeof release>): readonly LedgerEvent[] {
  if (!decided.ok) throw new Error(decided.fault.message);
  return decided.value.events.slice(1);
}

function isLedgerEvent(event: RunEvent): event is LedgerEvent {
  return event.type.startsWith('budget.');
}

/** As much of a run's state as a bank looks at. */
function stateOf(value: string, ledger: Ledger): RunState {
  return { graph: { value }, ledger } as unknown as RunState;
}
