/** A flow in the report: its chart with what was taken of it, and the way that it has come, move by move. */

import type { StoredEvent } from '../../contract/ports.ts';
import type { FlowExitView, FlowStepView, FlowView, MoveView } from '../../contract/view.ts';
import { flowOrder } from '../render/flow-order.ts';
import { moveTimes } from './flow-times.ts';

export interface FlowReport extends FlowView {
  readonly steps: readonly FlowStepReport[];
  readonly trail: readonly MoveReport[];
}

export interface FlowStepReport extends FlowStepView {
  readonly exits: readonly FlowExitReport[];
  /** Whether any way leads to it from BEGIN. */
  readonly reachable: boolean;
}

export interface FlowExitReport extends FlowExitView {
  /** Whether it leads back to a step that the way to it comes through. */
  readonly back: boolean;
}

export interface MoveReport extends MoveView {
  /** Milliseconds of running until it had ended; null for a person's choice. */
  readonly ms: number | null;
}

export function flowReport(flow: FlowView | null, events: readonly StoredEvent[]): FlowReport | null {
  if (flow === null) return null;
  const { order, back } = flowOrder(flow.steps);
  const reached = new Set(order.map(({ id }) => id));
  const times = moveTimes(events);
  const steps = flow.steps.map((step): FlowStepReport => {
    const exits = step.kind === 'end' ? [] : step.exits;
    return {
      ...step,
      reachable: reached.has(step.id),
      exits: exits.map((exit, i) => ({ ...exit, back: back.get(step.id)?.has(i) === true })),
    };
  });
  return { ...flow, steps, trail: flow.trail.map((move, i) => ({ ...move, ms: times[i] ?? null })) };
}
