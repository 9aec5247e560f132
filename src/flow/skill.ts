/**
 * A skill: instructions for a kind of task, in a Markdown file with front matter. One of the type `flow` holds a chart that
 * directs the agent; if nobody could follow that chart, the skill is one of instructions only, and says why.
 */

import { parseDocument } from 'yaml';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { Flow } from '../contract/flow.ts';
import { firstChart, type ChartBlock } from './fence.ts';
import { parseFlow } from './parse-flow.ts';

export interface Skill {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** Without the front matter. */
  readonly body: string;
  /** Null for instructions only. */
  readonly flow: Flow | null;
  /** The chart as it was drawn, whether or not it can be followed; null for a skill of another type, or without one. */
  readonly chart: ChartBlock | null;
  /** Why a chart that there should be is not followed; null when it is, or there should be none. */
  readonly flaw: SkillFlaw | null;
}

export interface SkillFlaw {
  /** 1-based, of the file. */
  readonly line: number;
  readonly column: number | null;
  readonly message: string;
}

/** `otherwise`: the name of a skill that does not say its own. A flaw here means that it cannot be used at all. */
export function parseSkill(text: string, otherwise: string): Result<Skill, SkillFlaw> {
  const source = text.replace(/^\ufeff/, '');
  const matter = frontMatter(source);
  const read = matter === null ? ok(NOTHING_SAID) : readMatter(matter);
  if (!read.ok) return read;
  const { name, description, type } = read.value;
  const told = {
    name: name ?? otherwise,
    description: oneLine(description ?? firstLine(source, matter)),
    body: bodyOf(source, matter),
  };
  if (type === 'standard') return ok({ ...told, flow: null, chart: null, flaw: null });
  return ok({ ...told, ...followed(source) });
}

/** A file with front matter is meant for a skill: plan files have none. */
export function hasFrontMatter(text: string): boolean {
  return frontMatter(text.replace(/^\ufeff/, '')) !== null;
}

function followed(text: string): Pick<Skill, 'flow' | 'chart' | 'flaw'> {
  const chart = firstChart(text);
  if (chart === null) return { flow: null, chart, flaw: { line: 1, column: null, message: NO_CHART } };
  const flow = parseFlow(chart.language, chart.text);
  if (flow.ok) return { flow: flow.value, chart, flaw: null };
  const { fault } = flow;
  const { line, column, message } = fault;
  return { flow: null, chart, flaw: { line: chart.line + (line ?? 0), column, message } };
}

const NO_CHART =
  'It says type: flow, and holds no chart: draw one in a block that begins with ```mermaid or ```d2 and is closed.';

interface Matter {
  readonly text: string;
  /** 1-based line on which the text begins. */
  readonly line: number;
  /** Lines up to the closing delimiter, that included. */
  readonly end: number;
}

/** Between a first line and a later one of three dashes; null when it is not closed. */
function frontMatter(text: string): Matter | null {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines[0]?.trim() !== '---') return null;
  const end = lines.findIndex((line, i) => i > 0 && line.trim() === '---');
  return end < 0 ? null : { text: lines.slice(1, end).join('\n'), line: 2, end: end + 1 };
}

interface Said {
  readonly name: string | null;
  readonly description: string | null;
  readonly type: 'standard' | 'flow';
}

const NOTHING_SAID: Said = { name: null, description: null, type: 'standard' };

/** Front matter is a few lines; the parser takes its time for many keys, and its stack for deep ones. */
const MOST_MATTER = 8 * 1024;
const MOST_BRACKETS = 200;
const DEEP = /^\s*(?:[-?]\s+){10}/m;

function isTooMuch({ text }: Matter): boolean {
  return text.length > MOST_MATTER || (text.match(/[[{]/g) ?? []).length > MOST_BRACKETS || DEEP.test(text);
}

function readMatter(matter: Matter): Result<Said, SkillFlaw> {
  if (isTooMuch(matter)) {
    const message = `Its front matter is longer than ${MOST_MATTER} characters, or nested too deeply. Keep to name, description and type.`;
    return fail({ line: matter.line, column: null, message });
  }
  // As the files are written that are about: there `no` is false.
  const document = parseDocument(matter.text, { version: '1.1', merge: false });
  const [broken] = document.errors;
  if (broken) {
    const line = matter.line + (broken.linePos?.[0].line ?? 1) - 1;
    // The line in its words counts from elsewhere.
    const words = (broken.message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
    const column = broken.linePos?.[0].col ?? null;
    return fail({ line, column, message: `Its front matter is no YAML: ${words}` });
  }
  const value: unknown = toJs(document);
  if (value === null) return ok(NOTHING_SAID);
  if (!isRecord(value)) {
    return fail({
      line: matter.line,
      column: null,
      message: 'Its front matter is no list of keys, like name: my-skill.',
    });
  }
  const [name, description] = [textOf(value['name']), textOf(value['description'])];
  const type = value['type'] || 'standard';
  if (name === false || description === false) {
    const key = name === false ? 'name' : 'description';
    return fail({
      line: matter.line,
      column: null,
      message: `Its ${key} must be text. Put quotes around it.`,
    });
  }
  if (type !== 'standard' && type !== 'flow') {
    return fail({
      line: matter.line,
      column: null,
      message: 'Its type must be standard or flow, in lower case.',
    });
  }
  return ok({ name, description, type });
}

function toJs(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    // Aliases without end.
    return false;
  }
}

/** Null when nothing is said; false when it is no text. */
function textOf(value: unknown): string | null | false {
  if (!value) return null;
  return typeof value === 'string' ? value : false;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Characters of a description that is taken from the text. */
const LONGEST_LINE = 240;

function bodyOf(text: string, matter: Matter | null): string {
  return text
    .split(/\r\n|\r|\n/)
    .slice(matter?.end ?? 0)
    .join('\n')
    .trim();
}

function firstLine(text: string, matter: Matter | null): string {
  const lines = text.split(/\r\n|\r|\n/).slice(matter?.end ?? 0);
  const line = lines.map((each) => each.trim()).find((each) => each !== '' && each !== '---');
  if (line === undefined) return 'No description provided.';
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/g, ' ');
}
