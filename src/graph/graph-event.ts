/** A run event as the graph machine takes it: nodes by place, an edit with the plan it makes, ends with what the goal found. */

import type { Answer, Late, NodeEdited, RunEvent } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';
import { never } from '../contract/never.ts';
import { refusal } from './admit.ts';
import { editNode } from './edit.ts';
import type { GraphContext, GraphEvent } from './graph-context.ts';
import type { GraphSnapshot } from './graph-machine.ts';
import { indexOf } from './plan-index.ts';
import type { RunState } from './run-state.ts';

export type ToldToGraph =
  | { readonly ok: true; readonly event: GraphEvent; refusal(graph: GraphSnapshot): string }
  | { readonly ok: false; readonly why: string };

type OfGraph = Exclude<RunEvent, Answer | Late>;

export function toldToGraph(state: RunState, event: OfGraph): ToldToGraph {
  const { context } = state.graph;
  if (!('node' in event)) return told(event);
  const place = context.plan && indexOf(context.plan).place.get(event.node);
  if (place === null || place === undefined) return { ok: false, why: `there is no node ${event.node}` };
  switch (event.type) {
    case 'node.started':
      if (event.epoch !== context.epoch) return { ok: false, why: `epoch ${event.epoch} is over` };
      return told({ type: event.type, place });
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

function told(event: GraphEvent): ToldToGraph {
  return { ok: true, event, refusal: (graph) => refusalOf(graph, event) };
}

/** The end of a node must be the end of its goal: nothing else can make a node achieved. */
function ended(state: RunState, id: NodeId, end: 'achieved' | 'failed' | 'blocked'): ToldToGraph | null {
  const value = state.goals.get(id)?.value ?? 'idle';
  return value === end ? null : { ok: false, why: `${id} cannot be ${end}: its goal is ${value}` };
}

function greenOf(state: RunState, id: NodeId): readonly (string | null)[] {
  return state.goals.get(id)?.context.green ?? [];
}

function edited(context: GraphContext, event: NodeEdited, place: number): ToldToGraph {
  if (!context.plan) return { ok: false, why: 'there is no plan yet' };
  const { node, spec, run, checks } = event;
  const plan = editNode(context.plan, node, { spec, run, checks });
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
      break;
    case 'running':
      if (event.type === 'run.resumed') return 'the run is running already';
      break;
    case 'unplanned':
      return 'the run has no plan yet';
    default:
      return never(graph.value);
  }
  return refusal(graph.context, event) ?? `the run is ${graph.value}`;
}
