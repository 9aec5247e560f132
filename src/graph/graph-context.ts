/** What the graph machine remembers, and how each event changes it. Plain JSON but for the plan's shared reference. */

import type { NodeId } from '../contract/ids.ts';
import { never } from '../contract/never.ts';
import type { Plan } from '../contract/plan.ts';
import type { BlockedWhy, FailedWhy, PausedWhy } from '../contract/status.ts';
import { nodeAt } from './plan-index.ts';
import { freshTable, hold, rederive, reopen, satisfy } from './schedule.ts';
import { cellAt, draftOf, type Cell, type Table } from './table.ts';

export interface GraphContext {
  /** Null until the run is created: the initial context is a constant, because XState makes it on every call. */
  readonly plan: Plan | null;
  readonly table: Table;
  /** Places of the nodes in flight, in the order in which they were started. */
  readonly active: readonly number[];
  readonly concurrency: number;
  /** One more at every owner, pause, retry, skip and edit; what was started under an older one is void. */
  readonly epoch: number;
  readonly paused: { readonly why: PausedWhy; readonly detail: string | null } | null;
  /** Nodes whose checks went red in the final verification that failed. */
  readonly red: readonly NodeId[];
}

export const NO_GRAPH: GraphContext = {
  plan: null,
  table: [],
  active: [],
  concurrency: 1,
  epoch: 0,
  paused: null,
  red: [],
};

/** Run events as the graph sees them: nodes by place, ends with what the goal found out. */
export type GraphEvent =
  | { readonly type: 'run.created'; readonly plan: Plan; readonly concurrency: number }
  | { readonly type: 'run.resumed'; readonly concurrency: number }
  | { readonly type: 'run.paused'; readonly why: PausedWhy; readonly detail: string | null }
  | { readonly type: 'run.restored' }
  | { readonly type: 'run.completed' }
  | { readonly type: 'run.cleared' }
  | { readonly type: 'node.started'; readonly place: number }
  | { readonly type: 'node.achieved'; readonly place: number; readonly green: Cell['green'] }
  | {
      readonly type: 'node.failed';
      readonly place: number;
      readonly why: FailedWhy;
      readonly red: readonly NodeId[];
    }
  | { readonly type: 'node.blocked'; readonly place: number; readonly why: BlockedWhy }
  | { readonly type: 'node.retried'; readonly place: number }
  | { readonly type: 'node.skipped'; readonly place: number }
  | { readonly type: 'node.edited'; readonly place: number; readonly plan: Plan };

export function evolve(context: GraphContext, event: GraphEvent): GraphContext {
  switch (event.type) {
    case 'run.created':
      return { ...context, plan: event.plan, table: freshTable(event.plan), concurrency: event.concurrency };
    case 'run.resumed':
      return { ...context, concurrency: event.concurrency, paused: null };
    case 'run.paused':
      return demoteAll(context, { why: event.why, detail: event.detail });
    case 'run.restored':
      return demoteAll(context, { why: 'infra', detail: 'the process that drove it is gone' });
    case 'run.completed':
      return context;
    case 'run.cleared':
      return demoteAll(context, null);
    case 'node.started':
      return {
        ...context,
        table: put(context.table, event.place, { status: 'running' }),
        active: [...context.active, event.place],
        red: isFinal(context, event.place) ? [] : context.red,
      };
    case 'node.achieved':
      return {
        ...leave(context, event.place),
        table: satisfy(planOf(context), context.table, {
          place: event.place,
          cell: { status: 'achieved', green: event.green },
        }),
      };
    case 'node.failed':
      return {
        ...leave(context, event.place),
        table: hold(planOf(context), context.table, {
          place: event.place,
          cell: { status: 'failed', why: event.why },
        }),
        red: event.red,
      };
    case 'node.blocked':
      return {
        ...leave(context, event.place),
        table: hold(planOf(context), context.table, {
          place: event.place,
          cell: { status: 'blocked', why: event.why },
        }),
      };
    case 'node.retried':
      return fenced(context, event.place, reopen(planOf(context), context.table, event.place));
    case 'node.skipped': {
      const skipped = put(context.table, event.place, { status: 'skipped', by: null, why: null });
      return fenced(context, event.place, rederive(planOf(context), skipped));
    }
    case 'node.edited':
      return {
        ...fenced(context, event.place, reopen(event.plan, context.table, event.place)),
        plan: event.plan,
      };
    default:
      return never(event);
  }
}

export function planOf(context: GraphContext): Plan {
  if (!context.plan) throw new Error('the run has no plan yet');
  return context.plan;
}

export function isFinal(context: GraphContext, place: number): boolean {
  return place === planOf(context).nodes.length - 1;
}

/** Complete: every node achieved, or skipped by a person, and the final node achieved (it waits for all others). */
export function isComplete(context: GraphContext): boolean {
  return cellAt(context.table, planOf(context).nodes.length - 1).status === 'achieved';
}

export function idAt(context: GraphContext, place: number): NodeId {
  return nodeAt(planOf(context), place).id;
}

function leave(context: GraphContext, place: number): GraphContext {
  return { ...context, active: context.active.filter((other) => other !== place) };
}

function fenced(context: GraphContext, place: number, table: Table): GraphContext {
  return { ...leave(context, place), table, epoch: context.epoch + 1 };
}

/** What is in flight loses its slot, not its progress: the goal is kept and goes on when the node is started again. */
function demoteAll(context: GraphContext, paused: GraphContext['paused']): GraphContext {
  const draft = draftOf(context.table);
  for (const place of context.active) draft.set(place, { status: 'ready' });
  return { ...context, table: draft.done(), active: [], epoch: context.epoch + 1, paused };
}

function put(table: Table, place: number, change: Partial<Cell>): Table {
  const draft = draftOf(table);
  draft.set(place, change);
  return draft.done();
}
