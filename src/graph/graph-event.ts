/** A run event as the graph machine takes it: nodes by place, an edit with the plan it makes, ends with what the goal found. */

import type { NodeEdited, RunCreated, RunEvent } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';
import { never } from '../contract/never.ts';
import { refusal } from './admit.ts';
import { editNode } from './edit.ts';
import { meansOf } from './goals.ts';
import type { GraphContext, GraphEvent } from './graph-context.ts';
import type { GraphSnapshot } from './graph-machine.ts';
import { indexOf } from './plan-index.ts';
import type { RunState } from './run-state.ts';

export type ToldToGraph =
  | { readonly ok: true; readonly event: GraphEvent; refusal(graph: GraphSnapshot): string }
  | { readonly ok: false; readonly why: string };

/** The events that the graph machine takes. The others are told to goals and the ledger, or are records. */
export type OfGraph = Extract<
  RunEvent,
  {
    type:
      | `run.${string}`
      | 'node.started'
      | 'node.achieved'
      | 'node.failed'
      | 'node.blocked'
      | 'node.parked'
      | 'node.retried'
      | 'node.skipped'
      | 'node.edited';
  }
>;

export function toldToGraph(state: RunState, event: OfGraph): ToldToGraph {
  const { context } = state.graph;
  if (!('node' in event)) return toldOfRun(context, event);
  const place = context.plan && indexOf(context.plan).place.get(event.node);
  if (place === null || place === undefined) return { ok: false, why: `there is no node ${event.node}` };
  switch (event.type) {
    case 'node.started':
      if (event.epoch !== context.epoch) return { ok: false, why: `epoch ${event.epoch} is over` };
      return told({ type: event.type, place });
    case 'node.parked':
      return ended(state, event.node, 'parked') ?? told({ type: event.type, place });
    case 'node.achieved':
      return (
        ended(state, event.node, 'achieved') ??
        told({ type: event.type, place, green: greenOf(state, event.node) })
      );
    case 'node.failed':
      return (
        ended(state, event.node, 'failed') ??
        told({ type: event.type, place, why: event.why, red: event.red })
      );
    case 'node.blocked':
      return ended(state, event.node, 'blocked') ?? told({ type: event.type, place, why: event.why });
    case 'node.retried':
    case 'node.skipped':
      return told({ type: event.type, place });
    case 'node.edited':
      return edited(context, event, place);
    default:
      return never(event);
  }
}

function toldOfRun(context: GraphContext, event: Exclude<OfGraph, { node: NodeId }>): ToldToGraph {
  switch (event.type) {
    case 'run.created':
      return told(createdAs(event));
    case 'run.planned':
      if (event.epoch !== context.epoch) return { ok: false, why: `planning ${event.epoch} is over` };
      return told({ type: event.type, plan: event.plan });
    case 'run.paused':
      return told({ type: event.type, why: event.why, detail: event.detail, resetAt: event.resetAt });
    case 'run.resumed':
      return told({
        type: event.type,
        concurrency: event.concurrency,
        models: event.models,
        moves: event.moves,
      });
    case 'run.approved':
    case 'run.restored':
    case 'run.completed':
    case 'run.cleared':
      return told({ type: event.type });
    default:
      return never(event);
  }
}

function createdAs({ type, plan, models, flow, approve, concurrency }: RunCreated): GraphEvent {
  return { type, plan, models, flow, approve, concurrency };
}

/** A parked node's time has come. */
export function wokenAt(place: number): ToldToGraph & { readonly ok: true } {
  return { ok: true, event: { type: 'node.woken', place }, refusal: () => 'it is not parked' };
}

function told(event: GraphEvent): ToldToGraph {
  return { ok: true, event, refusal: (graph) => refusalOf(graph, event) };
}

/** The end of a node must be the end of its goal: nothing else can make a node achieved. */
function ended(
  state: RunState,
  id: NodeId,
  end: 'achieved' | 'failed' | 'blocked' | 'parked',
): ToldToGraph | null {
  const value = state.goals.get(id)?.value ?? 'idle';
  return value === end ? null : { ok: false, why: `${id} cannot be ${end}: its goal is ${value}` };
}

function greenOf(state: RunState, id: NodeId): readonly (string | null)[] {
  return state.goals.get(id)?.context.green ?? [];
}

function edited(context: GraphContext, event: NodeEdited, place: number): ToldToGraph {
  if (!context.plan) return { ok: false, why: 'there is no plan yet' };
  const { node, spec, run, checks } = event;
  const means = meansOf(context.models);
  const plan = editNode(context.plan, node, { spec, run, checks, means });
  if (!plan.ok) return { ok: false, why: plan.faults.map((fault) => fault.message).join('; ') };
  if (plan.plan.hash !== event.hash || plan.plan.version !== event.version) {
    return { ok: false, why: `the edit does not lead to plan v${event.version} ${event.hash}` };
  }
  return told({ type: event.type, place, plan: plan.plan });
}

function refusalOf(graph: GraphSnapshot, event: GraphEvent): string {
  switch (graph.value) {
    case 'complete':
    case 'cleared':
      return `the run is ${graph.value}: there is nothing to do for it any more. Start another: goalgraph run FILE`;
    case 'paused':
      if (event.type === 'run.paused') return 'the run is paused already';
      if (!graph.context.plan) return 'the run has no plan yet';
      break;
    case 'running':
      if (event.type === 'run.resumed') return 'the run is running already';
      if (event.type === 'run.approved') return 'the plan was approved already, or needed no approval';
      break;
    case 'approval':
      if (event.type === 'run.resumed' || event.type === 'run.paused')
        return 'its plan waits for a yes: goalgraph approve, or goalgraph clear';
      break;
    case 'unplanned':
    case 'planning':
      return graph.value === 'planning' && event.type === 'run.resumed'
        ? 'the run is being planned already'
        : 'the run has no plan yet';
    default:
      return never(graph.value);
  }
  return refusal(graph.context, event) ?? `the run is ${graph.value}`;
}
