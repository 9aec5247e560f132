/** A flow as front ends show it. */

import type { FlowEvent } from '../contract/flow-event.ts';
import { exitNamed, type Flow, type FlowExit, type FlowRun } from '../contract/flow.ts';
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
  const taken = takenExits(flow, { live, trail, ended });
  const isUnderWay = live !== null && live.step !== '' && live.next !== 'achieved';
  return {
    name,
    args,
    steps: flow.nodes.map(({ id, label, kind, exits }) => ({
      id,
      label,
      kind,
      exits: exits.map((exit) => ({ ...exit, taken: taken.get(exit) ?? 0 })),
      visits: id === flow.end ? Number(ended) : exits.reduce((sum, exit) => sum + (taken.get(exit) ?? 0), 0),
    })),
    at: isUnderWay ? live.step : null,
    picked: live?.picked ?? null,
    moves: live?.move ?? trail.reduce((most, { move }) => Math.max(most, move), 0),
    maxMoves,
    trail,
  };
}

/** BEGIN leads on by itself; every move that led on took one exit of its step. */
function takenExits(flow: Flow, { live, trail, ended }: FlowSeen): ReadonlyMap<FlowExit, number> {
  const steps = new Map(flow.nodes.map((step) => [step.id, step]));
  const taken = new Map<FlowExit, number>();
  const take = (exit: FlowExit | undefined) => {
    if (exit) taken.set(exit, (taken.get(exit) ?? 0) + 1);
  };
  const isBegun = ended || trail.length > 0 || (live !== null && live.step !== '');
  if (isBegun) take(steps.get(flow.begin)?.exits[0]);
  for (const { step: id, choice, led } of trail) {
    const step = steps.get(id);
    if (!led || !step) continue;
    take(step.kind === 'decision' ? exitNamed(step.exits, choice ?? '') : step.exits[0]);
  }
  return taken;
}

/** `resting`: whether the run was at rest then. */
export function moveOf(event: FlowEvent, resting: boolean): MoveView {
  const { move, step, at } = event;
  if (event.type === 'flow.chosen') {
    const { branch: choice } = event;
    return { move, step, by: 'person', outcome: 'said', choice, detail: null, led: !resting, at };
  }
  const { outcome, choice, detail } = event;
  return { move, step, by: 'agent', outcome, choice, detail, led: outcome === 'said' && detail === null, at };
}

/** The run goes on: what a person chose last, if that was while it rested, leads on now. */
export function pickedUp(trail: readonly MoveView[]): MoveView[] {
  const last = trail.at(-1);
  return last?.by === 'person' ? [...trail.slice(0, -1), { ...last, led: true }] : [...trail];
}
