/** Time that passes only when there is nothing left to do now. */

import type { Clock } from '../../src/contract/ports.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly call: () => void;
}

export interface VirtualClock {
  now(): number;
  /** A clock for one process: it falls silent when the process is dead. */
  forProcess(alive: () => boolean): Clock;
  at(at: number, call: () => void): () => void;
  /** Lets one callback happen. False when there is none. */
  tick(): Promise<boolean>;
}

export function virtualClock(start: number): VirtualClock {
  let now = start;
  let order = 0;
  const timers: Timer[] = [];
  const at = (when: number, call: () => void) => {
    const timer = { at: Math.max(when, now), order: order++, call };
    const place = timers.findIndex((other) => other.at > timer.at);
    timers.splice(place < 0 ? timers.length : place, 0, timer);
    return () => {
      const found = timers.indexOf(timer);
      if (found >= 0) timers.splice(found, 1);
    };
  };
  return {
    now: () => now,
    at,
    forProcess: (alive) => {
      const guarded = (call: () => void) => () => {
        if (alive()) call();
      };
      return {
        now: () => now,
        soon: (call) => void at(now, guarded(call)),
        at: (when, call) => at(when, guarded(call)),
      };
    },
    async tick() {
      const timer = timers.shift();
      if (!timer) return false;
      now = timer.at;
      timer.call();
      // All promises that this has settled run before anything else happens.
      await new Promise((resolve) => setImmediate(resolve));
      return true;
    },
  };
}
