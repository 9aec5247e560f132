/** A terminal small enough to be sure of: what the painter writes, and how a window takes a new size. */

import stringWidth from 'string-width';

interface Row {
  cells: string[];
  /** True when the text goes on in the next row because it did not fit. */
  wrapped: boolean;
}

export interface Terminal {
  readonly write: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly columns: () => number;
  readonly rows: () => number;
  /** Scrollback and screen up to the last row that is not empty, wrapped rows joined. */
  readonly text: () => readonly string[];
  /** The rows that can be seen now. */
  readonly visible: () => readonly string[];
  readonly cursorShown: () => boolean;
  /** Row on the visible screen and column. */
  readonly cursor: () => { readonly row: number; readonly x: number };
}

const TOKEN = /\x1b\[([?\d;]*)([A-Za-z])|[\s\S]/gu;

export function terminal(size: {
  readonly columns: number;
  readonly rows: number;
  readonly reflows: boolean;
}): Terminal {
  let { columns, rows } = size;
  let buffer: Row[] = [emptyRow()];
  let top = 0;
  let at = { row: 0, x: 0 };
  let pending = false;
  let wraps = true;
  let shown = true;

  const rowAt = (row: number): Row => {
    while (buffer.length <= row) buffer.push(emptyRow());
    return buffer[row] ?? emptyRow();
  };
  const scroll = (): void => {
    rowAt(at.row);
    top = Math.max(top, at.row - rows + 1);
  };
  const lineFeed = (): void => {
    at = { row: at.row + 1, x: at.x };
    scroll();
  };
  const print = (sign: string): void => {
    const cells = Math.max(1, stringWidth(sign));
    if (pending || at.x + cells > columns) {
      if (wraps) {
        rowAt(at.row).wrapped = true;
        at = { row: at.row + 1, x: 0 };
        scroll();
      } else {
        at = { row: at.row, x: columns - cells };
      }
    }
    const row = rowAt(at.row);
    while (row.cells.length < at.x) row.cells.push(' ');
    row.cells.splice(at.x, cells, sign, ...Array.from({ length: cells - 1 }, () => ''));
    pending = at.x + cells >= columns;
    at = { row: at.row, x: Math.min(columns - 1, at.x + cells) };
  };
  const control = (parameter: string, letter: string): void => {
    const here = rowAt(at.row);
    // Colours leave a wrap that is due as it is; moving and clearing call it off.
    if ('AGHKJ'.includes(letter)) pending = false;
    if (letter === 'A') at = { row: Math.max(top, at.row - Number(parameter || '1')), x: at.x };
    else if (letter === 'G') at = { row: at.row, x: Math.min(columns, Number(parameter || '1')) - 1 };
    else if (letter === 'K' || letter === 'J') {
      here.cells.length = Math.min(here.cells.length, at.x);
      here.wrapped = false;
      if (letter === 'J') buffer = buffer.slice(0, at.row + 1);
    } else if (parameter === '?7') wraps = letter === 'h';
    else if (letter === 'H') at = { row: top, x: 0 };
    else if (parameter === '?25') shown = letter === 'h';
    // Whether pastes are marked is nothing that is seen.
    else if (parameter === '?2004') return;
    else if (letter !== 'm') throw new Error(`not known to this terminal: ESC[${parameter}${letter}`);
  };
  const reflow = (): void => {
    const before = buffer.slice(0, at.row).filter((row) => !row.wrapped).length;
    const lines = joined(buffer);
    const parts = lines.map((line) => cut(line, columns));
    buffer = parts.flat();
    at = { row: parts.slice(0, before).flat().length, x: at.x };
  };

  return {
    write: (text) => {
      for (const [token, parameter, letter] of text.matchAll(TOKEN)) {
        if (letter !== undefined) control(parameter ?? '', letter);
        else if (token === '\r') {
          at = { row: at.row, x: 0 };
          pending = false;
        } else if (token === '\n') lineFeed();
        else if (/\p{Cc}/u.test(token)) throw new Error(`a stray control: ${JSON.stringify(token)}`);
        else print(token);
      }
    },
    resize: (toColumns, toRows) => {
      columns = toColumns;
      rows = toRows;
      if (size.reflows) reflow();
      else for (const row of buffer) row.cells.length = Math.min(row.cells.length, columns);
      // What there is room for again comes back, as it does in the terminals that wrap anew.
      top = Math.min(top, at.row, size.reflows ? Math.max(0, buffer.length - rows) : top);
      top = Math.max(top, at.row - rows + 1);
    },
    columns: () => columns,
    rows: () => rows,
    text: () => trimmed(joined(buffer)),
    visible: () => buffer.slice(top, top + rows).map((row) => row.cells.join('').trimEnd()),
    cursorShown: () => shown,
    cursor: () => ({ row: at.row - top, x: at.x }),
  };
}

function emptyRow(): Row {
  return { cells: [], wrapped: false };
}

function joined(buffer: readonly Row[]): string[] {
  const lines: string[] = [];
  let line = '';
  for (const row of buffer) {
    line += row.cells.join('');
    if (row.wrapped) continue;
    lines.push(line.trimEnd());
    line = '';
  }
  return line === '' ? lines : [...lines, line.trimEnd()];
}

function cut(line: string, columns: number): Row[] {
  const result: Row[] = [emptyRow()];
  for (const sign of line) {
    const cells = Math.max(1, stringWidth(sign));
    const last = result.at(-1) ?? emptyRow();
    if (last.cells.length + cells > columns) {
      last.wrapped = true;
      result.push({ cells: [sign, ...Array.from({ length: cells - 1 }, () => '')], wrapped: false });
    } else {
      last.cells.push(sign, ...Array.from({ length: cells - 1 }, () => ''));
    }
  }
  return result;
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
