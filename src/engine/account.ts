/**
 * A ledger of its own, in memory, for one caller at a time: what is asked in a shell is no part of any run, and has its
 * own limit. Each call is reserved before it is sent, and asked for under the person's ceilings as those of runs are.
 */

import type { BudgetRequest } from '../contract/budget.ts';
import { formatTokens } from '../contract/amount.ts';
import type { ModelFinal } from '../contract/model.ts';
import type { Ceilings, Clock, HeldCall } from '../contract/ports.ts';
import { charge, release, request } from '../kernel/ledger-calls.ts';
import { reportLedger } from '../kernel/ledger-report.ts';
import { openLedger } from '../kernel/ledger.ts';
import type { Grant, NoGrant } from './bank.ts';

export interface Account {
  ask(request: BudgetRequest, asking: AccountCall): Promise<Grant | NoGrant>;
  state(): AccountState;
  /** `12.4k of 200k tokens in 3 requests`. */
  words(): string;
}

export interface AccountCall {
  /** Above all runs of the person; null where there are none. */
  readonly ceilings: Ceilings | null;
  /** What the record of the ceilings calls it by. */
  readonly run: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface AccountState {
  readonly limit: number;
  /** Tokens, as billed. */
  readonly spent: number;
  readonly calls: number;
}

/** `limit`: tokens. `full`: what a person is told when a call does not fit, which needs so much at least. */
export function openAccount(limit: number, full: (state: AccountState, need: number) => string): Account {
  let ledger = openLedger({ tokens: limit, cost: null, maxTime: null, until: null });

  function end(id: number, held: HeldCall | null, { final, at }: { final: ModelFinal | null; at: number }) {
    const isFree = final === null || (final.type === 'failed' && !final.billable);
    const usage = final?.type === 'done' ? final.usage : null;
    const decided = isFree ? release(ledger, { id, at }) : charge(ledger, { id, usage, at });
    if (!decided.ok) throw new Error(decided.fault.message);
    ({ ledger } = decided.value);
    const [event] = decided.value.events;
    if (event?.type !== 'budget.charged') held?.release();
    else held?.settle({ tokens: event.usage.input + event.usage.output, cost: event.cost });
  }

  const account: Account = {
    state() {
      const { spent, total } = reportLedger(ledger);
      return { limit, spent: spent.tokens, calls: total.calls };
    },
    words() {
      const { spent, calls } = account.state();
      const requests = calls === 1 ? 'request' : 'requests';
      return `${formatTokens(spent)} of ${formatTokens(limit)} tokens in ${calls} ${requests}`;
    },
    async ask(asked, { ceilings, run, clock, signal }) {
      const decided = request(ledger, asked, clock.now());
      if (!decided.ok) return { go: false, message: decided.fault.message };
      ({ ledger } = decided.value);
      const { answer } = decided.value;
      if (answer.type === 'budget.waiting') throw new Error('an account is asked by one caller at a time');
      if (answer.type === 'budget.tripped') return { go: false, message: full(account.state(), answer.need) };
      const { id, hold, granted } = answer;
      const most = { tokens: hold.input + hold.output, cost: hold.cost };
      const above = ceilings && (await ceilings.ask({ run, call: asked.call, most }, signal));
      const refused = above !== null && !above.ok ? above.detail : null;
      if (refused !== null || signal.aborted) {
        end(id, above?.ok ? above.held : null, { final: null, at: clock.now() });
        return { go: false, message: refused ?? 'The call was given up before it was sent.' };
      }
      const held = above?.ok ? above.held : null;
      return {
        go: true,
        maxOutput: granted,
        settle(final) {
          end(id, held, { final, at: clock.now() });
        },
      };
    },
  };
  return account;
}
