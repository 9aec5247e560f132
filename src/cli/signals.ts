/** Ctrl-C and its kin: the first pauses the run in order, a second one kills what is in flight and ends the process. */

import { EXIT } from './exit.ts';

export type Stop = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** A terminal sends one Ctrl-C to npm and to us, and npm passes its own on: within this time they are one. */
const ONE_PRESS = 1_000;

export interface Signals {
  /** The first signal that came, if one did. */
  first(): Stop | null;
  stop(): void;
}

export function onSignals(handlers: { pause(signal: Stop): void; kill(): Promise<void> }): Signals {
  let first: Stop | null = null;
  let firstAt = 0;
  const listeners = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const listener = () => {
      if (first === null) {
        first = signal;
        firstAt = performance.now();
        handlers.pause(signal);
      } else if (performance.now() - firstAt > ONE_PRESS) {
        void handlers.kill().finally(() => process.exit(exitOfSignal(signal)));
      }
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return {
    first: () => first,
    stop() {
      for (const { signal, listener } of listeners) process.off(signal, listener);
    },
  };
}

export function exitOfSignal(signal: Stop): number {
  return signal === 'SIGINT' ? EXIT.sigint : EXIT.sigterm;
}
