/** What a line asks for. A near miss of a keyword is a fault that says what is right; it never becomes an objective. */

import { nearest } from './near.ts';
import {
  COMMANDS,
  FLOW_OPTIONS,
  GOAL_OPTIONS,
  START_OPTIONS,
  SWITCHES,
  VERBS,
  type Argument,
  type CommandName,
  type VerbName,
} from './table.ts';
import { wordsOf, type Word } from './words.ts';

export type Line =
  | { readonly type: 'empty' }
  /** Not a command. */
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'start';
      readonly single: boolean;
      readonly objective: string;
      readonly options: readonly string[];
    }
  /** `/flow:NAME` and `/skill:NAME`: `text` is what stands after it. */
  | {
      readonly type: 'flow' | 'skill';
      readonly name: string;
      readonly text: string;
      readonly options: readonly string[];
    }
  | {
      readonly type: 'verb';
      readonly verb: VerbName;
      readonly argument: string | null;
      readonly options: readonly string[];
    }
  | {
      readonly type: 'command';
      readonly command: CommandName;
      readonly argument: string | null;
      readonly options: readonly string[];
    }
  | { readonly type: 'fault'; readonly message: string };

/** Longer lines are refused: an objective has at most 20,000 characters, and details belong into a file. */
export const MAX_LINE = 32_768;

export function parseLine(line: string): Line {
  const flaw = lineFlaw(line);
  if (flaw !== null) return fault(flaw);
  const text = line.trim();
  if (text === '') return { type: 'empty' };
  if (!text.startsWith('/')) return { type: 'text', text };
  const [head, ...rest] = wordsOf(text);
  const name = head?.text.slice(1) ?? '';
  if (name === 'flow:' || name === 'skill:' || name === 'skill') return fault(NAME_FORM);
  if (name === 'graph' || name === 'goal' || name === 'flow') return parseRun(name, rest);
  const skill = /^(flow|skill):(.+)$/s.exec(name);
  if (skill) return parseSkill(skill[1] === 'flow' ? 'flow' : 'skill', skill[2] ?? '', rest);
  const row = COMMANDS.find((command) => command.name === name);
  if (!row) return fault(unknown(name));
  const parted = part(rest, { options: row.options, typed: `/${name}` });
  if (typeof parted === 'string') return fault(parted);
  const words = row.argument === 'branch' ? joined(parted.words) : parted.words.map((word) => word.text);
  const wrong = misfit(row.argument, words.length, `/${name}`);
  if (wrong !== null) return fault(wrong);
  return { type: 'command', command: row.name, argument: words[0] ?? null, options: parted.options };
}

/** Null when it can be read at all. Of bytes that are no UTF-8 the decoder leaves this sign. */
export function lineFlaw(line: string): string | null {
  if (line.length > MAX_LINE) {
    return `The line has more than ${MAX_LINE} characters. Put the details into a file of the workspace and name it.`;
  }
  if (line.includes('\ufffd')) return 'The line holds bytes that are not UTF-8, so nothing was done.';
  return null;
}

/** A branch may be of several words. */
function joined(words: readonly Word[]): readonly string[] {
  const text = words.map((word) => word.text).join(' ');
  return text === '' ? [] : [text];
}

function parseSkill(type: 'flow' | 'skill', name: string, words: readonly Word[]): Line {
  const parted = part(words, { options: FLOW_OPTIONS, typed: `/${type}:${name}` });
  if (typeof parted === 'string') return fault(parted);
  const text = parted.words.map((word) => word.text).join(' ');
  return { type, name, text, options: parted.options };
}

