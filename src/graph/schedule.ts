/** How a node's end moves the others. Each function takes the table before and gives the table after. */

import type { Plan } from '../contract/plan.ts';
import { indexOf } from './plan-index.ts';
import { draftOf, makeTable, type Cell, type Table } from './table.ts';

export function freshTable(plan: Plan): Table {
  return makeTable(
    indexOf(plan).deps.map((deps) => ({
      status: deps.length === 0 ? 'ready' : 'waiting',
      left: deps.length,
      by: null,
      why: null,
      green: [],
    })),
  );
}

/** An end that satisfies dependents: achieved, or skipped by a person. */
export function satisfy(plan: Plan, table: Table, end: { place: number; cell: Partial<Cell> }): Table {
  const draft = draftOf(table);
  draft.set(end.place, { ...end.cell, by: null });
  for (const place of indexOf(plan).dependents[end.place] ?? []) {
    const { left, status } = draft.get(place);
    draft.set(place, { left: left - 1, status: left === 1 && status === 'waiting' ? 'ready' : status });
  }
  return draft.done();
}

/**
 * An end that dependents cannot go on from: all that stands downstream is held. Of several such ends a node
 * names the earliest in plan order, whichever came first in time, so that a run's outcome does not depend on
 * its concurrency.
 */
export function hold(plan: Plan, table: Table, end: { place: number; cell: Partial<Cell> }): Table {
  const draft = draftOf(table);
  draft.set(end.place, { ...end.cell, by: null });
  const { dependents } = indexOf(plan);
  const queue = [...(dependents[end.place] ?? [])];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    const cell = draft.get(place);
    // A skipped node needs nobody any more, and nobody downstream looks past it.
    if (cell.status === 'skipped' || (cell.by !== null && cell.by <= end.place)) continue;
    draft.set(place, { status: 'held', by: end.place });
    queue.push(...(dependents[place] ?? []));
  }
  return draft.done();
}

/** Puts a node, ended or in flight, back to where its deps say it belongs. */
export function reopen(plan: Plan, table: Table, place: number): Table {
  const draft = draftOf(table);
  draft.set(place, { status: 'waiting', why: null, green: [] });
  // What was built on an achieved node must be shown again after it; a skipped node is built on nothing.
  const { dependents } = indexOf(plan);
  const queue = [...(dependents[place] ?? [])];
  const seen = new Set(queue);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (draft.get(next).status === 'skipped') continue;
    draft.set(next, { status: 'waiting', why: null, green: [] });
    for (const dependent of dependents[next] ?? []) {
      if (!seen.has(dependent)) queue.push(dependent);
      seen.add(dependent);
    }
  }
  return rederive(plan, draft.done());
}

/** Works out anew what every node that has neither ended nor is in flight is waiting for. */
export function rederive(plan: Plan, table: Table): Table {
  const draft = draftOf(table);
  for (const [place, deps] of indexOf(plan).deps.entries()) {
    const cells = deps.map((dep) => ({ dep, cell: draft.get(dep) }));
    const left = cells.filter(({ cell }) => !satisfies(cell)).length;
    const holders = cells.flatMap(({ dep, cell }) =>
      stops(cell) ? [dep] : cell.by === null ? [] : [cell.by],
    );
    const by = holders.length > 0 ? Math.min(...holders) : null;
    const cell = draft.get(place);
    const open = cell.status === 'waiting' || cell.status === 'ready' || cell.status === 'held';
    const status = open ? (by !== null ? 'held' : left === 0 ? 'ready' : 'waiting') : cell.status;
    const next = { status, left, by: open ? by : null } as const;
    if (next.status !== cell.status || next.left !== cell.left || next.by !== cell.by) draft.set(place, next);
  }
  return draft.done();
}

export function satisfies(cell: Cell): boolean {
  return cell.status === 'achieved' || cell.status === 'skipped';
}

export function stops(cell: Cell): boolean {
  return cell.status === 'failed' || cell.status === 'blocked';
}
