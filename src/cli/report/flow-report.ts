/** A flow in the report: its chart with what was taken of it, and the way that it has come, move by move. */

import type { StoredEvent } from '../../contract/ports.ts';
import type { FlowStepView, FlowView, MoveView } from '../../contract/view.ts';
import { flowOrder } from './flow-order.ts';
import { flowWalk } from './flow-walk.ts';

export interface FlowReport extends FlowView {
  readonly steps: readonly FlowStepReport[];
  readonly trail: readonly MoveReport[];
}

export interface FlowStepReport extends FlowStepView {
  readonly exits: readonly FlowExitReport[];
  /** Whether any way leads to it from BEGIN. */
  readonly reachable: boolean;
}

export interface FlowExitReport {
  readonly to: string;
  readonly label: string | null;
  /** Whether it leads back to a step that the way to it comes through. */
  readonly back: boolean;
  /** How often it was taken. */
  readonly taken: number;
}

export interface MoveReport extends MoveView {
  /** Whether it led on; a person's choice may have been replaced by another one, or wait for the run to go on. */
  readonly led: boolean;
  /** Milliseconds of running until it had ended; null for a person's choice. */
  readonly ms: number | null;
}

export function flowReport(flow: FlowView | null, events: readonly StoredEvent[]): FlowReport | null {
  if (flow === null) return null;
  const { order, back } = flowOrder(flow.steps);
  const reached = new Set(order.map(({ id }) => id));
  const { taken, moves, isEnded } = flowWalk(flow.steps, events);
  const steps = flow.steps.map((step): FlowStepReport => {
    const counts = taken.get(step.id) ?? [];
    const isOver = step.kind === 'end' && isEnded;
    return {
      ...step,
      visits: isOver ? 1 : counts.reduce((sum, count) => sum + count, 0),
      reachable: reached.has(step.id),
      exits: (step.kind === 'end' ? [] : step.exits).map(({ to, label }, i) => ({
        to,
        label,
        back: back.get(step.id)?.has(i) === true,
        taken: counts[i] ?? 0,
      })),
    };
  });
  const trail = flow.trail.map((move, i): MoveReport => {
    const fact = moves[i] ?? { ms: null, led: move.outcome === 'said' && move.detail === null };
    return { ...move, ...fact };
  });
  return { ...flow, steps, trail };
}
