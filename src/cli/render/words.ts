/** The words and signs for where nodes and runs stand: one table, so that every view says the same thing. */

import type { BlockedWhy, FailedWhy, NodeStatus, PausedWhy, RunStatus } from '../../contract/status.ts';
import type { NodeView, RunView } from '../../contract/view.ts';
import type { Palette, Screen } from './screen.ts';
import { firstLine, plain } from './text.ts';

type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'magenta' | 'dim';

interface StatusWords {
  /** One column wide in every terminal; so no emoji. */
  readonly glyph: string;
  readonly ascii: string;
  readonly colour: Colour;
}

const STATUS: Readonly<Record<NodeStatus, StatusWords>> = {
  achieved: { glyph: '✓', ascii: '+', colour: 'green' },
  running: { glyph: '►', ascii: '>', colour: 'cyan' },
  verifying: { glyph: '◇', ascii: '?', colour: 'cyan' },
  parked: { glyph: '◷', ascii: '~', colour: 'yellow' },
  ready: { glyph: '○', ascii: 'o', colour: 'dim' },
  waiting: { glyph: '·', ascii: '.', colour: 'dim' },
  failed: { glyph: '✗', ascii: '!', colour: 'red' },
  blocked: { glyph: '⊘', ascii: '-', colour: 'red' },
  held: { glyph: '‖', ascii: '=', colour: 'yellow' },
  skipped: { glyph: '»', ascii: '/', colour: 'magenta' },
};

/** In the order in which counts and legends name them. */
export const STATUSES: readonly NodeStatus[] = [
  'achieved',
  'running',
  'verifying',
  'parked',
  'ready',
  'waiting',
  'failed',
  'blocked',
  'held',
  'skipped',
];

export function glyphOf(status: NodeStatus, screen: Pick<Screen, 'ascii'>): string {
  return screen.ascii ? STATUS[status].ascii : STATUS[status].glyph;
}

/** Colours a text as the status is coloured everywhere. */
export function paintStatus(status: NodeStatus, palette: Palette): (text: string) => string {
  return palette[STATUS[status].colour];
}

/** A yes or no of one of the three records: executed, claimed, verified. */
export function mark(yes: boolean, screen: Pick<Screen, 'ascii'>): string {
  if (yes) return glyphOf('achieved', screen);
  return screen.ascii ? '-' : '–';
}

/** Between facts on one line. */
export function dot(screen: Pick<Screen, 'ascii'>): string {
  return screen.ascii ? ' | ' : ' · ';
}

const PAUSED: Readonly<Record<PausedWhy, string>> = {
  user: 'a person paused it',
  deadline: 'its time is used up',
  budget: 'its budget is used up',
  provider: 'the provider refuses, or cannot be reached',
  infra: 'something outside of it stopped it',
  stuck: 'nothing left that can run',
};

const FAILED: Readonly<Record<FailedWhy, string>> = {
  exit: 'its command failed',
  check_red: 'a check is red',
  timeout: 'it took too long',
  no_progress: 'it got no further',
  cap: 'it used up its rounds or its verifications',
  turns: 'its turns failed, one after the other',
};

const BLOCKED: Readonly<Record<BlockedWhy, string>> = {
  cut: 'its command was cut and must not run again by itself',
  infra: 'the machine or the provider could not do it',
  claimed: 'its worker says that it cannot be done',
  unverifiable: 'nobody can verify it',
};

const STATUS_OF_RUN: Readonly<Record<Exclude<RunStatus, 'paused'>, string>> = {
  planning: 'planning',
  approval: 'approval: its plan waits for a yes',
  running: 'running',
  complete: 'complete',
  cleared: 'cleared',
};

export function pausedWords(why: PausedWhy): string {
  return `paused (${why}): ${PAUSED[why]}`;
}

export function failedWords(why: FailedWhy): string {
  return `failed (${why}): ${FAILED[why]}`;
}

export function blockedWords(why: BlockedWhy): string {
  return `blocked (${why}): ${BLOCKED[why]}`;
}

/** Where a node stands and why, in one line; the reason often begins with the status already. */
export function nodeWords({ status, reason }: Pick<NodeView, 'status' | 'reason'>, ascii: boolean): string {
  const why = plain(reason ?? '', ascii).trim();
  if (why === '') return status;
  return why.startsWith(status) ? why : `${status}: ${why}`;
}

/** Where the run stands. */
export function statusWords({ status, why }: Pick<RunView, 'status' | 'why'>): string {
  if (status !== 'paused') return STATUS_OF_RUN[status];
  return why === null ? status : pausedWords(why);
}

/** Where the run stands and why, as facts for one line. */
export function runWords(
  view: Pick<RunView, 'status' | 'why' | 'detail'>,
  ascii: boolean,
): readonly string[] {
  const status = statusWords(view);
  if (view.detail === null || view.detail === '') return [status];
  const first = firstLine(view.detail);
  // What has more lines, the faults of a plan, says so with a colon.
  const detail = first === view.detail.trim() ? first : first.replace(/:$/, '');
  return [status, plain(detail, ascii)];
}

/** `7 nodes`, then each status that occurs: `3 achieved`. */
export function countWords(view: Pick<RunView, 'counts' | 'nodes'>): readonly string[] {
  const present = STATUSES.filter((status) => view.counts[status] > 0);
  const total = view.nodes.length === 1 ? '1 node' : `${view.nodes.length} nodes`;
  return [total, ...present.map((status) => `${view.counts[status]} ${status}`)];
}
