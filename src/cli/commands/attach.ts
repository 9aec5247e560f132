/** `goalgraph attach`: the live view of a run that another process drives. `goalgraph logs`: its events, line by line. */

import type { RunView } from '../../contract/view.ts';
import type { LoadedRun } from '../../engine/load.ts';
import type { Reader } from '../../store/store.ts';
import { complain, type Context } from '../context.ts';
import { EXIT, exitOfRun } from '../exit.ts';
import { follow, type Followed } from '../follow.ts';
import { makePresenter, type Presenter } from '../presenter.ts';
import { realClock } from '../real-clock.ts';
import { playback, type Playback } from '../report/playback.ts';
import { onSignals } from '../signals.ts';
import { look } from './look.ts';

const GONE = 'Its process is gone. Nothing is lost; go on with it: goalgraph resume';

export function attach(context: Context): Promise<number> {
  return look(context, ({ loaded, reader }) =>
    untilLeft(async (left) => {
      const { output, json } = context;
      const presenter = makePresenter({ output, json, preview: null });
      const played = replayed(loaded);
      const holder = reader.lease.holder();
      if (holder.ok && holder.value?.run === loaded.created.run) {
        const { run, pid } = holder.value;
        presenter.say(`Run ${run} in process ${pid}. Ctrl-C ends the watching, not the run.`);
      }
      // So that there is something to see before the next event.
      if (output.isTerminal && !json) presenter.stored([], played.view);
      const followed = await followOn(context, { loaded, reader, played, presenter, left });
      if (typeof followed === 'number') {
        presenter.close();
        return followed;
      }
      if (followed === 'rests') presenter.end(played.view());
      else presenter.close();
      if (followed === 'gone') output.err(GONE);
      return endOf(followed, played.view());
    }),
  );
}

export function logs(context: Context, { follow: goesOn = false }: { readonly follow?: boolean }) {
  return look(context, ({ loaded, reader }) => {
    const { output, json } = context;
    // One line an event also on a terminal: what scrolls by is wanted here.
    const presenter = makePresenter({ output: { ...output, isTerminal: false }, json, preview: null });
    const played = playback(loaded.events[0]);
    const list = () => {
      for (const stored of loaded.events) {
        played.take(stored);
        presenter.stored([stored], played.view);
      }
    };
    if (!goesOn) {
      list();
      return EXIT.complete;
    }
    return untilLeft(async (left) => {
      list();
      const followed = await followOn(context, { loaded, reader, played, presenter, left });
      if (followed === 'gone') output.err(GONE);
      return typeof followed === 'number' ? followed : EXIT.complete;
    });
  });
}

/** Heard from before the first word on: whoever reads how to leave may leave at once. */
async function untilLeft(watch: (left: AbortSignal) => Promise<number>): Promise<number> {
  const left = new AbortController();
  const signals = onSignals({ pause: () => left.abort(), kill: () => Promise.resolve() });
  try {
    return await watch(left.signal);
  } finally {
    signals.stop();
  }
}

function replayed({ events }: LoadedRun): Playback {
  const played = playback(events[0]);
  events.forEach(played.take);
  return played;
}

interface FollowOn {
  readonly loaded: LoadedRun;
  readonly reader: Reader;
  readonly played: Playback;
  readonly presenter: Presenter;
  readonly left: AbortSignal;
}

/** A number is an exit code: what went wrong has been said. */
async function followOn(
  context: Context,
  { loaded, reader, played, presenter, left }: FollowOn,
): Promise<Followed | number> {
  const followed = await follow({
    reader,
    run: loaded.created.run,
    clock: realClock,
    playback: played,
    version: loaded.version,
    stored: (events) => presenter.stored(events, played.view),
    onWaiting: () =>
      presenter.say('It is at rest, and its process waits to go on: goalgraph resume, or goalgraph pause'),
    stop: left,
  });
  return followed.ok ? followed.value : complain(context, followed.fault);
}

function endOf(followed: Followed, view: RunView): number {
  if (followed === 'left') return EXIT.complete;
  return followed === 'gone' ? EXIT.infra : exitOfRun(view);
}
