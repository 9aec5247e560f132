/** What the files that put events into words share: what they are told, and what they tell. */

import { FINAL_NODE, type NodeId } from '../../contract/ids.ts';
import type { RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import { clip, plain } from './text.ts';

/** What a line needs to know besides the event. */
export interface EventNames {
  readonly slug: (node: NodeId) => string;
  /** The command of a node's check; null when it is not known. */
  readonly check: (node: NodeId, check: number) => string | null;
  /** Skeptics of one verification of the node; null when it is not known. */
  readonly panel: (node: NodeId) => number | null;
  /** Whether a model works on the node. */
  readonly byModel: (node: NodeId) => boolean;
}

export interface EventScreen extends Omit<Screen, 'now'> {
  /** The time of day of a moment; UTC when left out. */
  readonly time?: (at: number) => string;
}

export type Tone = 'good' | 'bad' | 'odd' | 'calm' | 'run';

/** One line. Its text is still as hostile as what it tells of. */
export interface Told {
  readonly text: string;
  readonly tone: Tone;
}

export interface Telling {
  readonly names: EventNames;
  readonly screen: EventScreen;
}

/** A tail's last line, a summary or a gap may be a whole file in one line. */
const MAX_TAIL = 200;

/** Milliseconds that a date can hold; its text has more digits long before. */
const MOST_TIME = 8e15;

/** Names from a view. A plan and an edit make new checks: take them anew from the view after it. */
export function namesOf(view: Pick<RunView, 'nodes' | 'models'>): EventNames {
  const panel = view.models?.panel ?? null;
  const nodes = new Map(view.nodes.map((node) => [node.id, node]));
  return {
    slug: (id) => nodes.get(id)?.slug ?? id,
    check: (id, check) => nodes.get(id)?.checks[check]?.run ?? null,
    panel: (id) => panel && (id === FINAL_NODE ? panel.final : panel.node),
    byModel: (id) => Boolean(nodes.get(id)?.goal),
  };
}

/** Times may come from a provider or a model: one that is none must not throw. */
export function utcTime(at: number): string {
  if (!(Math.abs(at) < MOST_TIME)) return '?';
  return new Date(at).toISOString().split('T')[1]?.slice(0, 8) ?? '?';
}

/** The time of day of a moment, as the screen shows it. */
export function timeAt({ time = utcTime }: EventScreen, at: number): string {
  return time(at);
}

/** The last line that says something, after a colon. */
export function lastLine(text: string, { ascii }: Pick<Screen, 'ascii'>): string {
  return after(
    lines(text).findLast((each) => each !== ''),
    ascii,
  );
}

/**
 * What went wrong, of all that a command printed, after a colon: the first line that looks like it, else the last that
 * says anything. Many end in statistics.
 */
export function errorLine(text: string, { ascii }: Pick<Screen, 'ascii'>): string {
  const said = lines(text).filter((line) => line !== '');
  return after(said.find((line) => ERROR.test(line.replace(NO_ERROR, ''))) ?? said.at(-1), ascii);
}

const ERROR = /error|fail|not ok|assert|expected|exception/i;

/** `0 failures`, `# fail 0`, `errors: 0`, and the like. */
const NO_ERROR =
  /\b(?:0|no) (?:\w+ )?(?:fail(?:ed|ures?|s|ing)?|errors?|exceptions?)\b|\b(?:fail(?:ed|ures?|s|ing)?|errors?|exceptions?)[:=]? *0\b/gi;

/** The first line that says something, after a colon; of a text with more lines also what went wrong in these. */
export function summed(text: string, screen: Pick<Screen, 'ascii'>): string {
  const said = lines(text).filter((line) => line !== '');
  const rest = said.slice(1).join('\n');
  return topLine(text, screen) + (rest === '' ? '' : errorLine(rest, screen));
}

/** The first line that says something, after a colon. */
export function topLine(text: string | null, { ascii }: Pick<Screen, 'ascii'>): string {
  return after(
    lines(text ?? '').find((each) => each !== ''),
    ascii,
  );
}

function lines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).map((each) => each.trim());
}

function after(line: string | undefined, ascii: boolean): string {
  return line === undefined ? '' : `: ${clip(plain(line, ascii), MAX_TAIL, ascii)}`;
}

/** `1 node`, `2 nodes`. */
export function counted(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`;
}
