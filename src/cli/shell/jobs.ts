/** The run that this shell drives, if it drives one: started in the background, asked while it goes. */

import type { Request } from '../../contract/request.ts';
import type { Ask } from '../front.ts';

/** `gone`: no run is driven here (any more). `refused`: why, or null. */
export type Heard = { readonly type: 'gone' } | { readonly type: 'answer'; readonly refused: string | null };

export interface Jobs {
  readonly isBusy: () => boolean;
  /** Begins it; false when there is one already. `work` resolves to the exit code. */
  readonly start: (work: () => Promise<number>) => boolean;
  readonly driving: (ask: Ask | null) => void;
  readonly ask: (request: Request) => Promise<Heard>;
  /** Whether a drive can be asked this instant. */
  readonly isDriving: () => boolean;
  /** Resolves to the exit code of the job, or of the last one; null when there was none. */
  readonly ended: () => Promise<number | null>;
}

/** `onIdle` is called when a job has ended. */
export function makeJobs(onIdle: (code: number) => void): Jobs {
  let ask: Ask | null = null;
  let busy = false;
  let ended: Promise<number | null> = Promise.resolve(null);
  let waiting: (() => void)[] = [];
  const wakeAll = () => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  /** A run that begins looks at its models first, and one that ends writes its report: then there is nobody to ask. */
  const someone = async (): Promise<Ask | null> => {
    while (busy && ask === null) await new Promise<void>((wake) => waiting.push(wake));
    return ask;
  };
  return {
    isBusy: () => busy,
    isDriving: () => ask !== null,
    start(work) {
      if (busy) return false;
      busy = true;
      ended = work().then((code) => {
        busy = false;
        ask = null;
        wakeAll();
        onIdle(code);
        return code;
      });
      return true;
    },
    driving(next) {
      ask = next;
      if (ask) wakeAll();
    },
    async ask(request) {
      const asked = await someone();
      return asked === null ? { type: 'gone' } : { type: 'answer', refused: await asked(request) };
    },
    ended: () => ended,
  };
}
