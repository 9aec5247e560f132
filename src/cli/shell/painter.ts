/** Paints the live area and the line under it as one block, and prints what stays above it. */

import type { Output } from '../output.ts';
import { liveArea } from '../render/live-area.ts';
import { promptRows } from './prompt.ts';

/** Milliseconds between paintings while something moves by itself. */
const TICK = 500;

/** Milliseconds in which changes are gathered into one painting. */
const GATHER = 30;

/** To the upper left, and all below. */
const WIPE = '\x1b[1;1H\x1b[J';

export interface Typing {
  readonly line: () => string;
  readonly cursor: () => number;
}

export type Live = ((rows: number) => readonly string[]) | null;

export interface Painter {
  readonly paint: () => void;
  /** Within so many milliseconds; with the next changes in one. */
  readonly soon: (delay?: number) => void;
  readonly print: (text: string) => void;
  readonly live: (live: Live) => void;
  /** Clears the whole screen. */
  readonly wipe: () => void;
  /** Takes the block away, until it is painted again. */
  readonly hide: () => void;
  readonly stop: () => void;
}

export function makePainter(output: Output, typing: Typing): Painter {
  const area = liveArea(output);
  let live: Live = null;
  let shown = '';
  let due: NodeJS.Timeout | null = null;
  let stopped = false;

  const paint = () => {
    if (due) clearTimeout(due);
    due = null;
    if (stopped) return;
    const lines = block(output, typing, live);
    const now = `${output.columns()} ${output.rows()}\n${lines.join('\n')}`;
    if (now !== shown) area.paint(lines);
    shown = now;
  };
  const soon = (delay = GATHER) => {
    due ??= setTimeout(paint, delay);
  };
  const hide = () => {
    area.clear();
    shown = '';
  };
  const tick = setInterval(() => {
    if (live) paint();
  }, TICK);
  tick.unref();

  return {
    paint,
    soon,
    hide,
    print: (text) => (stopped ? output.out(text) : area.above(text)),
    live(next) {
      live = next;
      soon();
    },
    wipe() {
      hide();
      output.write(WIPE);
      paint();
    },
    stop() {
      stopped = true;
      if (due) clearTimeout(due);
      clearInterval(tick);
      hide();
    },
  };
}

/** The rows of the screen but one: the last one is where the cursor rests. */
function block(output: Output, { line, cursor }: Typing, live: Live): readonly string[] {
  const rows = Math.max(1, output.rows() - 1);
  const { ascii, palette } = output;
  // A long line may take half of the screen from the live area, and all of it where there is none.
  const most = live ? Math.ceil(rows / 2) : rows;
  const prompt = promptRows(line(), cursor(), { columns: output.columns(), rows: most, ascii, palette });
  const room = rows - prompt.length;
  return [...(live ? live(room).slice(0, room) : []), ...prompt];
}
