/** What the graph machine remembers, and how each event changes it. Plain JSON but for the plan's shared reference. */

import type { FlowRun } from '../contract/flow.ts';
import type { NodeId } from '../contract/ids.ts';
import { never } from '../contract/never.ts';
import type { Plan } from '../contract/plan.ts';
import type { ModelSettings } from '../contract/settings.ts';
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
  /** Places of the nodes that wait for something outside: they have no slot. */
  readonly parked: readonly number[];
  readonly models: ModelSettings | null;
  /** The chart that its only node follows, with the moves it may make by now; null for a run of a plan. */
  readonly flow: FlowRun | null;
  /** Whether a person must approve the plan first. */
  readonly approve: boolean;
  readonly concurrency: number;
  /** One more at every owner, pause, retry, skip and edit; what was started under an older one is void. */
  readonly epoch: number;
  readonly paused: Paused | null;
  /** Nodes whose checks went red in the final verification that failed. */
  readonly red: readonly NodeId[];
}

export interface Paused {
  readonly why: PausedWhy;
  readonly detail: string | null;
  readonly resetAt: number | null;
}

const GONE: Paused = { why: 'infra', detail: 'the process that drove it is gone', resetAt: null };

export const NO_GRAPH: GraphContext = {
  plan: null,
  table: [],
  active: [],
  parked: [],
  models: null,
  flow: null,
  approve: false,
  concurrency: 1,
  epoch: 0,
  paused: null,
  red: [],
};

/** Run events as the graph sees them: nodes by place, ends with what the goal found out. */
export type GraphEvent =
  | {
      readonly type: 'run.created';
      readonly plan: Plan | null;
      readonly models: ModelSettings | null;
      readonly flow: FlowRun | null;
      readonly approve: boolean;
      readonly concurrency: number;
    }
  | { readonly type: 'run.planned'; readonly plan: Plan }
  | { readonly type: 'run.approved' }
  | {
      readonly type: 'run.resumed';
      readonly concurrency: number;
      readonly models: ModelSettings | null;
      readonly moves: number;
    }
  | ({ readonly type: 'run.paused' } & Paused)
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
  | { readonly type: 'node.parked'; readonly place: number }
  | { readonly type: 'node.woken'; readonly place: number }
  | { readonly type: 'node.retried'; readonly place: number }
  | { readonly type: 'node.skipped'; readonly place: number }
  | { readonly type: 'node.edited'; readonly place: number; readonly plan: Plan };

export function evolve(context: GraphContext, event: GraphEvent): GraphContext {
  switch (event.type) {
    case 'run.created': {
      const { plan, models, flow, approve, concurrency } = event;
      return { ...context, plan, table: plan ? freshTable(plan) : [], models, flow, approve, concurrency };
    }
    case 'run.planned':
      return { ...context, plan: event.plan, table: freshTable(event.plan) };
    case 'run.approved':
      return context;
    case 'run.resumed':
      return {
        ...context,
        concurrency: event.concurrency,
        models: event.models ?? context.models,
        flow: withMoves(context.flow, event.moves),
        paused: null,
      };
    case 'run.paused':
      return demoteAll(context, { why: event.why, detail: event.detail, resetAt: event.resetAt });
    case 'run.restored':
      return demoteAll(context, context.paused ?? GONE);
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
    case 'node.parked':
      return {
        ...leave(context, event.place),
        table: put(context.table, event.place, { status: 'parked' }),
        parked: [...context.parked, event.place],
      };
    case 'node.woken':
      return { ...leave(context, event.place), table: put(context.table, event.place, { status: 'ready' }) };
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

function withMoves(flow: FlowRun | null, moves: number): FlowRun | null {
  if (flow?.maxMoves == null || moves === 0) return flow;
  return { ...flow, maxMoves: flow.maxMoves + moves };
}

function leave(context: GraphContext, place: number): GraphContext {
  const others = (places: readonly number[]) => places.filter((other) => other !== place);
  return { ...context, active: others(context.active), parked: others(context.parked) };
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
