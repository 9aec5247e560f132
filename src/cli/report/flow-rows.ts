/** The steps of a flow and its moves, as rows and texts for both notations. Run data is still hostile here. */

import { formatDuration } from '../../contract/amount.ts';
import { never } from '../../contract/never.ts';
import { CAPS, cutText, type Some } from './caps.ts';
import type { FlowExitReport, FlowReport, FlowStepReport, MoveReport } from './flow-report.ts';
import type { NodeReport } from './node-report.ts';
import { stamp, type Column } from './tables.ts';

/** Characters of the name of a step. */
const NAME = 100;

/** What came of a move: a word for the eye, and what was said or chosen. */
export interface MoveTold {
  readonly tone: 'good' | 'warn' | 'bad' | 'calm';
  readonly word: string;
  readonly text: string;
}

const CHOSE = 'chose';

/** `waits`: it is a choice that is taken once the run goes on. */
export function moveTold({ by, outcome, choice, detail, led }: MoveReport, waits: boolean): MoveTold {
  const said = cutText(choice ?? '', CAPS.choice);
  const why = cutText(detail ?? '', CAPS.choice);
  if (by === 'person') {
    if (led) return { tone: 'good', word: CHOSE, text: said };
    const what = waits ? 'taken when it goes on' : 'replaced before it was taken';
    return { tone: 'calm', word: CHOSE, text: `${said} (${what})` };
  }
  switch (outcome) {
    case 'said':
      if (detail !== null) {
        return { tone: 'warn', word: 'came to nothing', text: said === '' ? why : `${why}: ${said}` };
      }
      return choice === null
        ? { tone: 'good', word: 'done', text: '' }
        : { tone: 'good', word: CHOSE, text: said };
    case 'short':
      return { tone: 'warn', word: 'not brought to an end', text: why };
    case 'failed':
      return { tone: 'bad', word: 'no usable answer', text: why };
    default:
      return never(outcome);
  }
}

export interface MoveRow {
  readonly move: MoveReport;
  readonly told: MoveTold;
}

/** The last ones, for they say how it stands. */
export function moveRows({ trail, picked }: FlowReport): Some<MoveRow> {
  const shown = trail.slice(-CAPS.moves);
  const rows = shown.map((move, i) => ({
    move,
    told: moveTold(move, picked !== null && i === shown.length - 1),
  }));
  return { shown: rows, more: trail.length - shown.length };
}

export const MOVE_COLUMNS: readonly Column<MoveRow>[] = [
  { head: 'step', kind: 'text', cell: ({ move }) => cutText(move.step, NAME) },
  { head: 'what came of it', kind: 'text', cell: ({ told }) => moveWords(told) },
  { head: 'who', kind: 'text', cell: ({ move }) => move.by },
  { head: 'ended', kind: 'text', cell: ({ move }) => stamp(move.at) },
  { head: 'took', kind: 'number', cell: ({ move: { ms } }) => (ms === null ? '' : formatDuration(ms)) },
];

function moveWords({ word, text }: MoveTold): string {
  if (text === '') return word;
  return word === CHOSE ? `${word} ${text}` : `${word}: ${text}`;
}

/** A person's choice has no number. */
export function moveName({ move: { by, move } }: MoveRow): string {
  return by === 'person' ? '–' : String(move);
}

export const BEFORE = ' before these: goalgraph report --json holds them all';

/** What the trail rests on, and what it leaves out. */
export function trailNotes({ trail }: FlowReport, nodes: readonly NodeReport[]): readonly string[] {
  const numbers = trail.flatMap(({ by, move }) => (by === 'person' ? [] : [move]));
  const isGap = numbers.some((move, i) => move !== (numbers[i - 1] ?? 0) + 1);
  const patches = nodes.flatMap(({ goal }) => goal?.patch ?? []);
  return [
    'A move is one question to the agent, with all that it did until it answered. That a step is done is what the agent says: nobody verified it.',
    ...(isGap ? ['A move whose number is missing was cut short by the choice of a person.'] : []),
    ...patches.map((patch) => `Work that was cut is kept as patch ${patch}`),
  ];
}

/** When not all are shown, those that it came to are; in their order all the same. */
export function someSteps({ steps, at }: FlowReport): Some<FlowStepReport> {
  const rank = ({ id, visits }: FlowStepReport): number => (id === at ? 0 : visits > 0 ? 1 : 2);
  return foremost(steps, CAPS.steps, rank);
}

export function someExits({ exits }: FlowStepReport): Some<FlowExitReport> {
  return foremost(exits, CAPS.exits, ({ taken }) => (taken > 0 ? 0 : 1));
}

function foremost<T>(all: readonly T[], most: number, rank: (one: T) => number): Some<T> {
  if (all.length <= most) return { shown: all, more: 0 };
  const kept = new Set(all.toSorted((a, b) => rank(a) - rank(b)).slice(0, most));
  return { shown: all.filter((one) => kept.has(one)), more: all.length - most };
}

/** Of an arrow the text, its target, and how often it was taken. */
export function exitWords({ to, label, back, taken }: FlowExitReport): string {
  const word = label === null ? '' : `${cutText(label, CAPS.choice)} `;
  const often = taken === 0 ? '' : ` (${taken}×)`;
  return `${word}${back ? BACK : '→'} ${cutText(to, NAME)}${often}`;
}

/** Whether its label is more than its name. */
export function saysMore({ id, label }: Pick<FlowStepReport, 'id' | 'label'>): boolean {
  return label.trim().toLowerCase() !== id.trim().toLowerCase();
}

/** The sign of an arrow that leads back. */
export const BACK = '↺';

/** What the drawing leaves out; null for nothing. */
export function unreachableWords({ steps }: FlowReport): string | null {
  const none = steps.filter(({ reachable }) => !reachable).length;
  if (none === 0) return null;
  return none === 1
    ? 'No way leads to one of its steps: it is not drawn.'
    : `No way leads to ${none} of its steps: they are not drawn.`;
}

export interface StepMark {
  /** Class of its colours. */
  readonly look: string;
  readonly glyph: string;
  readonly words: string;
}

/** Where the flow stands, where it has been, and what it has not come to. */
export function stepMark(
  { id, visits }: FlowStepReport,
  { at }: Pick<FlowReport, 'at'>,
  isResting: boolean,
): StepMark {
  if (id === at) return isResting ? MARKS.rests : MARKS.here;
  return visits > 0 ? MARKS.done : MARKS.open;
}

const MARKS = {
  here: { look: 's-running', glyph: '►', words: 'it is here' },
  rests: { look: 's-parked', glyph: '►', words: 'it stands here' },
  done: { look: 's-achieved', glyph: '✓', words: 'done' },
  open: { look: 's-waiting', glyph: '·', words: 'not reached' },
} as const;
