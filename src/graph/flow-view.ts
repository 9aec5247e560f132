/** A flow as front ends show it. */

import type { FlowEvent } from '../contract/flow-event.ts';
import type { FlowRun } from '../contract/flow.ts';
import type { FlowView, MoveView } from '../contract/view.ts';
import type { FlowGoalContext } from './flow-goal.ts';

export interface FlowSeen {
  /** The goal, while there is one. */
  readonly live: FlowGoalContext | null;
  readonly trail: readonly MoveView[];
  /** Whether END was reached. */
  readonly ended: boolean;
}

export function flowView(
  { name, args, flow, maxMoves }: FlowRun,
  { live, trail, ended }: FlowSeen,
): FlowView {
  const visits = new Map<string, number>();
  for (const [i, { step, outcome, detail, by }] of trail.entries()) {
    // A person may change their mind, or the run may rest still.
    const isTaken = by === 'agent' || (trail[i + 1]?.by ?? (ended ? 'agent' : 'person')) === 'agent';
    if (outcome === 'said' && detail === null && isTaken) visits.set(step, (visits.get(step) ?? 0) + 1);
  }
  if (trail.length > 0 || ended) visits.set(flow.begin, 1);
  if (ended) visits.set(flow.end, 1);
  const isUnderWay = live !== null && live.step !== '' && live.next !== 'achieved';
  return {
    name,
    args,
    steps: flow.nodes.map(({ id, label, kind, exits }) => ({
      id,
      label,
      kind,
      exits,
      visits: visits.get(id) ?? 0,
    })),
    at: isUnderWay ? live.step : null,
    picked: live?.picked ?? null,
    moves: live?.move ?? trail.reduce((most, { move }) => Math.max(most, move), 0),
    maxMoves,
    trail,
  };
}

export function moveOf(event: FlowEvent): MoveView {
  const { step, at } = event;
  return event.type === 'move.ended'
    ? {
        move: event.move,
        step,
        by: 'agent',
        outcome: event.outcome,
        choice: event.choice,
        detail: event.detail,
        at,
      }
    : { move: event.move, step, by: 'person', outcome: 'said', choice: event.branch, detail: null, at };
}
