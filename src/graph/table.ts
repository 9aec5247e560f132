/**
 * The node table: immutable chunks of 64 cells, so that one event copies one or two chunks and a spine instead
 * of every cell, and each chunk counts its ready cells, so that nobody scans for them. A draft is a table under
 * change: it copies what it touches, once.
 */

import type { BlockedWhy, FailedWhy, NodeStatus } from '../contract/status.ts';

/** `running` here covers every state of a node whose goal is live; the goal knows which. */
export type CellStatus = Exclude<NodeStatus, 'verifying'>;

export interface Cell {
  readonly status: CellStatus;
  /** Deps that are neither achieved nor skipped. */
  readonly left: number;
  /** Place of the earliest failed or blocked node that holds this one; null unless held. */
  readonly by: number | null;
  readonly why: FailedWhy | BlockedWhy | null;
  /** Per check of an achieved node: the tree on which it was green, if that could be told. */
  readonly green: readonly (string | null)[];
}

interface Chunk {
  readonly cells: readonly Cell[];
  readonly ready: number;
}

export type Table = readonly Chunk[];

const SHIFT = 6;
const SIZE = 1 << SHIFT;

export function makeTable(cells: readonly Cell[]): Table {
  const table: Chunk[] = [];
  for (let from = 0; from < cells.length; from += SIZE) {
    const part = cells.slice(from, from + SIZE);
    table.push({ cells: part, ready: part.filter((cell) => cell.status === 'ready').length });
  }
  return table;
}

export function cellAt(table: Table, place: number): Cell {
  const cell = table[place >> SHIFT]?.cells[place & (SIZE - 1)];
  if (!cell) throw new Error(`no cell at ${place}`);
  return cell;
}

/** Places of ready cells in plan order. By index: with `entries()`, its pairs were half of what an event allocates. */
export function* readyPlaces(table: Table): Generator<number> {
  for (let c = 0; c < table.length; c++) {
    const chunk = table[c];
    if (!chunk || chunk.ready === 0) continue;
    for (let i = 0; i < chunk.cells.length; i++) {
      if (chunk.cells[i]?.status === 'ready') yield (c << SHIFT) + i;
    }
  }
}

export interface Draft {
  get(place: number): Cell;
  set(place: number, change: Partial<Cell>): void;
  done(): Table;
}

export function draftOf(table: Table): Draft {
  const spine = table.slice();
  const own = new Map<number, { cells: Cell[]; ready: number }>();
  const open = (c: number) => {
    let chunk = own.get(c);
    if (!chunk) {
      const from = spine[c];
      if (!from) throw new Error(`no chunk ${c}`);
      own.set(c, (chunk = { cells: from.cells.slice(), ready: from.ready }));
      spine[c] = chunk;
    }
    return chunk;
  };
  return {
    get: (place) => cellAt(spine, place),
    set(place, change) {
      const before = cellAt(spine, place);
      const after = { ...before, ...change };
      const chunk = open(place >> SHIFT);
      chunk.cells[place & (SIZE - 1)] = after;
      chunk.ready += Number(after.status === 'ready') - Number(before.status === 'ready');
    },
    done: () => spine,
  };
}
