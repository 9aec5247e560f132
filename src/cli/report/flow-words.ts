/** A flow in words: how it ended, and what it took. Run data is still hostile here. */

import { never } from '../../contract/never.ts';
import type { FlowView, RunView } from '../../contract/view.ts';
import { counted } from '../render/event-told.ts';
import { pausedWords } from '../render/words.ts';
import { CAPS, cutText } from './caps.ts';
import type { FlowReport } from './flow-report.ts';
import type { Fact } from './tables.ts';

/** Characters of the name of a step, and of a choice, within a sentence. */
const NAME = 100;

/** Also says what the end does not rest on. */
export function flowSentence(view: RunView, flow: FlowView): string {
  const name = `the flow ${cutText(flow.name, NAME)}`;
  switch (view.status) {
    case 'complete':
      return `Complete: ${name} came to its end after ${movesWords(flow)}; nobody verified what came of it.`;
    case 'paused':
      return `Not finished, ${pauseWords(view, flow)}${pickedWords(flow)}.`;
    case 'running':
      return `Not finished: ${name} was running when this was written, ${whereWords(flow)}.`;
    case 'cleared':
      return `Given up by a person, ${whereWords(flow)}.`;
    case 'planning':
    case 'approval':
      return `Not begun: ${name} has made no move.`;
    default:
      return never(view.status);
  }
}

/** What its own pauses say of the step need not be said again. */
function pauseWords({ why, detail }: RunView, flow: FlowView): string {
  if (why === null) return `paused, ${whereWords(flow)}`;
  const words = cutText(pausedWords(why, detail), CAPS.text);
  if (why === 'moves' && detail !== null) return words;
  return why === 'stuck' && detail !== null
    ? `${words}; ${flow.moves}${mostWords(flow)} moves are used`
    : `${words}; ${whereWords(flow)}`;
}

function whereWords({ at, moves, maxMoves }: FlowView): string {
  if (at === null) return moves === 0 ? 'before its first step' : `after ${counted(moves, 'move')}`;
  return `at the step ${cutText(at, NAME)}, in move ${moves}${mostWords({ maxMoves })}`;
}

function mostWords({ maxMoves }: Pick<FlowView, 'maxMoves'>): string {
  return maxMoves === null ? '' : ` of at most ${maxMoves}`;
}

function movesWords({ moves, trail }: FlowView): string {
  const choices = trail.filter(({ by }) => by === 'person').length;
  return counted(moves, 'move') + (choices === 0 ? '' : ` and ${counted(choices, 'choice')} of a person`);
}

function pickedWords({ picked }: FlowView): string {
  return picked === null ? '' : `; a person chose ${cutText(picked, NAME)}, and it goes on with that`;
}

/** What counts at a glance. */
export function flowFacts({ moves, maxMoves, steps, at }: FlowReport): readonly Fact[] {
  const asked = steps.filter(({ kind, reachable }) => reachable && kind !== 'begin' && kind !== 'end');
  return [
    { label: 'moves', value: maxMoves === null ? String(moves) : `${moves} of ${maxMoves}` },
    {
      label: 'steps visited',
      value: `${asked.filter(({ id, visits }) => visits > 0 || id === at).length} of ${asked.length}`,
    },
    { label: 'verified', value: 'nothing' },
  ];
}

/** How it was set up. */
export function flowSetup({ name, maxMoves }: FlowReport): readonly Fact[] {
  return [
    { label: 'flow', value: cutText(name, CAPS.command) },
    { label: 'moves', value: maxMoves === null ? 'without a limit' : `at most ${maxMoves}` },
  ];
}
