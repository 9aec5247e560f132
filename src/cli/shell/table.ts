/** The shell's commands: what is parsed, completed, shown by /help and described in the documents comes from here. */

import { oneLineLabel } from '../../contract/flow.ts';

export type VerbName =
  'status' | 'show' | 'pause' | 'resume' | 'approve' | 'edit' | 'retry' | 'skip' | 'clear' | 'export';

export type CommandName =
  | 'runs'
  | 'flows'
  | 'choose'
  | 'watch'
  | 'log'
  | 'diff'
  | 'model'
  | 'budget'
  | 'doctor'
  | 'report'
  | 'help'
  | 'quit';

/** What may stand after the name. `?` at the end: it may be left out. */
export type Argument = 'none' | 'branch' | 'node' | 'node?' | 'format?' | 'model?' | 'tokens?';

interface Row<Name extends string> {
  readonly name: Name;
  readonly argument: Argument;
  /** Options that it takes, without the dashes. */
  readonly options: readonly string[];
  readonly about: string;
}

const LIMIT_OPTIONS = ['budget', 'max-cost', 'max-time', 'until', 'concurrency'];
const MODEL_OPTIONS = ['model', 'verifier-model', 'base-url', 'sandbox', 'allow-net'];
const AWAY_OPTIONS = ['unattended', 'no-budget', 'notify', 'stall'];
export const FLOW_OPTIONS = [...LIMIT_OPTIONS, ...MODEL_OPTIONS, ...AWAY_OPTIONS, 'skip-look', 'max-moves'];
export const START_OPTIONS = [...LIMIT_OPTIONS, ...MODEL_OPTIONS, ...AWAY_OPTIONS, 'skip-look', 'approve'];
export const GOAL_OPTIONS = [...START_OPTIONS, 'max-ralph-iterations'];

/** Options without a value. */
export const SWITCHES = ['allow-net', 'skip-look', 'approve', 'full', 'unattended', 'no-budget'];

/** After `/graph`, and after `/goal`. */
export const VERBS: readonly Row<VerbName>[] = [
  { name: 'status', argument: 'none', options: [], about: 'where the run stands, node by node' },
  { name: 'show', argument: 'none', options: ['full'], about: 'the plan as a drawn graph' },
  {
    name: 'pause',
    argument: 'none',
    options: [],
    about: 'end what is in flight, and start nothing after it',
  },
  {
    name: 'resume',
    argument: 'none',
    options: [...LIMIT_OPTIONS, ...MODEL_OPTIONS, ...AWAY_OPTIONS, 'max-moves'],
    about: 'go on; limits are added to what is left',
  },
  { name: 'approve', argument: 'none', options: [], about: 'say yes to the plan that waits, and run it' },
  {
    name: 'edit',
    argument: 'node',
    options: ['spec-file', 'run-command', 'check'],
    about: 'change a node that has not ended well',
  },
  { name: 'retry', argument: 'node', options: [], about: 'run a failed or blocked node again' },
  { name: 'skip', argument: 'node', options: [], about: 'go on as if a node were achieved' },
  { name: 'clear', argument: 'none', options: [], about: 'give the run up; its records are kept' },
  { name: 'export', argument: 'format?', options: [], about: 'the run as mermaid, json or dot' },
];

export const COMMANDS: readonly Row<CommandName>[] = [
  { name: 'runs', argument: 'none', options: [], about: "the workspace's runs, newest first" },
  { name: 'flows', argument: 'none', options: [], about: 'the skills that are installed, flows among them' },
  {
    name: 'choose',
    argument: 'branch',
    options: [],
    about: "take this branch at the flow's decision",
  },
  {
    name: 'watch',
    argument: 'node?',
    options: [],
    about: 'what workers write, as it comes; again to stop',
  },
  { name: 'log', argument: 'node', options: ['full'], about: 'what a node did, with its output' },
  { name: 'diff', argument: 'node?', options: [], about: 'what models have changed' },
  { name: 'model', argument: 'model?', options: [], about: 'which model; or another one, from here on' },
  { name: 'budget', argument: 'tokens?', options: [], about: 'what is spent and left; or what new runs get' },
  { name: 'doctor', argument: 'none', options: [], about: 'what holds on this machine' },
  { name: 'report', argument: 'none', options: [], about: 'write the report, and say where' },
  { name: 'help', argument: 'none', options: [], about: 'this list' },
  { name: 'quit', argument: 'none', options: [], about: 'leave; a run that is going is paused first' },
];

