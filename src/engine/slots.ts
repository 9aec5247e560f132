/**
 * How many effects may be alive at once. First come, first served; a freed slot goes straight to the first
 * waiter, so that no newcomer can take it in between.
 */

export interface Slots {
  /** Resolves to the function that gives the slot back; calling it twice is harmless. */
  take(): Promise<() => void>;
}

export function makeSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const giveBack = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return {
    async take() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let given = false;
      return () => {
        if (!given) giveBack();
        given = true;
      };
    },
  };
}
