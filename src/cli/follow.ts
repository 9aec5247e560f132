/** Follows a run that another process drives, by what it stores. Nothing is changed by that. */

import type { Clock, StoredEvent } from '../contract/ports.ts';
import { ok, type Result } from '../contract/fault.ts';
import type { RunView } from '../contract/view.ts';
import type { Reader } from '../store/store.ts';
import type { Playback } from './report/playback.ts';

/** Milliseconds between looks at the journal. */
const EVERY = 100;

/** Looks without news after which it is asked whether anybody drives. */
const PATIENT = 5;

export interface Following {
  readonly reader: Reader;
  readonly run: string;
  readonly clock: Clock;
  /** With all events until now. */
  readonly playback: Playback;
  /** The version of the last one. */
  readonly version: number;
  readonly stored: (events: readonly StoredEvent[]) => void;
  /** Its provider has paused it, and a process has it all the same: it waits. Called once for each pause. */
  readonly onWaiting: () => void;
  readonly stop: AbortSignal;
}

/** `rests`: it has come to rest. `gone`: nobody drives it, though it should go on. `left`: whoever watched is gone. */
export type Followed = 'rests' | 'gone' | 'left';

export async function follow(following: Following): Promise<Result<Followed>> {
  const { reader, run, clock, playback, stored, onWaiting, stop } = following;
  let { version } = following;
  let silent = PATIENT;
  let waited = false;
  while (!stop.aborted) {
    // In this order: what an owner stores before it goes away must not be missed.
    const free = silent >= PATIENT ? isFree(reader) : ok(false);
    if (!free.ok) return free;
    const news = await reader.log.read(run, version);
    if (!news.ok) return news;
    if (news.value.length > 0) {
      news.value.forEach(playback.take);
      version += news.value.length;
      silent = 0;
      waited = false;
      stored(news.value);
    } else {
      const view = playback.view();
      const moves = isMoving(view);
      if (free.value) return ok(moves ? 'gone' : 'rests');
      if (silent >= PATIENT && view.why === 'provider' && !waited) {
        waited = true;
        onWaiting();
      }
      silent = silent >= PATIENT ? 0 : silent + 1;
      await pause(clock, stop);
    }
  }
  return ok('left');
}

function isMoving({ status }: RunView): boolean {
  return status === 'running' || status === 'planning';
}

function isFree(reader: Reader): Result<boolean> {
  const holder = reader.lease.holder();
  return holder.ok ? ok(holder.value === null) : holder;
}

function pause(clock: Clock, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.at(clock.now() + EVERY, done);
    stop.addEventListener('abort', done);
    if (stop.aborted) done();
    function done(): void {
      cancel();
      stop.removeEventListener('abort', done);
      resolve();
    }
  });
}
