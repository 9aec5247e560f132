/** What a D2 text says, before anything is drawn. */

import type { FlowParseFault } from '../contract/flow.ts';
import type { Arrow } from './d2-chain.ts';
import type { Key } from './d2-keys.ts';
import type { Text } from './d2-strings.ts';

export interface Value {
  /** Offset of the colon; null when there is none. */
  readonly colon: number | null;
  readonly text: Text | null;
  /** What stands between braces; null when there are none. A later `{ … }` adds to it. */
  body: Statement[] | null;
}

export interface NodeStatement {
  readonly type: 'node';
  readonly key: Key;
  readonly value: Value;
}

export interface EdgeStatement {
  readonly type: 'edges';
  /** Offset of its first character. */
  readonly from: number;
  /** `box` in `box.(a -> b)`. */
  readonly scope: Key | null;
  readonly ends: readonly Key[];
  /** One less than there are ends. */
  readonly arrows: readonly Arrow[];
  /** Which of the edges that stand there already; null when new ones are drawn. */
  readonly index: number | '*' | null;
  /** `style.stroke` in `(a -> b)[0].style.stroke`. */
  readonly property: Key | null;
  readonly value: Value;
}

export type Statement =
  | NodeStatement
  | EdgeStatement
  /** Nobody can follow it, which is a fault unless it stands where nothing is drawn. */
  | { readonly type: 'foreign'; readonly fault: FlowParseFault };
