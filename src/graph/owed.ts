/**
 * The effects that a state wants done and has no answer to. What is owed and not in flight is started, what is in
 * flight and no longer owed is ended: that is all the engine knows, on the way forward and after a crash.
 */

import { effectKey, type Effect } from '../contract/command.ts';
import type { Answer } from '../contract/event.ts';
import { effectsOf } from './effects.ts';
import { idAt } from './graph-context.ts';
import type { RunState } from './run-state.ts';

export function owed(state: RunState): readonly Effect[] {
  const { value, context } = state.graph;
  if (value === 'planning') return [{ type: 'plan', epoch: context.epoch }];
  if (value !== 'running') return [];
  return [...context.active, ...context.parked].flatMap((place) => {
    const goal = state.goals.get(idAt(context, place));
    return goal ? effectsOf(context, place, goal) : [];
  });
}

/** True when the state waits for this very answer. */
export function isAwaited(state: RunState, answer: Answer): boolean {
  const key = effectKey(answer);
  return owed(state).some((effect) => effectKey(effect) === key);
}
