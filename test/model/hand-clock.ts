/** A clock that a test moves by hand. */

import type { Clock } from '../../src/contract/ports.ts';

export interface HandClock extends Clock {
  /** Moves to `at`, calling what is due on the way, in order; lets promises settle between. */
  moveTo(at: number): Promise<void>;
  /** When the next timer is due; null without any. */
  next(): number | null;
}

export function handClock(start = 0): HandClock {
  let now = start;
  let timers: { readonly at: number; readonly call: () => void }[] = [];
  const next = () => timers.reduce<number | null>((least, { at }) => Math.min(least ?? at, at), null);
  return {
    now: () => now,
    soon: (call) => void setImmediate(call),
    at(at, call) {
      const timer = { at, call };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async moveTo(target) {
      for (let due = next(); due !== null && due <= target; due = next()) {
        now = Math.max(now, due);
        const timer = timers.find(({ at }) => at === due);
        timers = timers.filter((other) => other !== timer);
        timer?.call();
        await settle();
      }
      now = Math.max(now, target);
      await settle();
    },
    next,
  };
}

export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
