/** Text of a run as Markdown that shows it and nothing else: no markup of its own, no link, no HTML. */

import { plain } from '../render/text.ts';

/** One line of text among other text. */
export function prose(text: string): string {
  return (
    plain(text)
      .trim()
      .replace(/[\\`*_[\]<>|~&$]/g, '\\$&')
      // What would be made a link without being marked as one.
      .replace(/:\/\//g, ':\\//')
      .replace(/\bwww(?=\.)/gi, '$&\\')
      .replace(/^([-=#]|\+(?=\s|$)|\d+(?=[.)](?:\s|$)))/, (sign) =>
        /^\d/.test(sign) ? `${sign}\\` : `\\${sign}`,
      )
  );
}

/** One line of text as it is: commands, names, addresses. `table`: in a cell, where a bar ends it, code or not. */
export function code(text: string, table = false): string {
  const line = plain(text).trim();
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  const room = /^`|`$/.test(line) ? ' ' : '';
  const span = `${fence}${room}${line}${room}${fence}`;
  // A backslash before a bar would escape the one that escapes the bar.
  return table ? span.replace(/(\\*)\|/g, '$1$1\\|') : span;
}

/** A block of lines as they are. */
export function fenced(lines: readonly string[], indent = ''): readonly string[] {
  const safe = lines.map((line) => plain(line).trimEnd());
  const fence = '`'.repeat(Math.max(3, ...safe.map((line) => longestRun(line) + 1)));
  return [`${fence}text`, ...safe, fence].map((line) => `${indent}${line}`.trimEnd());
}

function longestRun(line: string): number {
  return Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
}

/** Rows of cells that are Markdown already. */
export function tableLines(
  heads: readonly { readonly head: string; readonly right: boolean }[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(heads.map(({ head }) => head)),
    line(heads.map(({ right }) => (right ? '--:' : '---'))),
    ...rows.map(line),
  ];
}

export function moreLine(more: number, words: string): readonly string[] {
  return more === 0 ? [] : ['', `and ${more} more${words}`];
}
