/** A chart while it is read, whatever the language: nodes as they are named, and the arrows between them. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowExit, FlowParseFault } from '../contract/flow.ts';

/** 1-based, both. */
export interface At {
  readonly line: number;
  readonly column: number;
}

/** Offsets at which lines begin, the first one included. A line ends at LF, CR or both. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

/** By halving, for it is asked often, and there may be a million lines. */
export function placeIn(starts: readonly number[], offset: number): At {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

export interface ChartNode {
  readonly id: string;
  /** Null while the chart has only named it: then its id is its label. */
  readonly label: string | null;
  /** Where it is first named. */
  readonly at: At;
}

/** In the order of first appearance. */
export interface Chart {
  readonly nodes: ReadonlyMap<string, ChartNode>;
  readonly exits: ReadonlyMap<string, readonly FlowExit[]>;
}

export interface ChartBuilder extends Chart {
  /** Names a node; the first label that is given to it is its label for good. */
  name(id: string, label: string | null, at: At): Result<null, FlowParseFault>;
  /** Both ends were named before. A label of blanks alone is none. */
  link(from: string, to: string, label: string | null): void;
}

export function newChart(): ChartBuilder {
  const nodes = new Map<string, ChartNode>();
  const exits = new Map<string, FlowExit[]>();
  return {
    nodes,
    exits,
    name(id, label, at) {
      const known = nodes.get(id);
      if (label?.trim() === '')
        return fail(parseFault(at, `The node "${id}" has an empty label. Write one.`));
      if (known === undefined || known.label === null) nodes.set(id, { id, label, at: known?.at ?? at });
      else if (label !== null && label !== known.label)
        return fail(parseFault(at, twice(id, known.label, label)));
      return ok(null);
    },
    link(from, to, label) {
      const exit = { to, label: label === null || label.trim() === '' ? null : label.trim() };
      const known = exits.get(from);
      if (known) known.push(exit);
      else exits.set(from, [exit]);
    },
  };
}

export function parseFault({ line, column }: At, message: string): FlowParseFault {
  return { code: 'flow_parse', line, column, message };
}

const MOST_SHOWN = 60;

function twice(id: string, first: string, second: string): string {
  const shown = (text: string): string =>
    JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);
  return `The node "${id}" is ${shown(first)} before and ${shown(second)} here. Give one of them another id, or the same label.`;
}
