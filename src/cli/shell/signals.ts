/** Signals between runs. While a run is driven, its own listeners pause and kill it; the shell leaves when it is over. */

import { EXIT } from '../exit.ts';
import { exitOfSignal, type Stop } from '../signals.ts';
import { PAUSE } from './act.ts';
import type { Jobs } from './jobs.ts';

export interface ShellSignals {
  /** Null when no signal ended the shell. */
  readonly code: () => number | null;
  readonly stop: () => void;
}

const STOPS: readonly Stop[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export function onShellSignals(jobs: Jobs, leave: () => void): ShellSignals {
  let code: number | null = null;
  const listeners = STOPS.map((signal) => {
    const listener = () => {
      if (signal === 'SIGINT' && jobs.isBusy()) {
        // A run that only begins has no listeners yet.
        if (!jobs.isDriving()) void jobs.ask(PAUSE);
        return;
      }
      code = signal === 'SIGINT' ? EXIT.sigint : exitOfSignal(signal);
      leave();
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return {
    code: () => code,
    stop() {
      for (const { signal, listener } of listeners) process.off(signal, listener);
    },
  };
}
