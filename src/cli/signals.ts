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

export interface SignalHandlers {
  pause(signal: Stop): void;
  kill(): Promise<void>;
}

export function onSignals(handlers: SignalHandlers): Signals {
  let first: Stop | null = null;
  let firstAt = 0;
  const listeners = heeded().map((signal) => {
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
  // Without a listener it would end the process.
  const unheeded = () => undefined;
  process.on('SIGHUP', unheeded);
  return {
    first: () => first,
    stop() {
      for (const { signal, listener } of listeners) process.off(signal, listener);
      process.off('SIGHUP', unheeded);
    },
  };
}

export interface HeldSignals {
  /** As `onSignals`; what came while nobody listened is heard at once. */
  readonly listen: (handlers: SignalHandlers) => Signals;
  readonly stop: () => void;
}

/** For one drive after the other: between two of them a signal must neither be lost nor end the process. */
export function holdSignals(): HeldSignals {
  let current: SignalHandlers | null = null;
  let missed: Stop | null = null;
  const signals = onSignals({
    pause(signal) {
      if (current) current.pause(signal);
      else missed = signal;
    },
    kill: () => current?.kill() ?? Promise.resolve(),
  });
  return {
    listen(handlers) {
      current = handlers;
      if (missed !== null) handlers.pause(missed);
      missed = null;
      return { first: () => signals.first(), stop: () => (current = null) };
    },
    stop: () => signals.stop(),
  };
}

const STOPS: readonly Stop[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * A run that was put beside its terminal (`nohup`, `setsid`, a unit of systemd) outlives it. Whether the hang-up was to be
 * ignored cannot be told: Node puts every signal back to its default when it starts.
 */
function heeded(): readonly Stop[] {
  const isAttached = process.stdin.isTTY || process.stdout.isTTY;
  return STOPS.filter((signal) => signal !== 'SIGHUP' || isAttached);
}

export function exitOfSignal(signal: Stop): number {
  return signal === 'SIGINT' ? EXIT.sigint : EXIT.sigterm;
}
