/**
 * A run that nobody watches: when its provider refuses or cannot be reached, it waits and goes on by itself. While it
 * waits it is paused as ever: nothing is in flight, no request is made, and whoever wants something of it is answered.
 */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { Limits } from '../contract/limits.ts';
import { NOTHING_ADDED } from '../contract/request.ts';
import type { RunView } from '../contract/view.ts';
import { proposalOf } from '../engine/control.ts';
import type { Driven, Standing, Wait } from './drive-run.ts';

const MINUTE = 60_000;

/** Milliseconds between tries where nobody says when it is worth going on. */
const BACK_OFF = [1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE);

/** Milliseconds: clocks differ, and a request just before the hour would be in vain. */
const AFTER_RESET = 1_000;

/** The very event that a person's `goalgraph resume` makes. */
const RESUME = proposalOf({ type: 'resume', add: NOTHING_ADDED, concurrency: null, models: null });

export interface Unguarded {
  readonly unattended: boolean;
  /** It was said that there is to be none. */
  readonly noBudget: boolean;
  readonly approve: boolean;
}

/** What must be settled before nobody is there any more. `limits`: those that the run will have; with models only. */
export function mayBeLeft({ unattended, noBudget, approve }: Unguarded, limits: Limits | null): Result<null> {
  const usage = (message: string): Result<null> => fail({ code: 'usage', message });
  if (!unattended) return ok(null);
  if (approve) {
    return usage('--unattended never asks, and --approve waits for a yes. Leave one of them out.');
  }
  if (limits === null || noBudget || limits.tokens !== null || limits.cost !== null) return ok(null);
  return usage(
    '--unattended goes on by itself, so something must limit what it spends: give --budget 2m or --max-cost 5usd, or say --no-budget.',
  );
}

export type NextTry =
  { readonly at: number } | /** Why there is none, for a person. */ { readonly never: string };

/** When a run that its provider has paused should try again; `fruitless` tries before have got no answer at all. */
export function nextTry(
  { resetAt, limits }: Pick<RunView, 'resetAt' | 'limits'>,
  { now, fruitless }: { readonly now: number; readonly fruitless: number },
): NextTry {
  const pause = BACK_OFF[Math.min(fruitless, BACK_OFF.length - 1)] ?? MINUTE;
  const at = resetAt === null ? now + pause : afterReset(resetAt, { now, fruitless });
  const { until } = limits;
  if (until === null || at < until) return { at };
  const when = momentHere(at, now);
  return { never: `the next try would be at ${when}, and --until ${momentHere(until, now)} is before that` };
}

/** Whoever names a time that is over again and again is not asked faster than somebody who names none. */
function afterReset(
  resetAt: number,
  { now, fruitless }: { readonly now: number; readonly fruitless: number },
) {
  const named = Math.max(resetAt, now) + AFTER_RESET;
  const pause = fruitless === 0 ? 0 : (BACK_OFF[Math.min(fruitless, BACK_OFF.length) - 1] ?? MINUTE);
  return Math.max(named, now + pause);
}

export type WaitNews =
  | { readonly type: 'waiting'; readonly until: number; readonly view: RunView }
  | { readonly type: 'gave-up'; readonly why: string; readonly view: RunView };

export interface Patience {
  /** Whether it waits at all. */
  readonly unattended: boolean;
  readonly now: () => number;
  /** Drives until the run rests: from its beginning (null), or on from where it rested, first waiting. */
  readonly drive: (on: { readonly from: Standing; readonly wait: Wait } | null) => Promise<Result<Driven>>;
  readonly tell: (news: WaitNews) => void;
}

export interface DrivenOn extends Driven {
  /** It came to its end while it waited for the provider. */
  readonly waiting: boolean;
}

export async function driveOn({ unattended, now, drive, tell }: Patience): Promise<Result<DrivenOn>> {
  let driven = await drive(null);
  let wait: Wait | null = null;
  let fruitless = 0;
  let heard = driven.ok ? reported(driven.value.view) : 0;
  while (unattended && driven.ok && isHeldUp(driven.value)) {
    const { view, standing } = driven.value;
    if (!wait) {
      const next = nextTry(view, { now: now(), fruitless });
      if ('never' in next) {
        tell({ type: 'gave-up', why: next.never, view });
        break;
      }
      wait = { at: next.at, resume: RESUME };
      tell({ type: 'waiting', until: next.at, view });
    }
    driven = await drive({ from: standing, wait });
    if (!driven.ok || !driven.value.resumed) continue;
    // What else was asked of it while it waited (a retry, say) does not end the wait; this does.
    wait = null;
    const hears = reported(driven.value.view);
    fruitless = hears > heard ? 0 : fruitless + 1;
    heard = hears;
  }
  if (!driven.ok) return driven;
  const { refused, view } = driven.value;
  if (!wait) return ok({ ...driven.value, waiting: false });
  if (refused !== null) tell({ type: 'gave-up', why: refused, view });
  return ok({ ...driven.value, refused: null, waiting: true });
}

/** Paused by its provider, and by nobody else. */
function isHeldUp({ view, signal, asked, refused }: Driven): boolean {
  const byProvider = view.status === 'paused' && view.why === 'provider';
  return byProvider && signal === null && !asked && refused === null;
}

/** Tokens that a provider has reported: they grow when it answers, and not when it refuses. */
function reported({ budget }: RunView): number {
  return budget === null ? 0 : budget.total.input + budget.total.output - budget.total.estimated;
}

/** The last moment with a date of four digits. */
const MOST_TIME = Date.UTC(9999, 11, 31);

/** `03:10`, with the day when it is another one; as the clock on the wall shows it. */
export function momentHere(at: number, now: number): string {
  // Whoever said so may have said anything.
  if (!(Math.abs(at) < MOST_TIME)) return 'the end of time';
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = new Date(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}
