/**
 * The ledger's imperative face: asks it before a model call, waits in its queue, and pays when the call has ended.
 * It proposes first events only; what follows from them (grants, a pause) the run's own machine derives.
 */

import type { BudgetRequest, BudgetReserved } from '../contract/budget.ts';
import type { RunEvent } from '../contract/event.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { ModelFinal } from '../contract/model.ts';
import { isMoving, type RunState } from '../graph/run-state.ts';
import { charge, release, request, type Decided } from '../kernel/ledger-calls.ts';
import { tripWords } from '../graph/run-ledger.ts';
import type { Ledger } from '../kernel/ledger.ts';
import { admitted, type Above } from './ceiling.ts';
import type { Say } from './say.ts';

export interface Grant {
  readonly go: true;
  /** Tokens: what was asked for, or less. */
  readonly maxOutput: number;
  /**
   * Pays for the call, once. It has queued its event when it returns, so what the caller queues next is stored in
   * the same transaction.
   */
  readonly settle: (end: ModelFinal) => void;
}

export interface NoGrant {
  readonly go: false;
  /** For a person. */
  readonly message: string;
}

export interface Bank {
  /** Resolves when the call may be sent, or must not be; what is granted while the signal fires is given back. */
  ask(request: BudgetRequest, signal: AbortSignal): Promise<Grant | NoGrant>;
}

/** `above`: what its run shares with others; null for nothing. */
export function makeBank(say: Say, above: Above | null = null): Bank {
  return {
    ask: (asked, signal) => new Promise((resolve) => queue({ say, above, asked, signal, resolve })),
  };
}

interface Asking {
  readonly say: Say;
  readonly above: Above | null;
  readonly asked: BudgetRequest;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Grant | NoGrant) => void;
}

function queue({ say, above, asked, signal, resolve }: Asking): void {
  /** Known once the ledger has decided; until then nothing of this call is stored. */
  let id: number | null = null;
  const end = (answer: Grant | NoGrant) => {
    leave();
    signal.removeEventListener('abort', onAbort);
    resolve(answer);
  };
  const leave = say.listen((event) => {
    if (!('id' in event) || event.id !== id) return;
    if (event.type === 'budget.reserved') grant(event);
    else if (event.type === 'budget.tripped') end(no(`The budget is used up: ${tripWords(event)}.`));
    else if (event.type === 'budget.released') end(no('The run was paused before the call could be sent.'));
  });
  const grant = (reserved: BudgetReserved) => {
    const go = granted(say, reserved.id, reserved.granted);
    if (above === null) {
      end(go);
      return;
    }
    leave();
    void admitted({ say, ...above, reserved, signal, giveBack }).then((why) =>
      end(why === null ? go : no(why)),
    );
  };
  /** It is not sent, so nothing may stay reserved for it; refused where that is so already. */
  const giveBack = () => {
    const known = id;
    if (known !== null) void say.store(onLedger((ledger, at) => first(release(ledger, { id: known, at }))));
  };
  const onAbort = () => {
    // Waiting, or granted this very moment.
    giveBack();
    end(no(ABORTED));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const proposal = onLedger((ledger, at, state) => {
    if (signal.aborted) return fail(ABORTED);
    if (!isMoving(state)) return fail('The run does not go on just now, so nothing is sent.');
    const decided = request(ledger, asked, at);
    if (!decided.ok) return fail(decided.fault.message);
    id = decided.value.answer.id;
    return ok(decided.value.answer);
  });
  void say.store(proposal).then((why) => {
    if (why !== null) end(no(why));
  });
}

function no(message: string): NoGrant {
  return { go: false, message };
}

const ABORTED = 'The call was given up before it was sent.';

function granted(say: Say, id: number, maxOutput: number): Grant {
  let settled = false;
  return {
    go: true,
    maxOutput,
    settle(end) {
      if (settled) return;
      settled = true;
      // Refused only if it was paid for already: after the death of an owner, its successor charges the reservation.
      void say.store(onLedger((ledger, at) => first(paid(ledger, { id, end, at }))));
    },
  };
}

function paid(
  ledger: Ledger,
  call: { readonly id: number; readonly end: ModelFinal; readonly at: number },
): Decided {
  const { id, end, at } = call;
  if (end.type === 'failed') {
    return end.billable ? charge(ledger, { id, usage: null, at }) : release(ledger, { id, at });
  }
  const usage = end.usage && {
    input: end.usage.input,
    cached: end.usage.cached,
    output: end.usage.output,
  };
  return charge(ledger, { id, usage, at });
}

function first(decided: Decided): Result<RunEvent, string> {
  if (!decided.ok) return fail(decided.fault.message);
  const event = decided.value.events[0];
  return event === undefined ? fail('the ledger has nothing to say') : ok(event);
}

function onLedger(
  decide: (ledger: Ledger, at: number, state: RunState) => Result<RunEvent, string>,
): (state: RunState, at: number) => Result<RunEvent, string> {
  return (state, at) =>
    state.ledger === null ? fail('The run has no ledger yet.') : decide(state.ledger, at, state);
}
