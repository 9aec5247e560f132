/** Notices when a run that should be going on stores nothing for long: a server that hangs, a command that sleeps. */

import type { Clock } from '../contract/ports.ts';
import type { RunView } from '../contract/view.ts';

export interface StallWatch {
  /** Something was stored. */
  stir(view: () => RunView): void;
  stop(): void;
}

export interface StallOptions {
  readonly clock: Clock;
  /** Milliseconds; null: nobody wants to know. */
  readonly after: number | null;
  /** Called once for each time that nothing happens for so long. */
  readonly onStall: (view: RunView) => void;
}

export function watchStall({ clock, after, onStall }: StallOptions): StallWatch {
  let cancel = (): void => undefined;
  return {
    stir(view) {
      cancel();
      if (after === null) return;
      cancel = clock.at(clock.now() + after, () => {
        const now = view();
        if (isAtWork(now)) onStall(now);
      });
    },
    stop: () => cancel(),
  };
}

/** A run at rest is silent by right, and so is one whose nodes all wait for something that they have named. */
function isAtWork({ status, counts }: RunView): boolean {
  if (status === 'planning') return true;
  return status === 'running' && (counts.running > 0 || counts.verifying > 0 || counts.parked === 0);
}
