/**
 * A clock for one who looks, again and again, whether something has come. Looks that would find nothing are most of
 * what happens in a simulated run: they are left out until it is woken, and the next one comes when it would have.
 */

import type { Clock } from '../../src/contract/ports.ts';

export interface PollClock {
  readonly clock: Clock;
  /** Something has come. */
  wake(): void;
}

export function pollClock(clock: Clock): PollClock {
  let asleep: (() => void) | null = null;
  return {
    wake() {
      asleep?.();
      asleep = null;
    },
    clock: {
      ...clock,
      at(at, call) {
        const every = at - clock.now();
        if (every <= 0) return clock.at(at, call);
        asleep = () => {
          const missed = Math.max(0, Math.ceil((clock.now() - at) / every));
          clock.at(at + missed * every, call);
        };
        return () => (asleep = null);
      },
    },
  };
}
