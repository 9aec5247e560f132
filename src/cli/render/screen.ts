/** What a renderer may know of the terminal. Nothing in this folder looks for itself: the command line passes it in. */

import type picocolors from 'picocolors';

/** `createColors(enabled)` of picocolors. */
export type Palette = ReturnType<typeof picocolors.createColors>;

export interface Screen {
  /** Display columns; Infinity when the output is no terminal. */
  readonly columns: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly palette: Palette;
  /** True when nothing beyond ASCII may be written: other characters of run data are shown as escapes. */
  readonly ascii: boolean;
}
