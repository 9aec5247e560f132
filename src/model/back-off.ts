/**
 * One back-off a provider, shared by all who ask it. When it is in trouble everyone waits; then one of them tries, and
 * only when that one is answered do the others follow, one after the other. So the requests of a thousand workers
 * against a provider that refuses them all become fewer, not more.
 */

import type { ModelFault } from '../contract/model.ts';
import type { Clock } from '../contract/ports.ts';

export interface BackOffOptions {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** The right to send one request. Settled by one of these; what is said after that changes nothing, but for trouble. */
export interface Pass {
  /** The provider answers: it is well. */
  answered(): void;
  /** It is in trouble. Returns when to ask again at the earliest, in milliseconds since the epoch. */
  troubled(fault: ModelFault): number;
  /** Over, and nothing is learned from it. */
  leave(): void;
}

export interface BackOff {
  /** Waits for a pass; null when there is none before `deadline`, or the signal fires. */
  enter(deadline: number, signal: AbortSignal): Promise<Pass | null>;
  /** What the provider is in trouble with; null when it is not. */
  trouble(): ModelFault | null;
}

/** Milliseconds: the first wait, doubled with each strike, up to the last. */
const FIRST = 1_000;
const LONGEST = 60_000;

/** Milliseconds between those who waited, once the provider answers again. */
const SPACING = 200;

interface Waiter {
  readonly deadline: number;
  readonly grant: () => void;
  readonly giveUp: () => void;
}

export function createBackOff({ clock, random }: BackOffOptions): BackOff {
  const queue: Waiter[] = [];
  let strikes = 0;
  /** Passes of an older wave than the last strike say nothing new about it. */
  let wave = 0;
  /** Nobody asks before. */
  let until = -Infinity;
  let probing = false;
  let fault: ModelFault | null = null;
  let cancelTimer = () => {};

  /** Lets in whoever may go now, and comes back when the next one may. */
  function pump(): void {
    cancelTimer();
    if (queue.length === 0 || (strikes > 0 && probing)) return;
    if (clock.now() < until) {
      cancelTimer = clock.at(until, pump);
      return;
    }
    if (strikes > 0) probing = true;
    else until = clock.now() + spacing();
    queue.shift()?.grant();
    pump();
  }

  function spacing(): number {
    return Math.ceil(SPACING * (0.5 + random()));
  }

  function strike(from: number, now: ModelFault): number {
    if (from === wave) {
      strikes += 1;
      wave += 1;
    }
    fault = now;
    const after = 'retryAfter' in now ? (now.retryAfter ?? 0) : 0;
    const own = Math.min(LONGEST, FIRST * 2 ** (strikes - 1)) * (0.5 + random() / 2);
    // Never before the time the provider named, and not all at that very moment.
    const delay = after > own ? after + random() * Math.min(after / 10, LONGEST) : own;
    until = Math.max(until, Math.ceil(clock.now() + delay));
    // For these it is too late already: nobody will ask before.
    for (const waiter of queue.filter(({ deadline }) => deadline < until)) waiter.giveUp();
    return until;
  }

  function pass(): Pass {
    const from = wave;
    const isProbe = probing;
    let settled = false;
    function settle(): boolean {
      if (settled) return false;
      settled = true;
      if (isProbe) probing = false;
      return true;
    }
    return {
      answered() {
        if (!settle()) return;
        if (from === wave && strikes > 0) {
          strikes = 0;
          fault = null;
          until = clock.now() + spacing();
        }
        pump();
      },
      troubled(now) {
        settle();
        const at = strike(from, now);
        pump();
        return at;
      },
      leave() {
        if (settle()) pump();
      },
    };
  }

  return {
    trouble: () => fault,
    enter(deadline, signal) {
      if (signal.aborted || (strikes > 0 && until > deadline)) return Promise.resolve(null);
      if (strikes === 0 && queue.length === 0 && clock.now() >= until) return Promise.resolve(pass());
      return new Promise((resolve) => {
        const cancel = clock.at(deadline, giveUp);
        const end = (granted: Pass | null) => {
          cancel();
          signal.removeEventListener('abort', giveUp);
          resolve(granted);
        };
        const waiter: Waiter = { deadline, grant: () => end(pass()), giveUp };
        function giveUp() {
          queue.splice(queue.indexOf(waiter), 1);
          end(null);
          pump();
        }
        signal.addEventListener('abort', giveUp, { once: true });
        queue.push(waiter);
        pump();
      });
    },
  };
}
