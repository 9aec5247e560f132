/** Where a moment stands on a timeline: long pauses are drawn short, so that a night does not hide the work. */

import type { Pause, Timeline } from './timeline.ts';

/** The part of the width that one pause takes at most, and all of them together. */
const MOST_PAUSE = 0.06;
const MOST_PAUSES = 0.4;

export interface Scale {
  /** Percent of the width. */
  readonly x: (at: number) => number;
  /** Whether any pause is drawn shorter than it was. */
  readonly cut: boolean;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  /** Drawn milliseconds. */
  readonly drawn: number;
}

export function scaleOf({ from, to, pauses }: Timeline): Scale {
  const still = pauses.reduce((sum, pause) => sum + length(pause), 0);
  const active = Math.max(1, to - from - still);
  const most = active * Math.min(MOST_PAUSE, MOST_PAUSES / Math.max(1, pauses.length));
  const pieces = piecesOf({ from, to, pauses }, most);
  const total = Math.max(
    1,
    pieces.reduce((sum, { drawn }) => sum + drawn, 0),
  );
  return {
    cut: pieces.some((piece) => piece.drawn < length(piece)),
    x(at) {
      let before = 0;
      for (const piece of pieces) {
        if (at < piece.to) {
          const part = Math.max(0, at - piece.from) / Math.max(1, length(piece));
          return ((before + part * piece.drawn) / total) * 100;
        }
        before += piece.drawn;
      }
      return 100;
    },
  };
}

function piecesOf(
  { from, to, pauses }: Pick<Timeline, 'from' | 'to' | 'pauses'>,
  most: number,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  for (const pause of pauses) {
    if (pause.from > at) pieces.push({ from: at, to: pause.from, drawn: pause.from - at });
    pieces.push({ from: pause.from, to: pause.to, drawn: Math.min(length(pause), most) });
    at = pause.to;
  }
  if (to > at) pieces.push({ from: at, to, drawn: to - at });
  return pieces;
}

function length({ from, to }: Pick<Pause, 'from' | 'to'>): number {
  return Math.max(0, to - from);
}
