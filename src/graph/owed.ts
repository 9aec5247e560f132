/**
 * The effects that a state wants done and has no answer to. What is owed and not in flight is started, what is in
 * flight and no longer owed is ended: that is all the engine knows, on the way forward and after a crash.
 */

import type { Effect } from '../contract/command.ts';
import { effectOf } from './effects.ts';
import { idAt } from './graph-context.ts';
import type { RunState } from './run-state.ts';

export function owed(state: RunState): readonly Effect[] {
  const graph = state.graph.context;
  return graph.active.flatMap((place) => {
    const goal = state.goals.get(idAt(graph, place));
    const effect = goal && effectOf(graph, place, goal);
    return effect ? [effect] : [];
  });
}
