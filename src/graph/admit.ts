/** What the graph wants next: one thing at a time, because each thing it gets changes what it wants. */

import { never } from '../contract/never.ts';
import { isModelPlace } from './goals.ts';
import { isComplete, isFinal, planOf, type GraphContext, type GraphEvent } from './graph-context.ts';
import { nodeAt } from './plan-index.ts';
import { stops } from './schedule.ts';
import { overlaps } from './scope.ts';
import { cellAt, readyPlaces } from './table.ts';

export type GraphWish =
  | { readonly type: 'start'; readonly place: number }
  | { readonly type: 'complete' }
  | { readonly type: 'stuck' };

/** How many ready nodes are looked at for one whose write scope is free: bounds the cost of an event. */
const WINDOW = 256;

export function nextWish(context: GraphContext): GraphWish | null {
  if (isComplete(context)) return { type: 'complete' };
  const place = admissible(context);
  if (place !== null) return { type: 'start', place };
  return context.active.length + context.parked.length === 0 ? { type: 'stuck' } : null;
}

/** The first ready node that no node in flight, and no earlier ready node, keeps off its write scope. */
function admissible(context: GraphContext): number | null {
  if (context.active.length >= context.concurrency) return null;
  const taken = context.active.map((place) => scopeOf(context, place));
  if (taken.some((scope) => scope.length === 0)) return null;
  let looked = 0;
  for (const place of readyPlaces(context.table)) {
    const scope = scopeOf(context, place);
    if (!taken.some((other) => overlaps(other, scope))) return place;
    // It waits, and later nodes that overlap it wait behind it: nothing starves.
    taken.push(scope);
    looked++;
    if (scope.length === 0 || looked === WINDOW) return null;
  }
  return null;
}

/** A model works in place between two snapshots, so nothing else may write meanwhile, whatever its scope says. */
function scopeOf(context: GraphContext, place: number): readonly string[] {
  const plan = planOf(context);
  return isModelPlace(context.models, plan, place) ? EVERYWHERE : nodeAt(plan, place).scope;
}

const EVERYWHERE: readonly string[] = [];

/** Why the graph does not take a node event now; null when it does. */
export function refusal(context: GraphContext, event: GraphEvent): string | null {
  if (event.type === 'run.completed' && !isComplete(context)) return 'not every node is achieved or skipped';
  if (!('place' in event)) return null;
  const cell = cellAt(context.table, event.place);
  const { slug } = nodeAt(planOf(context), event.place);
  const inFlight = context.active.includes(event.place);
  switch (event.type) {
    case 'node.started':
      if (cell.status !== 'ready') return `${slug} is ${cell.status}, not ready`;
      return context.active.length < context.concurrency ? null : 'every slot is taken';
    case 'node.achieved':
    case 'node.failed':
    case 'node.parked':
      return inFlight ? null : `${slug} is not in flight`;
    case 'node.blocked':
      return inFlight || cell.status === 'ready' ? null : `${slug} is ${cell.status}`;
    case 'node.woken':
      return context.parked.includes(event.place) ? null : `${slug} is not parked`;
    case 'node.retried':
      if (stops(cell) || isRed(context, event.place)) return null;
      return `${slug} is ${cell.status}: only a failed or blocked node, or one whose check went red at the end, can be retried`;
    case 'node.skipped':
      if (isFinal(context, event.place)) return 'the final verification cannot be skipped';
      return cell.status === 'achieved' || cell.status === 'skipped'
        ? `${slug} is ${cell.status} already`
        : null;
    case 'node.edited':
      if (isFinal(context, event.place)) return 'the final verification cannot be edited';
      return cell.status === 'achieved' || cell.status === 'skipped'
        ? `${slug} is ${cell.status}: only a node that has not ended well can be edited`
        : null;
    default:
      return never(event);
  }
}

/** The final verification failed on this node's check, or on checks that belong to no node at all. */
function isRed(context: GraphContext, place: number): boolean {
  const { nodes } = planOf(context);
  if (cellAt(context.table, nodes.length - 1).status !== 'failed') return false;
  if (cellAt(context.table, place).status !== 'achieved') return false;
  return context.red.length === 0 || context.red.includes(nodeAt(planOf(context), place).id);
}