function parseRun(name: 'graph' | 'goal' | 'flow', words: readonly Word[]): Line {
  const [first, ...rest] = words;
  if (name === 'flow' && !VERBS.some((row) => row.name === first?.text)) return fault(FLOW_FORM);
  if (!first) return fault(`Say what is to be reached: /${name} "Add CSV export, with tests". Or see /help.`);
  const verb = first.quoted ? undefined : VERBS.find((row) => row.name === first.text);
  if (verb) {
    const typed = `/${name} ${verb.name}`;
    const parted = part(rest, { options: verb.options, typed });
    if (typeof parted === 'string') return fault(parted);
    const given = parted.words.map((word) => word.text);
    const wrong = misfit(verb.argument, given.length, typed);
    if (wrong !== null) {
      const more = given.length > 0 ? ` If it is an objective, quote it: /${name} "${verb.name} …"` : '';
      return fault(wrong + more);
    }
    return { type: 'verb', verb: verb.name, argument: given[0] ?? null, options: parted.options };
  }
  const options = name === 'goal' ? GOAL_OPTIONS : START_OPTIONS;
  const parted = part(words, { options, typed: `/${name}` });
  if (typeof parted === 'string') return fault(parted);
  const missed = parted.literal ? null : nearMiss(parted.words);
  if (missed !== null) {
    return fault(`Did you mean /${name} ${missed}? Type it, or quote the objective.`);
  }
  const objective = parted.words.map((word) => word.text).join(' ');
  return { type: 'start', single: name === 'goal', objective, options: parted.options };
}

const NAME_FORM = 'Name it behind a colon: /flow:NAME [TEXT] or /skill:NAME [TEXT]. /flows lists them.';

const FLOW_FORM =
  'Name the flow with a colon: /flow:NAME [TEXT]. /flows lists them; /flow status, show, pause, resume and so on steer one.';

/** The verb that was probably meant by so few words. */
function nearMiss(words: readonly Word[]): string | null {
  const [first] = words;
  if (!first || first.quoted) return null;
  const meant = nearest(
    first.text,
    VERBS.map(({ name }) => name),
  );
  const takes = VERBS.find(({ name }) => name === meant)?.argument === 'none' ? 1 : 2;
  return meant !== null && words.length <= takes ? meant : null;
}

interface Parted {
  readonly words: readonly Word[];
  readonly options: readonly string[];
  /** True when `--` says that what follows is meant as it stands. */
  readonly literal: boolean;
}

/** Options apart from words. What begins with two dashes is an option or a fault: never silently a part of the text. */
function part(
  words: readonly Word[],
  { options, typed }: { readonly options: readonly string[]; readonly typed: string },
): Parted | string {
  const kept: Word[] = [];
  const found: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (!word) break;
    if (word.quoted || !word.text.startsWith('--')) kept.push(word);
    else if (word.text === '--')
      return { words: [...kept, ...words.slice(i + 1)], options: found, literal: true };
    else {
      const [name = '', value] = word.text.slice(2).split(/=(.*)/s, 2);
      if (!options.includes(name)) return unknownOption(name, { options, typed });
      found.push(word.text);
      if (value !== undefined || SWITCHES.includes(name)) continue;
      const next = words[++i];
      if (!next) return `--${name} of ${typed} wants a value.`;
      found.push(next.text);
    }
  }
  return { words: kept, options: found, literal: false };
}

function unknownOption(
  name: string,
  { options, typed }: { readonly options: readonly string[]; readonly typed: string },
): string {
  const meant = nearest(name, options);
  const hint = meant === null ? '' : ` Did you mean --${meant}?`;
  return `${typed} has no option --${name}.${hint} If it belongs to a text, quote that, or write -- before it.`;
}

function misfit(argument: Argument, count: number, typed: string): string | null {
  if (argument === 'none') return count === 0 ? null : `${typed} takes no words after it.`;
  if (count > 1) return `${typed} takes one word after it.`;
  if (argument === 'branch' && count === 0) return `Name the branch: ${typed} BRANCH.`;
  return argument === 'node' && count === 0 ? `Name the node: ${typed} NODE.` : null;
}

function unknown(name: string): string {
  const command = nearest(name, ['graph', 'goal', 'flow', ...COMMANDS.map((row) => row.name)]);
  const verb = nearest(
    name,
    VERBS.map((row) => row.name),
  );
  const meant = command ?? (verb === null ? null : `graph ${verb}`);
  return `There is no /${name}.${meant === null ? '' : ` Did you mean /${meant}?`} /help lists what there is.`;
}

function fault(message: string): Line {
  return { type: 'fault', message };
}