export const FORMATS = ['mermaid', 'json', 'dot'] as const;

const ARGUMENT: Readonly<Record<Argument, string>> = {
  none: '',
  branch: ' BRANCH',
  node: ' NODE',
  'node?': ' [NODE]',
  'format?': ` [${FORMATS.join('|')}]`,
  'model?': ' [PRESET/MODEL]',
  'tokens?': ' [TOKENS]',
};

/** What completion knows of a skill. */
export interface NamedSkill {
  readonly name: string;
  readonly isFlow: boolean;
}

/** What is typed, and what it does. */
export interface HelpRow {
  readonly typed: string;
  readonly about: string;
}

export function helpRows(): readonly HelpRow[] {
  const verbs = VERBS.map(({ name, argument, about }) => ({
    typed: `/graph ${name}${ARGUMENT[argument]}`,
    about,
  }));
  const commands = COMMANDS.map(({ name, argument, about }) => ({
    typed: `/${name}${ARGUMENT[argument]}`,
    about,
  }));
  return [
    { typed: '/graph OBJECTIVE', about: 'plan it, work it off, verify it: --budget 2m --model PRESET/MODEL' },
    { typed: '/goal OBJECTIVE', about: 'the same with one goal; /goal takes the words of /graph, too' },
    {
      typed: '/flow:NAME [TEXT]',
      about: 'follow the chart of a skill; /flow takes the words of /graph, too',
    },
    { typed: '/skill:NAME [TEXT]', about: 'a goal by the instructions of a skill' },
    ...verbs,
    ...commands,
  ];
}

/** What stands there to be named. */
export interface Names {
  /** Slugs of the run that is there. */
  readonly nodes: readonly string[];
  readonly skills: readonly NamedSkill[];
  /** Those of the decision where its flow stands. */
  readonly branches: readonly string[];
}

/** What Tab offers. */
export function completions(line: string, names: Names): readonly string[] {
  // A branch may be of several words.
  if (/^\/choose\s/.test(line)) return choices(names.branches).filter((whole) => whole.startsWith(line));
  const [, head = '', last = ''] = /^(.*\s|)(\S*)$/s.exec(line) ?? [];
  const words = head.split(/\s+/).filter((word) => word !== '');
  return candidates(words, last, names)
    .filter((candidate) => candidate.startsWith(last))
    .map((candidate) => head + candidate);
}

function choices(branches: readonly string[]): readonly string[] {
  return branches.map((branch) => {
    const label = oneLineLabel(branch);
    const isPlain = !/(?:^|\s)(?:["']|--)/.test(label);
    return `/choose ${isPlain ? label : `"${label.replace(/["\\]/g, '\\$&')}"`}`;
  });
}

function candidates(words: readonly string[], last: string, { nodes, skills }: Names): readonly string[] {
  const [first, second] = words;
  if (first === undefined) {
    const named = skills.flatMap(({ name, isFlow }) => [
      ...(isFlow ? [`/flow:${name}`] : []),
      `/skill:${name}`,
    ]);
    return ['/graph', '/goal', ...COMMANDS.map(({ name }) => `/${name}`), ...named];
  }
  if (/^\/(?:flow|skill):/.test(first)) return last.startsWith('-') ? dashed(FLOW_OPTIONS) : [];
  const isRun = first === '/graph' || first === '/goal' || first === '/flow';
  const row = isRun
    ? VERBS.find(({ name }) => name === second)
    : COMMANDS.find(({ name }) => `/${name}` === first);
  const starting = first === '/goal' ? GOAL_OPTIONS : START_OPTIONS;
  if (last.startsWith('-')) return dashed(row?.options ?? (isRun ? starting : []));
  if (isRun && second === undefined) return VERBS.map(({ name }) => name);
  if (words.length > (isRun ? 2 : 1)) return [];
  if (row?.argument === 'format?') return FORMATS;
  return row?.argument === 'node' || row?.argument === 'node?' ? nodes : [];
}

function dashed(options: readonly string[]): readonly string[] {
  return options.map((name) => `--${name}`);
}
