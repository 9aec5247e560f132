/** How a run ended, in one sentence, and what a person can do about it. */

import picocolors from 'picocolors';
import { FINAL_NODE } from '../../contract/ids.ts';
import { never } from '../../contract/never.ts';
import type { NodeView, RunView } from '../../contract/view.ts';
import { checkOwners } from '../render/check-owners.ts';
import { helpLines } from '../render/end-help.ts';
import { counted } from '../render/event-told.ts';
import { hasPlan } from '../render/header.ts';
import type { Screen } from '../render/screen.ts';
import { pausedWords } from '../render/words.ts';
import { some } from './caps.ts';
import { flowSentence } from './flow-words.ts';

/** A command to copy, or a line about a node that the commands after it are for. */
export type NextStep =
  | { readonly type: 'command'; readonly command: string; readonly does: string }
  | { readonly type: 'about'; readonly text: string };

const NAMED = 8;

export function outcomeSentence(view: RunView): string {
  if (view.flow !== null) return flowSentence(view, view.flow);
  const { counts, nodes } = view;
  const achieved = `${counts.achieved} of ${counted(nodes.length, 'node')} achieved`;
  switch (view.status) {
    case 'complete':
      return completeSentence(view);
    case 'paused': {
      const words = view.why === null ? 'paused' : pausedWords(view.why, view.detail);
      return hasPlan(view)
        ? `Not finished, ${words}; ${achieved}.`
        : `Not finished, ${words}; it has no plan.`;
    }
    case 'approval':
      return `Not begun: its plan of ${counted(nodes.length, 'node')} waits for a yes.`;
    case 'planning':
      return 'Not begun: a model is writing its plan.';
    case 'running':
      return `Not finished: it was running when this was written; ${achieved}.`;
    case 'cleared':
      return `Given up by a person; ${achieved}.`;
    default:
      return never(view.status);
  }
}

/** Also says what the end does not rest on. */
function completeSentence({ counts, nodes }: RunView): string {
  const skipped = nodes.filter(({ status }) => status === 'skipped');
  const unverified = nodes.filter(({ status, verified }) => status === 'achieved' && !verified);
  const final = nodes.find(({ id }) => id === FINAL_NODE);
  return [
    skipped.length === 0
      ? `Complete: all ${counted(nodes.length, 'node')} achieved`
      : `Complete: ${counts.achieved} of ${counted(nodes.length, 'node')} achieved`,
    ...(final?.verified === true ? ['the objective as a whole was verified at the end'] : []),
    ...(skipped.length > 0 ? [`skipped by a person: ${slugs(skipped)}`] : []),
    ...(unverified.length > 0 ? [`without a check, so not verified: ${slugs(unverified)}`] : []),
  ]
    .join('; ')
    .concat('.');
}

function slugs(nodes: readonly NodeView[]): string {
  const { shown, more } = some(nodes, NAMED);
  return shown.map(({ slug }) => slug).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The very lines that the screen shows, taken apart. */
export function nextSteps(view: RunView): readonly NextStep[] {
  if (view.status === 'complete') {
    return view.models === null ? [] : [command('goalgraph diff', 'see what was changed')];
  }
  if (view.status === 'running' || view.status === 'planning') {
    return [command('goalgraph status', 'see how it stands')];
  }
  return helpLines(view, checkOwners(view), BARE)
    .filter((line) => line !== '')
    .map((line) => {
      const [, words = '', does = ''] = COMMAND_LINE.exec(line) ?? [];
      return words === '' ? { type: 'about', text: line.trim() } : command(words, does);
    });
}

/** Parted at the last gap: what is chosen may hold one, what a command does has none. */
const COMMAND_LINE = /^ {4}(\S.*?) {2,}(\S+(?: \S+)*)$/;

function command(words: string, does: string): NextStep {
  return { type: 'command', command: words, does };
}

const BARE: Screen = { columns: Infinity, now: 0, palette: picocolors.createColors(false), ascii: false };
