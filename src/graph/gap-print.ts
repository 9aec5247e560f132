/** Tells whether a verification failed for the same reason as the one before, however it was worded in detail. */

import type { Gap } from '../contract/goal.ts';
import { fnv64 } from '../contract/ids.ts';

/** Characters of one gap that are looked at, lines that count, and characters of one line: outputs can be long. */
const MOST_TEXT = 65_536;
const MOST_LINES = 400;
const LONGEST_LINE = 200;

/**
 * Equal for gaps that say the same but for numbers, times, hashes, line numbers, temporary folders, letter case,
 * blanks, the order of their lines and what is said twice. 16 hex digits; empty when there is no gap, which is no
 * reason and must not be taken for the same one.
 */
export function gapPrint(gaps: readonly Gap[]): string {
  const lines = new Set(gaps.flatMap(({ text }) => plainLines(text)));
  if (lines.size === 0) return '';
  return fnv64([...lines].sort().slice(0, MOST_LINES).join('\n'));
}

function plainLines(text: string): readonly string[] {
  return text
    .slice(0, MOST_TEXT)
    .split(/\r\n?|\n/)
    .map(plain)
    .filter((line) => line !== '');
}

function plain(line: string): string {
  return line
    .slice(0, 4 * LONGEST_LINE)
    .toLowerCase()
    .replace(TEMPORARY, '/tmp/#')
    .replace(HASH, '#')
    .replace(NUMBER, '#')
    .replace(DURATION, '#')
    .replace(/(?:#[\s:,/-]*)+#/g, '#')
    .replace(/:#/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s*•>-]+|[\s.!]+$/g, '')
    .slice(0, LONGEST_LINE);
}

/** The folder a tool made for this one time. */
const TEMPORARY = /\/(?:var\/)?tmp\/[^\s/'"`:]+/g;
/** Ids and hashes: long, and with a digit among the letters, so that no word is one. */
const HASH = /\b(?:0x[\da-f]+|(?=[a-f]*\d)[\da-f]{7,}(?:-[\da-f]{4,})*)\b/g;
const NUMBER = /\d+(?:[.,:]\d+)*/g;
/** `12ms` and `1.2 s` are both a time. */
const DURATION = /#\s?(?:ms|µs|us|ns|secs?|seconds?|mins?|minutes?|hours?|hrs?|s|m|h)\b/g;
