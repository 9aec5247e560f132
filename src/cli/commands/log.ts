/** `goalgraph log NODE`: what it did, attempt by attempt, with the output that was kept. */

import type { CheckEnded, RunEvent, WorkEnded } from '../../contract/event.ts';
import { formatDuration } from '../../contract/amount.ts';
import type { Reader } from '../../store/store.ts';
import { complain, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { screenOf } from '../output.ts';
import { eventLine, namesOf } from '../render/event-line.ts';
import { plain } from '../render/text.ts';
import { jsonLine } from '../presenter.ts';
import { look } from './look.ts';

export function log(context: Context, name: string): Promise<number> {
  return look(context, async ({ loaded, view, reader }) => {
    const { output } = context;
    const node = view.nodes.find(({ id, slug }) => id === name || slug === name);
    if (!node) {
      const message = `Run ${view.run} has no node ${name}: goalgraph status lists them.`;
      return complain(context, { code: 'usage', message });
    }
    const names = namesOf(view);
    for (const stored of loaded.events) {
      const { event } = stored;
      if (!('node' in event) || event.node !== node.id) continue;
      if (context.json) {
        output.out(jsonLine(stored));
        continue;
      }
      output.out(eventLine(event, names, screenOf(output)));
      if (isEnd(event) && (event.output !== null || event.type === 'work.ended')) {
        output.out(await outputOf(event, reader));
      }
    }
    return EXIT.complete;
  });
}

function isEnd(event: RunEvent): event is WorkEnded | CheckEnded {
  return event.type === 'work.ended' || event.type === 'check.ended';
}

/** The kept output, indented, with whatever could drive a terminal shown as text. */
async function outputOf(event: WorkEnded | CheckEnded, reader: Reader): Promise<string> {
  if (event.output === null) return `    (no output, ${formatDuration(event.ms)})`;
  const blob = await reader.log.getBlob(event.output);
  if (!blob.ok) return `    (its output cannot be read: ${blob.fault.message})`;
  if (blob.value === null) return '    (its output is no longer kept)';
  const text = new TextDecoder().decode(blob.value);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${plain(line)}`)
    .join('\n');
}
