/** One line an event, for logs and pipes. Every event has one: what is stored is what is told. */

import type { CheckEnded, Ended, NodeStarted, RunEvent, WorkEnded } from '../../contract/event.ts';
import type { NodeId } from '../../contract/ids.ts';
import type { RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import { clip, firstLine, plain } from './text.ts';
import { blockedWords, dot, failedWords, glyphOf, pausedWords } from './words.ts';
import { formatDuration } from '../../contract/amount.ts';
import { never } from '../../contract/never.ts';

/** What a line needs to know besides the event. */
export interface EventNames {
  readonly slug: (node: NodeId) => string;
  /** The command of a node's check; null when it is not known. */
  readonly check: (node: NodeId, check: number) => string | null;
}

export interface EventScreen extends Omit<Screen, 'now'> {
  /** The time of day of a moment; UTC when left out. */
  readonly time?: (at: number) => string;
}

/** A tail's last line may be a whole file in one line. */
const MAX_TAIL = 200;

/** Names from a view. An edit makes new checks: take them anew from the view after it. */
export function namesOf(view: Pick<RunView, 'nodes'>): EventNames {
  const nodes = new Map(view.nodes.map((node) => [node.id, node]));
  return {
    slug: (id) => nodes.get(id)?.slug ?? id,
    check: (id, check) => nodes.get(id)?.checks[check]?.run ?? null,
  };
}

export function eventLine(event: RunEvent, names: EventNames, screen: EventScreen): string {
  const { palette, ascii, columns } = screen;
  const time = (screen.time ?? utcTime)(event.at);
  const { text, tone } = words(event, { names, screen });
  const line = `${plain(time, ascii)} ${plain(text, ascii).trimEnd()}`;
  return palette[TONES[tone]](clip(line, columns, ascii));
}

export function utcTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

type Tone = 'good' | 'bad' | 'odd' | 'calm' | 'run';

const TONES = { good: 'green', bad: 'red', odd: 'yellow', calm: 'dim', run: 'bold' } as const;

interface Words {
  readonly text: string;
  readonly tone: Tone;
}

interface Telling {
  readonly names: EventNames;
  readonly screen: EventScreen;
}

function words(event: RunEvent, telling: Telling): Words {
  switch (event.type) {
    case 'run.created':
    case 'run.restored':
    case 'run.paused':
    case 'run.resumed':
    case 'run.completed':
    case 'run.cleared':
      return runEvent(event, telling);
    case 'node.started':
      return started(event, telling);
    case 'work.ended':
      return workEnded(event, telling);
    case 'check.ended':
      return checkEnded(event, telling);
    case 'node.achieved':
    case 'node.failed':
    case 'node.blocked':
    case 'node.retried':
    case 'node.skipped':
    case 'node.edited':
      return nodeEvent(event, telling);
    case 'late':
      return {
        text: `${telling.names.slug(event.node)}: ${lateWords(event)}, ${formatDuration(event.ms)}`,
        tone: 'calm',
      };
    default:
      return never(event);
  }
}

function lateWords({ of, check, outcome }: Extract<RunEvent, { type: 'late' }>): string {
  const what = of === 'work.ended' ? 'command' : `check ${(check ?? 0) + 1}`;
  return outcome === 'aborted'
    ? `${what} in flight was ended`
    : `${what} ended too late to count (${outcome})`;
}

function runEvent(event: Extract<RunEvent, { type: `run.${string}` }>, { screen }: Telling): Words {
  switch (event.type) {
    case 'run.created':
      return {
        text: `run ${event.run} created: ${firstLine(event.plan.objective)} (${event.plan.nodes.length} nodes, plan v${event.plan.version} ${event.plan.hash})`,
        tone: 'run',
      };
    case 'run.restored':
      return { text: 'run restored: what was cut is ready again', tone: 'odd' };
    case 'run.paused': {
      const detail = event.detail === null || event.detail === '' ? '' : dot(screen) + event.detail;
      return { text: `run ${pausedWords(event.why)}${detail}`, tone: 'odd' };
    }
    case 'run.resumed':
      return { text: `run resumed, ${event.concurrency} at a time`, tone: 'run' };
    case 'run.completed':
      return { text: 'run complete', tone: 'good' };
    case 'run.cleared':
      return { text: 'run cleared', tone: 'odd' };
    default:
      return never(event);
  }
}

type NodeEvent = Exclude<Extract<RunEvent, { type: `node.${string}` }>, NodeStarted>;

function nodeEvent(event: NodeEvent, { names, screen }: Telling): Words {
  const slug = names.slug(event.node);
  switch (event.type) {
    case 'node.achieved':
      return { text: `${slug}: achieved ${glyphOf('achieved', screen)}`, tone: 'good' };
    case 'node.failed': {
      const red = event.red.length === 0 ? '' : ` (red: ${event.red.map((id) => names.slug(id)).join(', ')})`;
      return {
        text: `${slug}: ${event.detail === '' ? failedWords(event.why) : `failed${lastLine(event.detail, screen)}`}${red}`,
        tone: 'bad',
      };
    }
    case 'node.blocked':
      return { text: `${slug}: ${blockedWords(event.why)}${lastLine(event.detail, screen)}`, tone: 'bad' };
    case 'node.retried':
      return { text: `${slug}: retried`, tone: 'run' };
    case 'node.skipped':
      return { text: `${slug}: skipped`, tone: 'odd' };
    case 'node.edited': {
      const parts = (['spec', 'run', 'checks'] as const).filter((part) => event[part] !== null);
      return {
        text: `${slug}: edited ${parts.join(', ')}, plan v${event.version} ${event.hash}`,
        tone: 'run',
      };
    }
    default:
      return never(event);
  }
}

function started(event: NodeStarted, { names }: Telling): Words {
  const again = event.rerun ? ', again: its command was cut' : '';
  const attempt = event.attempt > 1 ? `, attempt ${event.attempt}` : '';
  return { text: `${names.slug(event.node)}: started${attempt}${again}`, tone: event.rerun ? 'odd' : 'calm' };
}

function workEnded(event: WorkEnded, { names, screen }: Telling): Words {
  const slug = names.slug(event.node);
  const took = formatDuration(event.ms);
  if (isGreen(event)) return { text: `${slug}: command done, ${took}`, tone: 'calm' };
  const tone = event.outcome === 'aborted' ? 'odd' : 'bad';
  return { text: `${slug}: command ${endWords(event)}, ${took}${lastLine(event.tail, screen)}`, tone };
}

function checkEnded(event: CheckEnded, { names, screen }: Telling): Words {
  const run = names.check(event.node, event.check);
  const check = `${names.slug(event.node)}: check ${run ?? event.check + 1}`;
  if (event.reused) return { text: `${check}: green on this very tree, not run again`, tone: 'calm' };
  const took = formatDuration(event.ms);
  if (isGreen(event)) return { text: `${check}: green, ${took}`, tone: 'calm' };
  const tone = event.outcome === 'aborted' ? 'odd' : 'bad';
  const colour = event.outcome === 'aborted' ? '' : 'red, ';
  return { text: `${check}: ${colour}${endWords(event)}, ${took}${lastLine(event.tail, screen)}`, tone };
}

function isGreen(ended: Ended): boolean {
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

/** The last line that says something, after a colon. */
function lastLine(text: string, { ascii }: Pick<Screen, 'ascii'>): string {
  const line = text
    .split(/\r\n|\r|\n/)
    .map((each) => each.trim())
    .findLast((each) => each !== '');
  return line === undefined ? '' : `: ${clip(plain(line, ascii), MAX_TAIL, ascii)}`;
}
