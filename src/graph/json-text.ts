/** The one JSON object in a text: all of a plan file, or what a model wrapped in prose and fences. */

import { jsonFlaw } from './json-flaw.ts';
import type { PlanSource } from './draft.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export type JsonText =
  | { readonly ok: true; readonly object: JsonObject }
  | {
      readonly ok: false;
      readonly line: number | null;
      /** What stands there. */
      readonly witness: string | null;
      readonly message: string;
    };

export function readJson(text: string, source: PlanSource): JsonText {
  const whole = parsed(text);
  if (isObject(whole)) return { ok: true, object: whole };
  if (source === 'planner') return objectAmong(text);
  if (whole !== undefined) {
    const message = `the plan is ${kindOf(whole)}: ${WANTED}`;
    return { ok: false, line: 1, witness: kindOf(whole), message };
  }
  return flawed(text, 0, text.length);
}

const WANTED = 'give one JSON object, {"objective": "…", "nodes": [ … ]}';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value's kind, for a message. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Undefined when it is no JSON: a value that JSON itself cannot hold. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function flawed(text: string, from: number, to: number): JsonText {
  const flaw = jsonFlaw(text.slice(from, to)) ?? { at: 0, why: 'it is nested too deep' };
  const before = text.slice(0, from + flaw.at).split(/\r\n?|\n/);
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  const witness = text.slice(from + flaw.at, from + flaw.at + 20);
  return {
    ok: false,
    line,
    witness,
    message: `the JSON cannot be read: at line ${line}, column ${column} ${flaw.why}`,
  };
}

/** Characters looked at before we give up on a text full of braces. */
const EFFORT = 4_000_000;

/**
 * The only object with `nodes`, or else the only object. Inside braces that are no JSON (a plan with a slip in it,
 * a plan that was cut off) only an object with `nodes` counts: a node must not pass for the plan.
 */
function objectAmong(text: string): JsonText {
  const plans: Found[] = [];
  const others: Found[] = [];
  const broken: Span[] = [];
  let effort = 0;
  let insideUntil = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at)) {
    const end = matching(text, at);
    effort += (end ?? text.length) - at;
    if (effort > EFFORT) return refused('there are too many braces around the JSON: answer with it alone');
    const object = end === null ? undefined : parsed(text.slice(at, end));
    if (isObject(object) && end !== null) {
      if (Object.hasOwn(object, 'nodes')) plans.push({ at, object });
      else if (at >= insideUntil) others.push({ at, object });
      at = end;
    } else {
      broken.push({ from: at, to: end ?? text.length });
      insideUntil = Math.max(insideUntil, end ?? text.length);
      at += 1;
    }
  }
  return onlyOne(text, plans) ?? brokenPlan(text, broken) ?? onlyOne(text, others) ?? nothingIn(text, broken);
}

interface Found {
  readonly at: number;
  readonly object: JsonObject;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function refused(message: string): JsonText {
  return { ok: false, line: null, witness: null, message };
}

function onlyOne(text: string, found: readonly Found[]): JsonText | null {
  const [first] = found;
  if (!first) return null;
  if (found.length === 1) return { ok: true, object: first.object };
  const lines = found.slice(0, 5).map(({ at }) => text.slice(0, at).split('\n').length);
  return refused(
    `there are ${found.length} JSON objects (at lines ${lines.join(', ')}): answer with exactly one`,
  );
}

function brokenPlan(text: string, broken: readonly Span[]): JsonText | null {
  const span = broken.find(({ from, to }) => text.slice(from, to).includes('"nodes"'));
  return span ? flawed(text, span.from, span.to) : null;
}

function nothingIn(text: string, broken: readonly Span[]): JsonText {
  const [span] = broken;
  return span ? flawed(text, span.from, span.to) : refused(`there is no JSON object: ${WANTED}`);
}

/** Offset after the brace that closes the one at `start`, braces in double quotes aside; null when there is none. */
function matching(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = quoteEnd(text, at);
    else if (char === OBJECT) depth += 1;
    else if (char === OBJECT_END) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

/** The line on which each item of the list `nodes` begins; `text` is JSON. */
export function entryLines(text: string): readonly number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let inside = false;
  let due = false;
  let key = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === LINE_END) line += 1;
    if (char <= BLANK || char === COLON) continue;
    if (inside && depth === 2) {
      if (due && char !== LIST_END) lines.push(line);
      due = char === COMMA;
    }
    if (char === QUOTE) {
      const end = quoteEnd(text, at);
      if (depth === 1) key = text.slice(at + 1, end);
      at = end;
    } else if (char === OBJECT || char === LIST) {
      if (depth === 1 && char === LIST && key === 'nodes') {
        inside = due = true;
        lines.length = 0;
      }
      depth += 1;
    } else if (char === OBJECT_END || char === LIST_END) {
      depth -= 1;
      inside &&= depth > 1;
    }
  }
  return lines;
}

const LINE_END = 0x0a;
const BLANK = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Offset of the quote that closes the one at `start`: the next one after an even number of backslashes. */
function quoteEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
