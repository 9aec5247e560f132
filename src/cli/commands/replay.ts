/**
 * `goalgraph replay`: the stored events of a run, shown again as they were shown when they happened. No model is
 * asked, nothing runs and nothing is stored. Without a terminal the lines are printed at once.
 */

import type { Clock, StoredEvent } from '../../contract/ports.ts';
import { complain, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { makePresenter, type Presenter } from '../presenter.ts';
import { realClock } from '../real-clock.ts';
import { screenOf } from '../output.ts';
import { eventLines } from '../render/event-line.ts';
import { namesOf } from '../render/event-told.ts';
import { movedBy, playback, type Playback } from '../report/playback.ts';
import { exitOfSignal, onSignals } from '../signals.ts';
import { look } from './look.ts';

export interface ReplayFlags {
  /** As it was typed: how many times as fast. */
  readonly speed?: string;
  /** A key for each event. */
  readonly step?: boolean;
}

/** What a replay needs of the world; tests have their own. */
export interface ReplayWorld {
  readonly clock: Clock;
  /** Null where nobody can press a key. */
  readonly keys: (() => Keys) | null;
  /** Calls back when a person wants no more of it; the returned function ends the listening and tells the exit code. */
  readonly onStop: (call: () => void) => () => number;
}

export interface Keys {
  readonly next: () => Promise<Key>;
  readonly close: () => void;
}

/** `stop`: Ctrl-C, which is a key like others while keys are read. */
export type Key = 'next' | 'quit' | 'stop';

/** Milliseconds that a gap between two events takes at most, at the speed of 1. */
const MOST_GAP = 1_000;

/** Milliseconds: what is shorter is saved up, for a timer takes longer than that. */
const LEAST_WAIT = 10;

const MOST_SPEED = 1_000_000;

export function replay(context: Context, flags: ReplayFlags, world = realWorld()): Promise<number> {
  return look(context, async ({ loaded: { events } }) => {
    const { output, json } = context;
    const speed = speedOf(flags.speed ?? '1');
    if (speed === null) {
      const message = `--speed ${flags.speed ?? ''} is no speed: give a number above 0, as in --speed 4`;
      return complain(context, { code: 'usage', message });
    }
    const isShown = output.isTerminal && !json;
    if (flags.step && (!isShown || world.keys === null)) {
      const message = '--step waits for a key at each event, so it needs a terminal. Leave it out here.';
      return complain(context, { code: 'usage', message });
    }
    const presenter = makePresenter({ output, json, preview: null });
    const show: Show = { context, presenter, events, world };
    if (!isShown) return printAll(show);
    return flags.step ? stepThrough(show) : playThrough(show, speed);
  });
}

/** Null when it is none. */
export function speedOf(text: string): number | null {
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(text)) return null;
  const speed = Number(text);
  return speed > 0 && speed <= MOST_SPEED ? speed : null;
}

interface Show {
  readonly context: Context;
  readonly presenter: Presenter;
  readonly events: readonly StoredEvent[];
  readonly world: ReplayWorld;
}

function printAll({ presenter, events }: Show): number {
  const { take, view } = playback(events[0]);
  for (const stored of events) {
    take(stored);
    presenter.stored([stored], view);
  }
  presenter.end(standing(view, events));
  return EXIT.complete;
}

/** Nothing goes on after the last event: what ran then has not run since. */
function standing(view: Playback['view'], events: readonly StoredEvent[]) {
  const last = events.at(-1)?.event.at ?? 0;
  return movedBy(view(), Date.now() - last);
}

