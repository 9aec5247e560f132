/** What the shell says first: where it is, and which run is there. */

import { ok } from '../../contract/fault.ts';
import { never } from '../../contract/never.ts';
import type { RunView } from '../../contract/view.ts';
import { complain, visible, type Context } from '../context.ts';
import { screenOf } from '../output.ts';
import { clip, firstLine, plain } from '../render/text.ts';
import { statusWords } from '../render/words.ts';

export interface Greeting {
  readonly context: Context;
  readonly workspace: string;
  readonly seen: (view: () => RunView) => void;
}

/** True when another process drives the run. */
export async function greet({ context, workspace, seen }: Greeting): Promise<boolean> {
  const { output } = context;
  const screen = screenOf(output);
  output.out(`goalgraph in ${visible(workspace)}`);
  const { withReader, loadChosen } = await import('../session.ts');
  const { viewOf } = await import('../../graph/view.ts');
  const found = await withReader(workspace, async (reader) => {
    const loaded = await loadChosen(reader.log, context.run);
    if (!loaded.ok) return loaded;
    const { created, state, records } = loaded.value;
    const holder = reader.lease.holder();
    return ok({ view: viewOf(created, state, records), held: holder.ok && holder.value !== null });
  });
  if (!found.ok) {
    if (found.fault.code !== 'no_run') complain(context, found.fault);
    output.out('/graph OBJECTIVE starts a run, /help lists the rest, Ctrl-D leaves.');
    return false;
  }
  const { view, held } = found.value;
  seen(() => view);
  const { columns, ascii } = screen;
  output.out(
    clip(`run ${plain(view.run, ascii)}: ${plain(firstLine(view.objective), ascii)}`, columns, ascii),
  );
  const [words, hint] = standing(view, held);
  output.out(plain(words, ascii));
  output.out(`${hint}. /help lists the rest.`);
  return held && (view.status === 'planning' || view.status === 'running');
}

/** Where it stands, and what to type next. */
function standing(view: RunView, held: boolean): readonly [string, string] {
  const done = `${view.counts.achieved + view.counts.skipped}/${view.nodes.length} achieved`;
  const words = `${done}: ${statusWords(view)}`;
  switch (view.status) {
    case 'planning':
    case 'running':
      return held
        ? [`${words}, in another process`, '/graph status shows it, /graph pause pauses it']
        : [`${done}: interrupted; nothing is lost`, '/graph resume goes on'];
    case 'paused':
      return [words, '/graph resume goes on'];
    case 'approval':
      return ['Its plan waits for a yes', '/graph show, then /graph approve'];
    case 'complete':
    case 'cleared':
      return [words, '/graph OBJECTIVE starts another'];
    default:
      return never(view.status);
  }
}
