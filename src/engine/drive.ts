/**
 * The loop that drives one run. What happens (a command's end, a person's request, the deadline) settles into a
 * queue that is drained once a turn of the event loop; all events of a turn are stored in one transaction; only
 * then the new state counts, and what it owes is started. A failed append leaves the state as it was and stops.
 */

import type { Effect } from '../contract/command.ts';
import { effectKey } from '../contract/command.ts';
import type { Answer, RunEvent } from '../contract/event.ts';
import { ok, type Fault, type Result } from '../contract/fault.ts';
import type { Clock, EventLog, InboxAnswer, StoredEvent } from '../contract/ports.ts';
import { owed } from '../graph/owed.ts';
import { stepRun } from '../graph/run.ts';
import { isMoving, type RunState } from '../graph/run-state.ts';
import { deadline } from '../kernel/ledger.ts';
import type { Proposal, Say } from './say.ts';
import { makeSlots } from './slots.ts';

/**
 * Does one effect and tells its end; null when it was aborted and there is nothing to tell. Never rejects; ends soon
 * after `signal` aborts. On the way it may store events of its own through `say`.
 */
export type Perform = (effect: Effect, signal: AbortSignal, say: Say) => Promise<Untimed<Answer> | null>;

export type Untimed<E extends RunEvent> = E extends RunEvent ? Omit<E, 'at'> : never;

export interface DriveOptions {
  readonly run: string;
  readonly state: RunState;
  /** Version of the last event folded into `state`. */
  readonly version: number;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly perform: Perform;
  /** Most effects alive at once, those that are being ended included. */
  readonly slots: number;
  /** Called after each append, with what was stored and the state after it. */
  readonly onStored: (events: readonly StoredEvent[], state: RunState) => void;
}

export interface Asked {
  readonly request?: number;
  readonly reply?: (refused: string | null) => void;
}

export interface Drive {
  /** Queues an event. `answer`: the control request that asked for it; `reply` hears why it was refused, or null. */
  propose(proposal: Proposal, asked?: Asked): void;
  state(): RunState;
  /** Resolves when the run is at rest (paused, complete, cleared) and nothing is in flight; or with the store's fault. */
  readonly ended: Promise<Result<RunState>>;
}

interface Queued extends Asked {
  readonly proposal: Proposal;
  /** The effect that this answers. */
  readonly answers?: string;
}

