/** Ends a request for three reasons: the caller's signal, no content for too long, or too long in all. Only content counts, not bytes. */

import type { Clock } from '../contract/ports.ts';

type Reason = 'aborted' | 'idle' | 'endless';

export interface IdleWatch {
  /** For the request. */
  readonly signal: AbortSignal;
  /** Why it ended; null while it has not. */
  why(): Reason | null;
  /** Content has come, and its reader has taken it: the time begins anew. */
  content(): void;
  /** While a slow reader holds the content, the provider is not to blame. */
  pause(): void;
  /** From now on only this many milliseconds in all are waited for the rest. */
  linger(ms: number): void;
  /** Frees everything, the connection too if the request is still under way. */
  close(): void;
}

/** Milliseconds: without content, and in all. */
export interface Patience {
  readonly idle: number;
  readonly whole: number;
}

export function watchIdle(clock: Clock, { idle, whole }: Patience, outer: AbortSignal): IdleWatch {
  const controller = new AbortController();
  let why: Reason | null = null;
  let lingering = false;
  let cancel = () => {};
  const cancelWhole = clock.at(clock.now() + whole, () => end('endless'));

  function end(reason: Reason) {
    why ??= reason;
    cancel();
    cancelWhole();
    controller.abort();
  }
  const onAbort = () => end('aborted');
  function arm(ms: number) {
    cancel();
    if (why === null) cancel = clock.at(clock.now() + ms, () => end('idle'));
  }

  if (outer.aborted) onAbort();
  outer.addEventListener('abort', onAbort, { once: true });
  arm(idle);
  return {
    signal: controller.signal,
    why: () => why,
    content() {
      if (!lingering) arm(idle);
    },
    pause() {
      if (!lingering) cancel();
    },
    linger(ms) {
      if (lingering) return;
      lingering = true;
      arm(ms);
    },
    close() {
      cancel();
      cancelWhole();
      outer.removeEventListener('abort', onAbort);
      controller.abort();
    },
  };
}
