/** Text of files, as tools read, cut and show it. */

import { isUtf8 } from 'node:buffer';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { ToolFault } from '../contract/tool.ts';
import { shown } from './path-text.ts';

/** The text, byte order mark and line ends as they are. */
export function textOf(bytes: Buffer, path: string): Result<string, ToolFault> {
  if (bytes.includes(0) || !isUtf8(bytes)) {
    return fail({
      code: 'binary',
      message: `${shown(path)} is not UTF-8 text. Use bash with a program that knows its format.`,
    });
  }
  return ok(bytes.toString('utf8'));
}

/** Lines without their ends; a line break at the end of the text does not begin another line. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const LONGEST_LINE = 2_000;

/** One line, for a model: bounded, without the half of a character at its end. */
export function shortLine(line: string, max = LONGEST_LINE): string {
  if (line.length <= max) return line;
  const head = line.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  return `${head}… [${line.length - head.length} more characters in this line]`;
}

export function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
