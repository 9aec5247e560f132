/**
 * The ceilings above all runs, as the bank meets them: asked for a call that its own run has reserved, before it is sent.
 * A call they refuse gives its reservation back and pauses the run.
 */

import type { BudgetReserved } from '../contract/budget.ts';
import { fail, ok } from '../contract/fault.ts';
import type { CeilingAnswer, Ceilings, HeldCall } from '../contract/ports.ts';
import { isMoving } from '../graph/run-state.ts';
import type { Say } from './say.ts';

/** What a run shares with others. */
export interface Above {
  readonly run: string;
  readonly ceilings: Ceilings;
}

export interface Admitting extends Above {
  readonly say: Say;
  readonly reserved: BudgetReserved;
  readonly signal: AbortSignal;
  /** Queues the end of the run's own reservation. */
  readonly giveBack: () => void;
}

const GIVEN_UP = 'The call was given up before it was sent.';

/** Null when the call may be sent; else why not, and the run has paused, or the signal has fired. */
export async function admitted(admitting: Admitting): Promise<string | null> {
  const { say, run, ceilings, reserved, signal } = admitting;
  const { id, call, hold } = reserved;
  const most = { tokens: hold.input + hold.output, cost: hold.cost };
  const answer = await ceilings.ask({ run, call, most }, signal);
  if (answer === null) return GIVEN_UP;
  if (!answer.ok) return refused(admitting, answer);
  if (signal.aborted) {
    answer.held.release();
    return GIVEN_UP;
  }
  pay(say, id, answer.held);
  return null;
}

/** In this order and in one transaction: what is given back must not let the next of those who wait go. */
async function refused(
  { say, giveBack }: Admitting,
  { why, detail, resetAt }: Extract<CeilingAnswer, { ok: false }>,
): Promise<string> {
  const paused = say.store((state, at) =>
    isMoving(state) ? ok({ type: 'run.paused', at, why, detail, resetAt }) : fail('it is at rest already'),
  );
  giveBack();
  await paused;
  return detail;
}

/** The run's own ledger says what the call used: what it is charged is charged here, too. */
function pay(say: Say, id: number, held: HeldCall): void {
  const leave = say.listen((event) => {
    if (event.type === 'budget.charged' && event.id === id) {
      leave();
      held.settle({ tokens: event.usage.input + event.usage.output, cost: event.cost });
    } else if (event.type === 'budget.released' && event.id === id) {
      leave();
      held.release();
    }
  });
}
