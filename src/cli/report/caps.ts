/** How much of each thing a report holds: a run may have 10,000 nodes, and a report is to be read. */

import type { NodeStatus } from '../../contract/status.ts';

export const CAPS = {
  /** Rows of the table of nodes. */
  rows: 500,
  /** Nodes that are told of one by one. */
  details: 100,
  /** Rows of the timeline, and segments in one. */
  bars: 150,
  segments: 60,
  pauses: 20,
  /** Of a flow: the last moves, steps and the exits of each, lines of its drawing in Markdown. */
  moves: 300,
  steps: 200,
  exits: 12,
  chart: 1_000,
  /** Of one node. */
  gaps: 30,
  texts: 20,
  checks: 16,
  nodeFiles: 40,
  files: 300,
  /** Characters. */
  objective: 4_000,
  text: 600,
  tail: 2_000,
  command: 300,
  choice: 200,
} as const;

export interface Some<T> {
  readonly shown: readonly T[];
  /** How many are left out. */
  readonly more: number;
}

export function some<T>(all: readonly T[], most: number): Some<T> {
  return { shown: all.slice(0, most), more: Math.max(0, all.length - most) };
}

/** When not all are shown, those that want a look come first; in their order all the same. */
export function someNodes<T extends { readonly status: NodeStatus }>(
  all: readonly T[],
  most: number,
): Some<T> {
  if (all.length <= most) return { shown: all, more: 0 };
  const rank = ({ status }: T): number => URGENCY[status];
  const kept = new Set(all.toSorted((a, b) => rank(a) - rank(b)).slice(0, most));
  return { shown: all.filter((node) => kept.has(node)), more: all.length - most };
}

const URGENCY: Readonly<Record<NodeStatus, number>> = {
  failed: 0,
  blocked: 0,
  running: 1,
  verifying: 1,
  parked: 1,
  skipped: 2,
  held: 3,
  ready: 3,
  achieved: 4,
  waiting: 5,
};

/** Whole characters: half of a pair would be shown as an escape. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]$/.test(text.slice(0, most)) ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}

/** The end of a text, which is where a command says what went wrong. */
export function cutTail(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.length - most;
  return `…${text.slice(/^[\udc00-\udfff]/.test(text.slice(start)) ? start + 1 : start)}`;
}
