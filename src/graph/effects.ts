/** The effect a live goal stands for. */

import type { Effect, Fence } from '../contract/command.ts';
import type { Check } from '../contract/plan.ts';
import { finalChecks } from './final.ts';
import { isFinal, planOf, type GraphContext } from './graph-context.ts';
import type { GoalSnapshot } from './goal-machine.ts';
import { indexOf, nodeAt } from './plan-index.ts';
import { cellAt } from './table.ts';

/** A goal's effect: its command while working, its next check while checking, nothing at an end. */
export function effectOf(graph: GraphContext, place: number, goal: GoalSnapshot): Effect | null {
  const node = nodeAt(planOf(graph), place);
  const { epoch, attempt, at, cut } = goal.context;
  const fence: Fence = { node: node.id, epoch, attempt };
  if (goal.value === 'working') {
    return { type: 'work', ...fence, run: node.run ?? '', timeout: node.timeout, rerun: cut };
  }
  if (goal.value !== 'checking') return null;
  const check = checksAt(graph, place)[at];
  if (!check) throw new Error(`${node.slug} has no check ${at}`);
  return {
    type: 'check',
    ...fence,
    check: at,
    run: check.run,
    green: isFinal(graph, place) ? lastGreen(graph, at) : null,
  };
}

/** A node's checks; the final node's are the plan's and, once each, every node's. */
export function checksAt(graph: GraphContext, place: number): readonly Pick<Check, 'run'>[] {
  const plan = planOf(graph);
  return isFinal(graph, place) ? finalChecks(plan) : nodeAt(plan, place).checks;
}

/** The tree on which a check of the final node was last seen green in one of its own nodes, in plan order. */
function lastGreen(graph: GraphContext, at: number): string | null {
  const plan = planOf(graph);
  const check = finalChecks(plan)[at];
  for (const id of [...(check?.nodes ?? [])].reverse()) {
    const place = indexOf(plan).place.get(id);
    if (place === undefined) continue;
    const own = nodeAt(plan, place).checks.findIndex(({ run }) => run === check?.run);
    const green = cellAt(graph.table, place).green[own];
    if (green) return green;
  }
  return null;
}
