/** The words and signs for where nodes and runs stand: one table, so that every view says the same thing. */

import { isOverCeiling } from '../../contract/ceiling.ts';
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

/** What a signal says of itself: nobody remembers which one is which. */
const SIGNALS: ReadonlyMap<string | null, string> = new Map([
  ['SIGINT', 'SIGINT paused it (Ctrl-C)'],
  ['SIGTERM', 'SIGTERM paused it'],
  ['SIGHUP', 'SIGHUP paused it (terminal closed)'],
]);

/** How the pause of a run begins whose planner came to nothing; what follows are the faults. */
const REFUSED = 'the plan was refused';

const PAUSED: Readonly<Record<PausedWhy, string>> = {
  user: 'a person paused it',
  deadline: 'its time is used up',
  budget: 'its budget is used up',
  moves: 'its flow has made all its moves',
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

/** With the detail where that is what there is to say: then it need not be said again. */
export function pausedWords(why: PausedWhy, detail: string | null = null): string {
  return `paused (${why}): ${saidByDetail(why, detail) ?? PAUSED[why]}`;
}

/** What of the pause's detail its words leave out; null for nothing. */
export function pauseDetail(why: PausedWhy, detail: string | null): string | null {
  return detail === null || detail === '' || saidByDetail(why, detail) !== null ? null : detail;
}

function saidByDetail(why: PausedWhy, detail: string | null): string | null {
  if (why === 'user') return SIGNALS.get(detail) ?? null;
  // Of flows, which say at which step.
  if (why === 'stuck' || why === 'moves') return detail;
  // Not its own budget: that has room.
  if (why === 'budget') return isOverCeiling(detail) ? detail : null;
  if (!isRefusal(why, detail)) return null;
  return firstLine(detail ?? '')
    .replace(REFUSED, `its ${REFUSED.slice(4)}`)
    .replace(/:$/, '');
}

/** Whether it paused because nobody could make a plan. */
export function isRefusal(why: PausedWhy | null, detail: string | null): boolean {
  return why === 'infra' && detail !== null && detail.startsWith(REFUSED);
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
export function statusWords({ status, why, detail }: Pick<RunView, 'status' | 'why' | 'detail'>): string {
  if (status !== 'paused') return STATUS_OF_RUN[status];
  return why === null ? status : pausedWords(why, detail);
}

/** Where the run stands and why, as facts for one line. */
export function runWords(
  view: Pick<RunView, 'status' | 'why' | 'detail'>,
  ascii: boolean,
): readonly string[] {
  const status = plain(statusWords(view), ascii);
  const detail = view.why === null ? view.detail : pauseDetail(view.why, view.detail);
  return detail === null || detail === '' ? [status] : [status, plain(firstLine(detail), ascii)];
}

/** `7 nodes`, then each status that occurs: `3 achieved`. */
export function countWords(view: Pick<RunView, 'counts' | 'nodes'>): readonly string[] {
  const present = STATUSES.filter((status) => view.counts[status] > 0);
  const total = view.nodes.length === 1 ? '1 node' : `${view.nodes.length} nodes`;
  return [total, ...present.map((status) => `${view.counts[status]} ${status}`)];
}
