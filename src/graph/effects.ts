/** The effects a live goal stands for. */

import type { CheckCommand, Effect, Fence } from '../contract/command.ts';
import type { NodeId } from '../contract/ids.ts';
import { never } from '../contract/never.ts';
import type { Check } from '../contract/plan.ts';
import { finalChecks, type FinalCheck } from './final.ts';
import type { FlowGoalSnapshot } from './flow-goal-machine.ts';
import { isFlowGoal, isModelGoal, type AnyGoal } from './goals.ts';
import { idAt, isFinal, planOf, type GraphContext } from './graph-context.ts';
import type { GoalSnapshot } from './goal-machine.ts';
import type { ModelGoalSnapshot } from './model-goal-machine.ts';
import { indexOf, nodeAt } from './plan-index.ts';
import { cellAt } from './table.ts';

/** A goal's effects: what its state stands for; none at an end. */
export function effectsOf(graph: GraphContext, place: number, goal: AnyGoal): readonly Effect[] {
  if (isModelGoal(goal)) return modelEffects(graph, place, goal);
  return isFlowGoal(goal) ? flowEffects(graph, place, goal) : commandEffects(graph, place, goal);
}

/** Its command while working, its next check while checking. */
function commandEffects(graph: GraphContext, place: number, goal: GoalSnapshot): readonly Effect[] {
  const node = nodeAt(planOf(graph), place);
  const { epoch, attempt, at, cut } = goal.context;
  const fence: Fence = { node: node.id, epoch, attempt };
  if (goal.value === 'working') {
    return [{ type: 'work', ...fence, run: node.run ?? '', timeout: node.timeout, rerun: cut }];
  }
  return goal.value === 'checking' ? [checkEffect(graph, place, { fence, at, base: null })] : [];
}

function modelEffects(graph: GraphContext, place: number, goal: ModelGoalSnapshot): readonly Effect[] {
  const { epoch, attempt, round, at, base, verification, ballot, panel, votes, until, pid } = goal.context;
  const fence: Fence = { node: idAt(graph, place), epoch, attempt };
  switch (goal.value) {
    case 'basing':
      return [{ type: 'base', ...fence }];
    case 'briefing':
      return [{ type: 'brief', ...fence }];
    case 'working':
      return [{ type: 'round', ...fence, round }];
    case 'checking':
      return [checkEffect(graph, place, { fence, at, base })];
    case 'verifying':
      return seats(panel)
        .filter((seat) => votes.every((vote) => vote.seat !== seat))
        .map((seat) => ({ type: 'vote', ...fence, verification, seat, ballot }));
    case 'strategizing':
      return [{ type: 'strategy', ...fence, round }];
    case 'parked':
      return [{ type: 'wake', ...fence, round, until, pid }];
    case 'idle':
    case 'achieved':
    case 'failed':
    case 'blocked':
      return [];
    default:
      return never(goal.value);
  }
}

function flowEffects(graph: GraphContext, place: number, goal: FlowGoalSnapshot): readonly Effect[] {
  const { epoch, attempt, move, step } = goal.context;
  const fence: Fence = { node: idAt(graph, place), epoch, attempt };
  if (goal.value === 'basing') return [{ type: 'base', ...fence }];
  return goal.value === 'moving' ? [{ type: 'move', ...fence, move, step }] : [];
}

function seats(panel: number): readonly number[] {
  return Array.from({ length: panel }, (_, i) => i + 1);
}

function checkEffect(
  graph: GraphContext,
  place: number,
  { fence, at, base }: { readonly fence: Fence; readonly at: number; readonly base: string | null },
): CheckCommand {
  const check = checksAt(graph, place)[at];
  if (!check) throw new Error(`${nodeAt(planOf(graph), place).slug} has no check ${at}`);
  const green = isFinal(graph, place) ? lastGreen(graph, at) : null;
  return { type: 'check', ...fence, check: at, run: check.run, green, base };
}

/** A node's checks; the final node's are the plan's and, once each, every node's. */
export function checksAt(graph: GraphContext, place: number): readonly Pick<Check, 'run'>[] {
  return isFinal(graph, place) ? openFinalChecks(graph) : nodeAt(planOf(graph), place).checks;
}

const known = new WeakMap<GraphContext, readonly FinalCheck[]>();

/**
 * The final node's checks but for those of skipped nodes alone: a person went on without what they would look for.
 * Which ones these are cannot change while the final node is in flight, because every other node has ended by then.
 */
export function openFinalChecks(graph: GraphContext): readonly FinalCheck[] {
  let checks = known.get(graph);
  if (!checks)
    known.set(graph, (checks = finalChecks(planOf(graph)).filter((check) => isOpen(graph, check))));
  return checks;
}

function isOpen(graph: GraphContext, { ofPlan, nodes }: FinalCheck): boolean {
  const { place } = indexOf(planOf(graph));
  const skipped = (id: NodeId) => cellAt(graph.table, place.get(id) ?? -1).status === 'skipped';
  return ofPlan || !nodes.every(skipped);
}

/** A tree on which a check of the final node was seen green: that of the last node, in plan order, that has it. */
function lastGreen(graph: GraphContext, at: number): string | null {
  const plan = planOf(graph);
  const check = openFinalChecks(graph)[at];
  for (const id of [...(check?.nodes ?? [])].reverse()) {
    const place = indexOf(plan).place.get(id);
    if (place === undefined) continue;
    const own = nodeAt(plan, place).checks.findIndex(({ run }) => run === check?.run);
    const green = cellAt(graph.table, place).green[own];
    if (green) return green;
  }
  return null;
}
