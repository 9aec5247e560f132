/** What stands under an event in the log of a node: texts of models, as text, indented, cut unless all is asked for. */

import type { RunEvent } from '../../contract/event.ts';
import type { AssistantMessage, Message } from '../../contract/model.ts';
import type { Report } from '../../contract/tool.ts';
import { clip, plain } from './text.ts';

export interface LogScreen {
  /** Everything, instead of first lines. */
  readonly full: boolean;
  readonly ascii: boolean;
}

const INDENT = '    ';

/** Lines of what was asked, and of what a turn said. */
const ASKED = 6;
const SAID = 10;

/** Columns of a line. */
const MOST_COLUMNS = 200;

/** What the event itself holds beyond its line; empty for most. */
export function goalDetail(event: RunEvent, screen: LogScreen): readonly string[] {
  const texts = (parts: readonly string[]): readonly string[] =>
    parts.flatMap((part) => cut(part, { ...screen, most: screen.full ? Infinity : SAID }));
  switch (event.type) {
    case 'brief.ended': {
      const { criteria = [], nonGoals = [] } = event.brief ?? {};
      return texts([
        ...criteria.map(({ text, gating }) => `${gating ? 'gating' : 'evidence'}: ${text}`),
        ...nonGoals.map((text) => `not its business: ${text}`),
      ]);
    }
    case 'round.ended':
      return event.report === null ? [] : texts(reportParts(event.report));
    case 'vote.ended':
      return texts([
        ...event.gaps.map((gap) => `gap: ${gap}`),
        ...(event.why === '' ? [] : [`why: ${event.why}`]),
        ...(event.injection === null ? [] : [`injection: ${event.injection}`]),
      ]);
    case 'plan.refused':
      return texts(event.faults.map((fault) => `fault: ${fault}`));
    case 'strategy.ended':
      return texts(event.suggestion === null ? [] : [event.suggestion]);
    default:
      return [];
  }
}

function reportParts({ summary, evidence, discovered }: Report): readonly string[] {
  return [
    ...(summary === '' ? [] : [summary]),
    ...evidence.map((text) => `evidence: ${text}`),
    ...discovered.map((text) => `discovered: ${text}`),
  ];
}

/** What was asked: the end of it is what is new. System prompts and tool results are shown in full only. */
export function askedLines(messages: readonly Message[], screen: LogScreen): readonly string[] {
  if (screen.full) return messages.flatMap((message) => fullLines(message, screen));
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ text }) => cut(text, { ...screen, most: ASKED }));
}

/** What a turn said. Its calls are named by the event; their arguments and the thinking are shown in full only. */
export function saidLines(messages: readonly Message[], screen: LogScreen): readonly string[] {
  if (screen.full) return messages.flatMap((message) => fullLines(message, screen));
  return messages.flatMap(({ text }) => cut(text, { ...screen, most: SAID }));
}

/** The results of tools have a line each in the event; their texts are shown in full only. */
export function resultLines(messages: readonly Message[], screen: LogScreen): readonly string[] {
  return screen.full ? messages.flatMap((message) => fullLines(message, screen)) : [];
}

function fullLines(message: Message, screen: LogScreen): readonly string[] {
  const all = { ...screen, most: Infinity };
  const head = `${INDENT}[${message.role}]`;
  const thought = message.role === 'assistant' ? thoughts(message) : [];
  const calls = message.role === 'assistant' ? message.calls : [];
  return [
    head,
    ...thought.flatMap((text) => cut(text, all)),
    ...cut(message.text, all),
    ...calls.flatMap(({ name, args }) => cut(`${name} ${args}`, all)),
  ];
}

function thoughts({ reasoning }: AssistantMessage): readonly string[] {
  return reasoning === null || reasoning === '' ? [] : [`(thinking) ${reasoning}`];
}

interface Cut extends LogScreen {
  /** Lines. */
  readonly most: number;
}

/** Indented lines; where some are left out, the last one says how many. */
function cut(text: string, { full, ascii, most }: Cut): readonly string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const lines = trimmed.split(/\r\n|\r|\n/);
  const shown = lines.slice(0, most).map((line) => {
    const safe = plain(line, ascii).trimEnd();
    return `${INDENT}${full ? safe : clip(safe, MOST_COLUMNS, ascii)}`.trimEnd();
  });
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `${INDENT}(${more} more lines: --full)`] : shown;
}
