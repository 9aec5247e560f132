/** The line that is typed, as rows for the end of the screen. The cursor is drawn: the terminal's own one stays hidden. */

import type { Palette } from '../render/screen.ts';
import { plain, width } from '../render/text.ts';

export interface PromptScreen {
  readonly columns: number;
  /** Rows there are for it, at least 1. */
  readonly rows: number;
  readonly ascii: boolean;
  readonly palette: Palette;
}

/** Columns of `> `. */
const PROMPT = 2;

const INVERSE = '\x1b[7m';
const NORMAL = '\x1b[27m';

/** Signs of a line that are looked at around the cursor: no screen has room for more. */
const MOST_SIGNS = 8_192;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Wrapped at the edge; the rows around the cursor where there are too many. */
export function promptRows(line: string, cursor: number, screen: PromptScreen): readonly string[] {
  const { columns, rows, ascii, palette } = screen;
  const from = Math.max(0, cursor - MOST_SIGNS);
  const before = plain(line.slice(from, cursor), ascii);
  const after = plain(line.slice(cursor, cursor + MOST_SIGNS), ascii);
  const signs = [...graphemes.segment(before)].map(({ segment }) => segment);
  const rest = [...graphemes.segment(after)].map(({ segment }) => segment);
  const all = ['>', ' ', ...signs, ...(rest.length === 0 ? [' '] : rest)];
  const at = PROMPT + signs.length;
  const wrapped: string[] = [];
  let row = '';
  let used = 0;
  let cursorRow = 0;
  all.forEach((sign, i) => {
    const cells = width(sign);
    if (used + cells > columns && used > 0) {
      wrapped.push(row);
      row = '';
      used = 0;
    }
    used += cells;
    if (i === at) cursorRow = wrapped.length;
    row += i === at ? INVERSE + sign + NORMAL : i < PROMPT ? palette.cyan(sign) : sign;
  });
  wrapped.push(row);
  const first = Math.max(0, Math.min(cursorRow - Math.floor(rows / 2), wrapped.length - rows));
  return wrapped.slice(first, first + Math.max(1, rows));
}
