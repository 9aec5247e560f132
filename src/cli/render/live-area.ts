/**
 * Paints the live area: the last lines of the terminal, rewritten in place, with permanent lines put in above them.
 * It writes through the function it is given and nothing else, each change in one piece, so that nothing flickers.
 *
 * The cursor rests at the left of the line under the area. Lines of the area never wrap: wrapping is off while they
 * are written, since a terminal may take a character for wider than we do, and a wrapped line would break the count.
 */

import { width } from './text.ts';

export interface AreaTerminal {
  readonly write: (text: string) => void;
  /** Asked anew at each change: the window may have been resized. */
  readonly columns: () => number;
  readonly rows: () => number;
  /** True when a narrower window wraps what is on the screen (most do), false when it cuts it off (xterm, screen). */
  readonly reflows: boolean;
}

export interface LiveArea {
  /** Shows these lines in place of the last ones: at most `rows - 1`, with colours but no other controls. */
  readonly paint: (lines: readonly string[]) => void;
  /** Prints a line that stays, above the area. */
  readonly above: (line: string) => void;
  /** Takes the area away and gives the cursor back. */
  readonly clear: () => void;
}

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const WRAP_OFF = '\x1b[?7l';
const WRAP_ON = '\x1b[?7h';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

export function liveArea(terminal: AreaTerminal): LiveArea {
  let lines: readonly string[] = [];
  let columnsThen = 0;
  let hidden = false;

  const upToArea = (): string => {
    const columns = terminal.columns();
    const count = (line: string): number =>
      terminal.reflows ? rowsOf(line, { then: columnsThen, now: columns }) : 1;
    const rows = lines.reduce((sum, line) => sum + count(line), 0);
    return rows === 0 ? '\r' : `\r\x1b[${rows}A`;
  };

  const area = (next: readonly string[]): string => {
    lines = next.slice(0, Math.max(0, terminal.rows() - 1));
    columnsThen = terminal.columns();
    const body = lines.map((line) => `${CLEAR_LINE}${line}\r\n`).join('');
    const cursor = hidden ? '' : HIDE_CURSOR;
    hidden = true;
    return `${cursor}${WRAP_OFF}${body}${WRAP_ON}${CLEAR_BELOW}`;
  };

  return {
    paint: (next) => {
      terminal.write(upToArea() + area(next));
    },
    above: (line) => {
      const kept = `${line.split('\n').join('\r\n')}\r\n`;
      // Cleared first: a long line leaves odd cells at the edges of its rows, and they would show what was there.
      terminal.write(hidden ? upToArea() + CLEAR_BELOW + kept + area(lines) : kept);
    },
    clear: () => {
      if (!hidden) return;
      terminal.write(upToArea() + CLEAR_BELOW + SHOW_CURSOR);
      lines = [];
      hidden = false;
    },
  };
}

const COLOURS = /\x1b\[[\d;]*m/g;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Rows that a line painted on a screen of `then` columns takes once the screen has `now`. */
function rowsOf(line: string, columns: { readonly then: number; readonly now: number }): number {
  const { then, now } = columns;
  if (now >= then || now < 2) return 1;
  let rows = 1;
  let at = 0;
  let painted = 0;
  for (const { segment } of graphemes.segment(line.replace(COLOURS, ''))) {
    const cells = width(segment);
    painted += cells;
    if (painted > then) break;
    if (at + cells > now) {
      rows += 1;
      at = 0;
    }
    at += cells;
  }
  return rows;
}
