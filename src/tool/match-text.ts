/** Where the text that an edit wants to replace stands in a file: exactly, else but for blanks. */

/** Half-open, in characters of the file. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Found extends Span {
  /** What to put there: as asked, or fitted to how the file is indented and ends its lines. */
  readonly text: string;
}

export function findExact(text: string, wanted: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    spans.push({ from: at, to: at + wanted.length });
  }
  return spans;
}

/** Whole lines that are the same when blanks at their ends are dropped and those inside are one. */
export function findTolerant(text: string, wanted: string, replacement: string): readonly Found[] {
  const lines = cutLines(text);
  const want = wanted.replace(/\r?\n$/, '').split('\n');
  const plainWant = want.map(plain);
  if (plainWant.every((line) => line === '')) return [];
  const plainLines = lines.map(({ text: line }) => plain(line));
  const found: Found[] = [];
  for (let at = 0; at + want.length <= lines.length; at++) {
    if (!plainWant.every((line, i) => line === plainLines[at + i])) continue;
    const first = lines[at];
    const last = lines[at + want.length - 1];
    if (first === undefined || last === undefined) continue;
    const here = lines.slice(at, at + want.length).map(({ text: line }) => line);
    found.push({ from: first.from, to: last.to, text: fit(replacement.replace(/\r?\n$/, ''), want, here) });
    at += want.length - 1;
  }
  return found;
}

/** Lines break as they do in the file; a file of both kinds is left to whoever edits it. */
export function withLineEndsOf(text: string, replacement: string): string {
  const crlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  return crlf ? replacement.replaceAll(/\r?\n/g, '\r\n') : replacement;
}

/** Numbers of lines, from 1, whose beginning is that of the wanted text: where to look when nothing matches. */
export function linesAlike(text: string, wanted: string): readonly number[] {
  const first = wanted
    .split('\n')
    .map(plain)
    .find((line) => line !== '');
  if (first === undefined) return [];
  return cutLines(text).flatMap(({ text: line }, i) => (plain(line) === first ? [i + 1] : []));
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

interface Line extends Span {
  readonly text: string;
}

/** `to` stands before the line break, and before the carriage return that belongs to it. */
function cutLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from);
    const stop = end < 0 ? text.length : end;
    const to = text[stop - 1] === '\r' && stop > from ? stop - 1 : stop;
    lines.push({ from, to, text: text.slice(from, to) });
    from = stop + 1;
  }
  return lines;
}

function plain(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim();
}

/** Gives the replacement the indentation of the file where the wanted text had another one. */
function fit(replacement: string, want: readonly string[], here: readonly string[]): string {
  const at = want.findIndex((line) => line.trim() !== '');
  const had = indent(want[at] ?? '');
  const has = indent(here[at] ?? '');
  if (had === has) return replacement;
  return replacement
    .split('\n')
    .map((line) => (line.trim() !== '' && line.startsWith(had) ? has + line.slice(had.length) : line))
    .join('\n');
}

function indent(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