export function drive(options: DriveOptions): Drive {
  const { run, log, clock, perform, onStored } = options;
  let { state, version } = options;
  let queue: Queued[] = [];
  let busy = false;
  let stopped = false;
  let disarm: (() => void) | null = null;
  const slots = makeSlots(options.slots);
  const inFlight = new Map<string, { readonly abort: AbortController; readonly gone: Promise<void> }>();
  let end: (result: Result<RunState>) => void = () => undefined;
  const ended = new Promise<Result<RunState>>((resolve) => (end = resolve));
  const listeners = new Set<(event: RunEvent) => void>();
  const say: Say = {
    state: () => state,
    store: (proposal) => new Promise((reply) => enqueue({ proposal, reply })),
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
  };

  function propose(proposal: Proposal, asked: Asked = {}) {
    enqueue({ proposal, ...asked });
  }

  function enqueue(queued: Queued) {
    if (stopped) queued.reply?.(UNWRITABLE);
    else queue.push(queued);
    arm();
  }

  function arm() {
    if (busy || stopped) return;
    busy = true;
    clock.soon(() => void turn());
  }

  async function turn() {
    const taken = queue;
    queue = [];
    const batch = stepAll(state, taken, clock.now());
    if (batch.events.length > 0 || batch.answers.length > 0) {
      const stored = await log.append({
        run,
        expected: version,
        events: batch.events,
        answers: batch.answers,
      });
      if (!stored.ok) {
        stop(stored.fault, taken);
        return;
      }
      state = batch.state;
      onStored(
        batch.events.map((event, i) => ({ version: version + i + 1, event })),
        state,
      );
      version += batch.events.length;
      for (const event of batch.events) for (const heard of listeners) heard(event);
    }
    for (const { reply, refused } of batch.replies) reply?.(refused);
    // Until its answer is stored an effect counts as in flight: it is still owed, and must not be started again.
    for (const { answers } of taken) if (answers !== undefined) inFlight.delete(answers);
    busy = false;
    reconcile();
    if (queue.length > 0) arm();
    else settle();
  }

  /** Starts what is owed, ends what is not. */
  function reconcile() {
    const wanted = new Map(owed(state).map((effect) => [effectKey(effect), effect]));
    for (const [key, { abort }] of inFlight) if (!wanted.has(key)) abort.abort();
    for (const [key, effect] of wanted) if (!inFlight.has(key)) start(key, effect);
    armDeadline();
  }

  function start(key: string, effect: Effect) {
    const abort = new AbortController();
    // What is being ended may still write where this effect is about to.
    const dying = [...inFlight.values()]
      .filter((other) => other.abort.signal.aborted)
      .map((other) => other.gone);
    const gone = (async () => {
      await Promise.all(dying);
      const giveBack = effect.type === 'wake' ? () => undefined : await slots.take();
      const answer = abort.signal.aborted ? null : await perform(effect, abort.signal, say);
      giveBack();
      if (answer) enqueue({ proposal: (_, at) => ok({ ...answer, at }), answers: key });
      else {
        inFlight.delete(key);
        // What waits for a parked node keeps its name over a pause: it may be wanted again by now.
        if (effect.type === 'wake' && !busy && !stopped) reconcile();
        settle();
      }
    })();
    inFlight.set(key, { abort, gone });
  }

  function armDeadline() {
    disarm?.();
    disarm = null;
    const due = isMoving(state) && state.ledger ? deadline(state.ledger) : null;
    if (due === null) return;
    // Events go by the time of the last one where the machine's clock was set back; so must this.
    const setBack = Math.max(0, state.lastAt - clock.now());
    disarm = clock.at(due - setBack, () =>
      propose((_, at) => ok({ type: 'run.paused', at, why: 'deadline', detail: null, resetAt: null })),
    );
  }

  function settle() {
    if (stopped || busy || queue.length > 0 || inFlight.size > 0 || isMoving(state)) return;
    stopped = true;
    disarm?.();
    end(ok(state));
  }

  /** The journal cannot be written: nothing may go on that it would not know of. */
  function stop(fault: Fault, lost: readonly Queued[]) {
    stopped = true;
    disarm?.();
    for (const { reply } of [...lost, ...queue]) reply?.(UNWRITABLE);
    queue = [];
    for (const { abort } of inFlight.values()) abort.abort();
    void Promise.all([...inFlight.values()].map((effect) => effect.gone)).then(() =>
      end({ ok: false, fault }),
    );
  }

  return { propose, ended, state: () => state };
}

const UNWRITABLE = 'the journal cannot be written';

interface Batch {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly answers: readonly InboxAnswer[];
  readonly replies: readonly { readonly reply: Queued['reply']; readonly refused: string | null }[];
}

function stepAll(state: RunState, queued: readonly Queued[], now: number): Batch {
  const events: RunEvent[] = [];
  const answers: InboxAnswer[] = [];
  const replies: { reply: Queued['reply']; refused: string | null }[] = [];
  for (const { proposal, request, reply } of queued) {
    const made = proposal(state, Math.max(now, state.lastAt));
    const stepped = made.ok ? stepRun(state, made.value) : { ok: false as const, why: made.fault };
    if (stepped.ok) {
      events.push(...stepped.events);
      state = stepped.next;
    }
    const refused = stepped.ok ? null : stepped.why;
    if (request !== undefined) answers.push({ id: request, answer: JSON.stringify({ refused }) });
    replies.push({ reply, refused });
  }
  return { state, events, answers, replies };
}
