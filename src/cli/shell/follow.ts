/** A run that another process drives, shown above the prompt as if it were driven here. */

import { ok } from '../../contract/fault.ts';
import type { RunView } from '../../contract/view.ts';
import { complain, type Context } from '../context.ts';
import { follow } from '../follow.ts';
import type { Presenter } from '../presenter.ts';
import { realClock } from '../real-clock.ts';
import { playback } from '../report/playback.ts';
import { loadChosen, withReader } from '../session.ts';

export interface FollowElsewhere {
  readonly context: Context;
  readonly workspace: string;
  readonly presenter: Presenter;
  readonly stop: AbortSignal;
}

/** Ends when the run rests, when nobody drives it any more, or when it is told to. */
export async function followElsewhere(following: FollowElsewhere): Promise<void> {
  const { context, workspace, presenter, stop } = following;
  const followed = await withReader(workspace, async (reader) => {
    const loaded = await loadChosen(reader.log, context.run);
    if (!loaded.ok) return loaded;
    const { events, version, created } = loaded.value;
    const played = playback(events[0]);
    events.forEach(played.take);
    presenter.stored([], played.view);
    const how = await follow({
      reader,
      run: created.run,
      clock: realClock,
      playback: played,
      version,
      stored: (news) => presenter.stored(news, played.view),
      onWaiting: () => presenter.say('It is at rest, and its process waits to go on: goalgraph pause'),
      stop,
    });
    return how.ok ? ok({ how: how.value, view: (): RunView => played.view() }) : how;
  });
  if (followed.ok && followed.value.how === 'rests') presenter.end(followed.value.view());
  else presenter.close();
  if (!followed.ok) complain(context, followed.fault);
  else if (followed.value.how === 'gone') {
    context.output.out('Its process is gone. Nothing is lost; go on with it: goalgraph resume');
  }
}
