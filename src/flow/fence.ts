/** The fenced block of a Markdown text that holds a chart. */

import type { FlowLanguage } from '../contract/flow.ts';

export interface ChartBlock {
  readonly language: FlowLanguage;
  /** Lines between the fences. */
  readonly text: string;
  /** 1-based, of the line that opens the block. */
  readonly line: number;
}

/** The first block whose language is one of charts, at any depth of a list; null when there is none that is closed. */
export function firstChart(text: string): ChartBlock | null {
  const lines = text.split(/\r\n|\r|\n/);
  let open: Opening | null = null;
  for (const [at, line] of lines.entries()) {
    if (open === null) {
      open = openingOf(line, at);
      continue;
    }
    if (!closes(line, open)) continue;
    const { language } = open;
    if (language !== null)
      return { language, text: lines.slice(open.at + 1, at).join('\n'), line: open.at + 1 };
    open = null;
  }
  return null;
}

interface Opening {
  readonly at: number;
  /** The sign it is made of, and how many of them. */
  readonly sign: string;
  readonly length: number;
  readonly language: FlowLanguage | null;
}

function openingOf(line: string, at: number): Opening | null {
  const fence = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(line);
  const [, marks = '', info = ''] = fence ?? [];
  if (marks === '') return null;
  const sign = marks.charAt(0);
  // Backticks in what follows make it code within a line.
  if (sign === '`' && info.includes('`')) return null;
  const word = (info.trim().split(/\s/)[0] ?? '').toLowerCase().replace(/^\{(.*)\}$/, '$1');
  return { at, sign, length: marks.length, language: word === 'mermaid' || word === 'd2' ? word : null };
}

/** The same signs, as many at least, and nothing else. */
function closes(line: string, { sign, length }: Opening): boolean {
  const text = line.trim();
  return text.length >= length && text === sign.repeat(text.length);
}