async function playThrough({ presenter, events, world }: Show, speed: number): Promise<number> {
  const { clock } = world;
  const { take, view } = playback(events[0]);
  const stop = new AbortController();
  const stopped = world.onStop(() => stop.abort());
  const at = { event: 0, next: 0, since: clock.now(), wait: 0 };
  /** The time of the run at this moment: between two events it goes evenly from the one to the other. */
  const now = (): number => {
    const part = at.wait === 0 ? 0 : Math.min(1, (clock.now() - at.since) / at.wait);
    return at.event + (at.next - at.event) * part;
  };
  const seen = () => movedBy(view(), clock.now() - now());
  let owed = 0;
  for (const [i, stored] of events.entries()) {
    take(stored);
    const { at: moment } = stored.event;
    const next = events[i + 1]?.event.at ?? moment;
    Object.assign(at, { event: moment, next, since: clock.now(), wait: 0 });
    presenter.stored([stored], seen);
    owed += Math.min(Math.max(0, next - moment), MOST_GAP) / speed;
    if (owed < LEAST_WAIT) continue;
    at.wait = owed;
    await waitFor(clock, owed, stop.signal);
    owed = 0;
    if (stop.signal.aborted) break;
  }
  return endOf({ presenter, events, view, isOver: !stop.signal.aborted, code: stopped() });
}

interface End {
  readonly presenter: Presenter;
  readonly events: readonly StoredEvent[];
  readonly view: Playback['view'];
  readonly isOver: boolean;
  readonly code: number;
}

function endOf({ presenter, events, view, isOver, code }: End): number {
  if (isOver) presenter.end(standing(view, events));
  else presenter.close();
  return code;
}

function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.at(clock.now() + ms, done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
    function done(): void {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

/** A key shows the next event that there is something to see of; the clock stands still meanwhile. */
async function stepThrough({ context, presenter, events, world }: Show): Promise<number> {
  const keys = world.keys?.();
  if (!keys) return EXIT.usage;
  const { take, view } = playback(events[0]);
  let last = 0;
  const seen = () => movedBy(view(), world.clock.now() - last);
  let key: Key = 'next';
  presenter.say('any key: the next event · q: no more');
  for (const stored of events) {
    take(stored);
    last = stored.event.at;
    presenter.stored([stored], seen);
    if (isSeen(stored, view, context)) key = await keys.next();
    if (key !== 'next') break;
  }
  keys.close();
  const code = key === 'stop' ? exitOfSignal('SIGINT') : EXIT.complete;
  return endOf({ presenter, events, view, isOver: key === 'next', code });
}

/** Whether it has a line, or changes what is said of who is at work. */
function isSeen({ event }: StoredEvent, view: Playback['view'], { output }: Context): boolean {
  return 'session' in event || eventLines(event, namesOf(view()), screenOf(output)).length > 0;
}

function realWorld(): ReplayWorld {
  const { stdin } = process;
  return {
    clock: realClock,
    keys: stdin.isTTY ? () => keysOf(stdin) : null,
    onStop(call) {
      const signals = onSignals({ pause: call, kill: () => Promise.resolve() });
      return () => {
        signals.stop();
        const signal = signals.first();
        return signal === null ? EXIT.complete : exitOfSignal(signal);
      };
    },
  };
}

/** A terminal tells of keys one by one only when it is asked to; then Ctrl-C is one of them. */
export function keysOf(
  stdin: Pick<NodeJS.ReadStream, 'setRawMode' | 'resume' | 'pause' | 'on' | 'off'>,
): Keys {
  const pressed: Key[] = [];
  let waiting: ((key: Key) => void) | null = null;
  const press = (data: Buffer): void => {
    const key = keyOf(data.toString('latin1'));
    if (waiting === null) pressed.push(key);
    else waiting(key);
    waiting = null;
  };
  stdin.setRawMode(true);
  stdin.on('data', press);
  stdin.resume();
  return {
    next() {
      const key = pressed.shift();
      if (key !== undefined) return Promise.resolve(key);
      return new Promise((resolve) => (waiting = resolve));
    },
    close() {
      stdin.off('data', press);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}

function keyOf(text: string): Key {
  if (text.includes('\x03')) return 'stop';
  return text === 'q' || text === 'Q' ? 'quit' : 'next';
}
