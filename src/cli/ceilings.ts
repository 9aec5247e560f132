/**
 * The ceilings that a person's own configuration sets above all runs, and the record of what counts against them. It is
 * the person's, not the workspace's: every run of theirs reads and writes the same file.
 */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Amount } from '../contract/budget.ts';
import {
  ceilingText,
  ceilingWords,
  hasCeiling,
  isLasting,
  PERIODS,
  type CeilingSettings,
  type Counted,
  type Period,
} from '../contract/ceiling.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { CeilingAnswer, Ceilings, Clock, HeldCall } from '../contract/ports.ts';
import type { ModelSettings } from '../contract/settings.ts';
import { openSpend, readSpend, type Reserved, type Spend } from '../store/spend.ts';
import type { Config } from './config.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A relative path would be the workspace's choice. */
export function spendFile(env: Env): string {
  const xdg = env['XDG_STATE_HOME'] ?? '';
  const folder = isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.local', 'state');
  return join(folder, 'goalgraph', 'spend.db');
}

export interface OpeningCeilings {
  readonly limits: CeilingSettings;
  /** The models of the run. */
  readonly settings: Pick<ModelSettings, 'worker' | 'verifier' | 'prices'>;
  readonly file: string;
  readonly clock: Clock;
}

/** Null where none is set. Fails where they could not be kept: a run that nothing limits must not begin by mistake. */
export function openCeilings({ limits, settings, file, clock }: OpeningCeilings): Result<Ceilings | null> {
  if (!hasCeiling(limits)) return ok(null);
  const priced = pricesFor(limits, settings);
  if (!priced.ok) return priced;
  const opened = openSpend(file);
  if (!opened.ok) return opened;
  opened.value.close();
  return ok(ceilingsOn({ file, limits, clock }));
}

function pricesFor(limits: CeilingSettings, settings: OpeningCeilings['settings']): Result<null> {
  const which = PERIODS.find((period) => limits[period].cost !== null);
  const unpriced = (['worker', 'verifier'] as const).filter((role) => settings.prices[role] === null);
  if (which === undefined || unpriced.length === 0) return ok(null);
  const names = [...new Set(unpriced.map((role) => settings[role]))].join(' and ');
  const message = `The ${which}'s ceiling of money (own configuration) cannot be kept: nobody knows the price of ${names}. Set it under "prices" there, or have a ceiling of tokens only. A run that is there takes prices anew with goalgraph resume --model.`;
  return fail({ code: 'model', message });
}

/** Milliseconds between two looks at whether what others have reserved came free. */
const LOOK = 250;

type On = Pick<OpeningCeilings, 'file' | 'limits' | 'clock'>;

/** The file is opened for each step of a call: nothing stays open that a later owner of the process had to close. */
function ceilingsOn({ file, limits, clock }: On): Ceilings {
  /** What could not be written when a call had ended. */
  const owed = new Map<number, Amount>();

  function use<T>(work: (spend: Spend) => Result<T>): Result<T> {
    if (!existsSync(file)) return fail(gone(file));
    const opened = openSpend(file);
    if (!opened.ok) return opened;
    try {
      return work(opened.value);
    } finally {
      opened.value.close();
    }
  }

  function payOwed(spend: Spend): Result<null> {
    for (const [id, used] of owed) {
      const settled = spend.settle(id, used);
      if (!settled.ok) return settled;
      owed.delete(id);
    }
    return ok(null);
  }

  function heldCall(id: number): HeldCall {
    const settle = (used: Amount) => {
      owed.set(id, used);
      // Else before the next call; and if there is none, it counts in full once this process has ended.
      use(payOwed);
    };
    return { settle, release: () => settle({ tokens: 0, cost: 0 }) };
  }

  return {
    async ask({ run, call, most }, signal) {
      for (;;) {
        if (signal.aborted) return null;
        const at = clock.now();
        const reserved = use((spend): Result<Reserved> => {
          const paid = payOwed(spend);
          return paid.ok ? spend.reserve({ at, run, ...most, ceilings: limits }) : paid;
        });
        if (!reserved.ok) return broken(reserved.fault.message);
        if ('id' in reserved.value) return { ok: true, held: heldCall(reserved.value.id) };
        const { refused } = reserved.value;
        if (isLasting(refused)) return { ok: false, why: 'budget', ...ceilingWords(refused, { call, at }) };
        // Calls under way reserve more than they use as a rule: there may be room when they have ended.
        await later(clock, at + LOOK, signal);
      }
    },
  };
}

function broken(detail: string): CeilingAnswer {
  return { ok: false, why: 'infra', detail, resetAt: null };
}

function gone(file: string) {
  const message = `${file} was removed or moved while a run counted on it, so the ceilings of your own configuration could not be kept. Go on, and it is made anew: goalgraph resume`;
  return { code: 'store_io', message } as const;
}

function later(clock: Clock, at: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.at(at, end);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** What counts against a ceiling that is set. */
export interface CeilingState extends Counted {
  readonly which: Period;
}

/** For looking: makes and changes nothing. */
export function lookAtCeilings(
  { limits }: Pick<Config, 'limits'>,
  { env, now }: { readonly env: Env; readonly now: number },
): Result<readonly CeilingState[]> {
  const set = (['day', 'month'] as const).filter((which) => ceilingText(limits[which]) !== null);
  if (set.length === 0) return ok([]);
  const totals = readSpend(spendFile(env), now);
  if (!totals.ok) return totals;
  const nothing = { tokens: 0, cost: 0 };
  return ok(
    set.map((which) => ({
      which,
      ...(totals.value?.[which] ?? { spent: nothing, reserved: nothing }),
    })),
  );
}
