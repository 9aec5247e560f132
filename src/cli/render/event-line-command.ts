/** Commands and checks in words. */

import type { CheckEnded, Ended, Late, NodeStarted, WorkEnded } from '../../contract/event.ts';
import { formatDuration } from '../../contract/amount.ts';
import { never } from '../../contract/never.ts';
import { counted, errorLine, lastLine, type Telling, type Told } from './event-told.ts';

export function startTold(event: NodeStarted, { names }: Telling): Told {
  // What a model has done is not done again.
  if (event.rerun && names.byModel(event.node)) {
    return { text: `${names.slug(event.node)}: goes on`, tone: 'calm' };
  }
  const again = event.rerun ? ', again: its command was cut' : '';
  const attempt = event.attempt > 1 ? `, attempt ${event.attempt}` : '';
  return { text: `${names.slug(event.node)}: started${attempt}${again}`, tone: event.rerun ? 'odd' : 'calm' };
}

export function workTold(event: WorkEnded, { names, screen }: Telling): Told {
  const slug = names.slug(event.node);
  const took = formatDuration(event.ms);
  if (isGreen(event)) return { text: `${slug}: command done, ${took}`, tone: 'calm' };
  const tone = event.outcome === 'aborted' ? 'odd' : 'bad';
  return { text: `${slug}: command ${endWords(event)}, ${took}${tailWords(event, screen)}`, tone };
}

export function checkTold(event: CheckEnded, { names, screen }: Telling): Told {
  const run = names.check(event.node, event.check);
  const check = `${names.slug(event.node)}: check ${run ?? event.check + 1}`;
  if (event.reused) return { text: `${check}: green on this very tree, not run again`, tone: 'calm' };
  const took = formatDuration(event.ms) + restored(event);
  if (isGreen(event)) return { text: `${check}: green, ${took}`, tone: 'calm' };
  const tone = event.outcome === 'aborted' ? 'odd' : 'bad';
  const colour = event.outcome === 'aborted' ? '' : 'red, ';
  return { text: `${check}: ${colour}${endWords(event)}, ${took}${tailWords(event, screen)}`, tone };
}

export function lateTold({ of, check, outcome, node, ms }: Late, { names }: Telling): Told {
  const what = of === 'work.ended' ? 'command' : `check ${(check ?? 0) + 1}`;
  const words =
    outcome === 'aborted' ? `${what} in flight was ended` : `${what} ended too late to count (${outcome})`;
  return { text: `${names.slug(node)}: ${words}, ${formatDuration(ms)}`, tone: 'calm' };
}

/** The check was not run on the work itself then, and its end must not be taken for that. */
function restored({ restored }: CheckEnded): string {
  return restored.length === 0 ? '' : `, with ${counted(restored.length, 'changed file')} as before the work`;
}

/** What was cut or took too long is told by what it did last. */
function tailWords({ outcome, tail }: Ended, screen: Telling['screen']): string {
  return outcome === 'exit' ? errorLine(tail, screen) : lastLine(tail, screen);
}

export function isGreen(ended: Pick<Ended, 'outcome' | 'exit'>): boolean {
  return ended.outcome === 'exit' && ended.exit === 0;
}

function endWords({ outcome, exit, detail }: Ended): string {
  switch (outcome) {
    case 'exit':
      return `exit ${exit ?? '?'}`;
    case 'signal':
      return `ended by ${detail ?? 'a signal'}`;
    case 'timeout':
      return 'timed out';
    case 'spawn':
      return `not started (${detail ?? 'no reason given'})`;
    case 'aborted':
      return 'cut';
    default:
      return never(outcome);
  }
}
