/** How a run is shown while the shell drives it: lines that stay above the prompt, and the live area between them. */

import type { RunView } from '../../contract/view.ts';
import { screenOf } from '../output.ts';
import { linesOf, makePresenter, type Presenter, type Preview } from '../presenter.ts';
import { endTable } from '../render/end-table.ts';
import { makeLiveView } from './live-view.ts';
import type { ShellScreen } from './screen.ts';

export interface ShellPresenting {
  readonly screen: ShellScreen;
  readonly preview: Preview | null;
  /** Hears of the run that is shown. */
  readonly seen: (view: () => RunView) => void;
}

export function shellPresenter({ screen, preview, seen }: ShellPresenting): Presenter {
  const { output } = screen;
  if (!screen.hasPrompt) return plainPresenter({ screen, preview, seen });
  const lines = linesOf(output, preview);
  const liveView = makeLiveView();
  let view: (() => RunView) | null = null;
  const close = () => screen.live(null);
  return {
    stored(events, next) {
      seen(next);
      const isFirst = view === null;
      view = next;
      // What goes on in a conversation is in the live area itself.
      const news = events.filter(({ event }) => !('session' in event));
      for (const line of lines(news, next)) output.out(line);
      if (isFirst) screen.live((rows) => (view ? liveView(view(), { ...screenOf(output), rows }) : []));
      else screen.changed();
    },
    say: (line) => output.out(line),
    close,
    end(last) {
      close();
      output.out(endTable(last, screenOf(output)).join('\n'));
    },
  };
}

/** Without a prompt: as everywhere else where there is no terminal. */
function plainPresenter({ screen, preview, seen }: ShellPresenting): Presenter {
  const plain = makePresenter({ output: { ...screen.output, isTerminal: false }, json: false, preview });
  return {
    ...plain,
    stored(events, view) {
      seen(view);
      plain.stored(events, view);
    },
  };
}
