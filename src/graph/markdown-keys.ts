/** The keys right under a heading, and the lines that look as if they were meant to be keys. */

import { closesFence, fenceOf, type MarkdownText, type Section } from './markdown-text.ts';
import { editDistance } from './nearest.ts';

export type PlanKey = 'check' | 'check(once)' | 'workspace' | 'budget';
export type NodeKey =
  'deps' | 'scope' | 'check' | 'check(once)' | 'run' | 'timeout' | 'retries' | 'on-cut' | 'frozen' | 'budget';

export const PLAN_KEYS: readonly PlanKey[] = ['check', 'check(once)', 'workspace', 'budget'];
export const NODE_KEYS: readonly NodeKey[] = [
  'deps',
  'scope',
  'check',
  'check(once)',
  'run',
  'timeout',
  'retries',
  'on-cut',
  'frozen',
  'budget',
];

export interface KeyLine<K> {
  readonly key: K;
  /** What stands on the line after the colon, trimmed. */
  readonly value: string;
  /** The fenced block that follows, when the line itself has no value and the key takes a command. */
  readonly block: string | null;
  readonly line: number;
}

export interface KeyBlock<K> {
  readonly keys: readonly KeyLine<K>[];
  /** Index of the first line that is no key: the text begins here. */
  readonly rest: number;
}

export function readKeys<K extends string>(
  text: MarkdownText,
  section: Section,
  known: readonly K[],
): KeyBlock<K> {
  const keys: KeyLine<K>[] = [];
  let at = section.from;
  while (at < section.to) {
    const written = text.lines[at] ?? '';
    const colon = written.indexOf(':');
    const key = known.find((name) => name.length === colon && written.startsWith(name));
    if (key === undefined) break;
    const value = written.slice(colon + 1).trim();
    const line = at + 1;
    at += 1;
    const fenced = value === '' && takesCommand(key) ? blockAt(text, section, at) : null;
    keys.push({ key, value, block: fenced?.content ?? null, line });
    at = fenced?.next ?? at;
  }
  return { keys, rest: at };
}

function takesCommand(key: string): boolean {
  return key === 'run' || key === 'check' || key === 'check(once)';
}

/** The content of the fenced block that opens on this line, without the fence's own indent. */
function blockAt(
  text: MarkdownText,
  section: Section,
  at: number,
): { readonly content: string; readonly next: number } | null {
  const fence = at < section.to ? fenceOf(text.lines[at] ?? '') : null;
  if (!fence) return null;
  const indent = new RegExp(`^ {0,${fence.indent}}`);
  const content: string[] = [];
  for (let next = at + 1; next < section.to; next++) {
    const line = text.lines[next] ?? '';
    if (closesFence(line, fence)) return { content: content.join('\n'), next: next + 1 };
    content.push(line.replace(indent, ''));
  }
  return { content: content.join('\n'), next: section.to };
}

/** The content of a code span of any backtick length that is all of `value`; null when it is anything else. */
export function codeSpan(value: string): string | null {
  let ticks = 0;
  while (value[ticks] === '`') ticks += 1;
  if (ticks === 0 || value.length <= 2 * ticks || !value.endsWith('`'.repeat(ticks))) return null;
  const inner = value.slice(ticks, -ticks);
  if (inner.includes('`')) {
    const closesEarly = (inner.match(/`+/g) ?? []).some((run) => run.length === ticks);
    if (closesEarly || inner.endsWith('`')) return null;
  }
  // As Markdown has it: one blank on either side is there to keep backticks apart.
  const padded = inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== '';
  return padded ? inner.slice(1, -1) : inner;
}

/** A value that may, but need not, be a code span. */
export function plainValue(value: string): string {
  return codeSpan(value) ?? value;
}

/** Cut at commas, but not inside `{a,b}` or a code span. */
export function listItems(value: string): readonly string[] {
  const parts = /[`{]/.test(value) ? cutOutside(value) : value.split(',');
  return parts.map((text) => plainValue(text.trim())).filter((text) => text !== '');
}

function cutOutside(value: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let code = false;
  for (let at = 0; at < value.length; at++) {
    const char = value[at];
    if (char === '`') code = !code;
    else if (code) continue;
    else if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    else if (char === ',' && depth <= 0) {
      parts.push(value.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, value.slice(start)];
}

/** A line of free text that starts like a key. */
export interface Stray {
  readonly line: number;
  /** As it stands there. */
  readonly written: string;
  readonly key: PlanKey | NodeKey;
  /** It is spelt right, but stands where keys are not read. */
  readonly exact: boolean;
}

const LIKE_A_KEY = /^([\s>*+_-]*)([A-Za-z][A-Za-z_ -]*(?:\([A-Za-z ]*\))?)[\s*_]*:/;
const LONGEST = 40;

export type StrayFinder = (section: Section, rest: number) => readonly Stray[];

/**
 * Finds lines of the text under a heading that a reader would take for keys: well-spelt ones anywhere, misspelt ones
 * in the first paragraph. Silence here would drop a dependency or a check.
 */
export function strayFinder(text: MarkdownText): StrayFinder {
  // Thousands of nodes begin their lines with the same few words.
  const known = new Map<string, ReturnType<typeof meantKey>>();
  const meant = (name: string) => {
    let key = known.get(name);
    if (key === undefined) known.set(name, (key = meantKey(name)));
    return key;
  };
  return (section, rest) => {
    const strays: Stray[] = [];
    let paragraph = 0;
    let blank = true;
    for (let at = rest; at < section.to; at++) {
      const line = text.lines[at] ?? '';
      const wasBlank = blank;
      blank = line.trim() === '';
      if (wasBlank && !blank) paragraph += 1;
      const colon = line.indexOf(':');
      if (colon < 0 || colon > LONGEST || text.opaque[at] === 1) continue;
      const match = LIKE_A_KEY.exec(line.slice(0, colon + 1));
      if (!match) continue;
      const [written = '', before = '', name = ''] = match;
      const key = meant(name);
      if (key === null) continue;
      const exact = before === '' && written === `${key}:`;
      if (exact || paragraph === 1) strays.push({ line: at + 1, written, key, exact });
    }
    return strays;
  };
}

/** What people and models write for our keys. */
const ALIASES: ReadonlyMap<string, NodeKey> = new Map([
  ['depends', 'deps'],
  ['depends on', 'deps'],
  ['dependson', 'deps'],
  ['dependencies', 'deps'],
  ['needs', 'deps'],
  ['after', 'deps'],
  ['command', 'run'],
  ['cmd', 'run'],
  ['test', 'check'],
  ['tests', 'check'],
  ['verify', 'check'],
  ['retry', 'retries'],
]);

/** The key that a name is, is another word for, or is a slip of. */
export function meantKey(name: string): PlanKey | NodeKey | null {
  const folded = name
    .trim()
    .toLowerCase()
    .replace(/ *\( */, '(')
    .replace(/ *\)/, ')');
  const spaced = folded.replaceAll(/[-_ ]+/g, ' ');
  const alias = ALIASES.get(spaced);
  if (alias !== undefined) return alias;
  let best: PlanKey | NodeKey | null = null;
  let least = Infinity;
  for (const key of ALL_KEYS) {
    const distance = editDistance(spaced, key.replace('-', ' '), key.length <= 4 ? 1 : 2);
    if (distance === null || distance >= least) continue;
    best = key;
    least = distance;
  }
  return best;
}

const ALL_KEYS: readonly (PlanKey | NodeKey)[] = [...NODE_KEYS, 'workspace'];
