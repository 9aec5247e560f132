/** Ends a request for two reasons: the caller's signal, or no content for too long. Only content counts, not bytes. */

import type { Clock } from '../contract/ports.ts';

export interface IdleWatch {
  /** For the request. */
  readonly signal: AbortSignal;
  /** Why it ended; null while it has not. */
  why(): 'aborted' | 'idle' | null;
  /** Content has come, and its reader has taken it: the time begins anew. */
  content(): void;
  /** While a slow reader holds the content, the provider is not to blame. */
  pause(): void;
  /** From now on only this many milliseconds in all are waited for the rest. */
  linger(ms: number): void;
  /** Frees everything, the connection too if the request is still under way. */
  close(): void;
}

export function watchIdle(clock: Clock, idle: number, outer: AbortSignal): IdleWatch {
  const controller = new AbortController();
  let why: 'aborted' | 'idle' | null = null;
  let lingering = false;
  let cancel = () => {};

  function end(reason: 'aborted' | 'idle') {
    why ??= reason;
    cancel();
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
      outer.removeEventListener('abort', onAbort);
      controller.abort();
    },
  };
}
