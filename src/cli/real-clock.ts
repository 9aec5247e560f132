/** The clock of a real process. */

import type { Clock } from '../contract/ports.ts';

/** Node's timers take 31 bits of milliseconds: longer waits are taken in steps. */
const LONGEST = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  soon: (call) => void setImmediate(call),
  at(at, call) {
    let timer = setTimeout(tick, delay());
    function delay() {
      return Math.min(Math.max(at - Date.now(), 0), LONGEST);
    }
    function tick() {
      if (Date.now() >= at) call();
      else timer = setTimeout(tick, delay());
    }
    return () => clearTimeout(timer);
  },
};
