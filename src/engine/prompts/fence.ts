/**
 * Puts text that nobody vouches for into a prompt: bounded, with nothing in it that is not seen, and inside a fence
 * that it cannot close.
 */

import { visible } from '../../os/tail.ts';

export interface FenceOptions {
  /** Characters that are shown at most. */
  readonly max: number;
  /** Of these, the share that comes from the end of the text when it is too long; a half if not given. */
  readonly tail?: number;
}

/**
 * A line that says what follows, then the text between two lines of backticks, more of them than stand together
 * anywhere in it. `label` is ours: never text from outside.
 */
export function fenced(label: string, text: string, options: FenceOptions): string {
  const { shown: cut, note } = bounded(text, options);
  // A fence should not be longer than what it holds.
  const shown = cut.replace(/`{41,}/g, (run) => `[${run.length} backticks in a row]`);
  if (shown.trim() === '') return `${label}: (empty)`;
  const fence = '`'.repeat(longestRun(shown) + 1);
  return `${label}${note}:\n${fence}text\n${shown}\n${fence}`;
}

/** A name or a single line from outside, in the middle of our own text. */
export function inline(text: string, max = 200): string {
  const shown = JSON.stringify(seen(text.slice(0, max + 1)));
  return text.length > max ? `${shown.slice(0, max)}…"` : shown;
}

/** Each as an item, on one line of its own; the rest is counted. */
export function bullets(items: readonly string[], most: { items: number; each: number }): string {
  const lines = items.slice(0, most.items).map((item) => `- ${clipped(item, most.each)}`);
  const rest = items.length - lines.length;
  return [...lines, ...(rest > 0 ? [`- … and ${rest} more that are not listed`] : [])].join('\n');
}

function clipped(item: string, max: number): string {
  const line = seen(item.slice(0, max + 1)).replace(/\s*\n\s*/g, ' / ');
  return item.length > max ? `${whole(line.slice(0, max))}… (cut)` : line;
}

function bounded(text: string, { max, tail = 0.5 }: FenceOptions): { shown: string; note: string } {
  // No character becomes less than itself, so the rest of a long text need not be looked at.
  const isLong = text.length > 2 * max;
  const first = seen(isLong ? whole(text.slice(0, max)) : text);
  if (!isLong && first.length <= max) return { shown: first.replace(/\n+$/, ''), note: '' };
  const end = Math.floor(max * tail);
  const last = isLong ? seen(text.slice(-max)) : first;
  const head = whole(first.slice(0, max - end));
  const foot = end === 0 ? '' : last.slice(-end).replace(/^[\udc00-\udfff]/, '');
  const cut = `[… cut here: the text has ${text.length} characters, its middle is not shown …]`;
  return {
    shown: `${head}\n${cut}\n${foot}`.replace(/\n+$/, ''),
    note: ` (too long: ${head.length} characters from its start and ${foot.length} from its end)`,
  };
}

/** Without the half of a character at its end. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

function seen(text: string): string {
  return visible(text).replace(UNSEEN, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return `\\u${code.length > 4 ? `{${code}}` : code.padStart(4, '0')}`;
  });
}

/** What hides text from people but not from models: blanks without width, other line ends, tags, lone surrogates. */
const UNSEEN = /[\u200b\u200e\u200f\u2028\u2029\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

function longestRun(text: string): number {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
