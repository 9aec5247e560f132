/** The goals of a run are of three kinds: of a command's node, of a model's, and of one that follows a chart. */

import type { Plan } from '../contract/plan.ts';
import type { ModelSettings } from '../contract/settings.ts';
import type { FlowGoalEvent } from './flow-goal.ts';
import { flowGoalMachine, type FlowGoalSnapshot, type FlowGoalWish } from './flow-goal-machine.ts';
import { goalMachine, type GoalEvent, type GoalSnapshot, type GoalWish } from './goal-machine.ts';
import { modelGoalMachine, type ModelGoalSnapshot, type ModelGoalWish } from './model-goal-machine.ts';
import type { ModelGoalEvent } from './model-goal-context.ts';
import type { Means } from './node-rules.ts';
import { nodeAt } from './plan-index.ts';

export type AnyGoal = GoalSnapshot | ModelGoalSnapshot | FlowGoalSnapshot;
export type AnyGoalEvent = GoalEvent | ModelGoalEvent | FlowGoalEvent;
export type AnyGoalWish = GoalWish | ModelGoalWish | FlowGoalWish;

export function isModelGoal(goal: AnyGoal): goal is ModelGoalSnapshot {
  return goal.context.kind === 'model';
}

export function isFlowGoal(goal: AnyGoal): goal is FlowGoalSnapshot {
  return goal.context.kind === 'flow';
}

/** A model works on every node without a command of its own, if the run has one. */
export function isModelPlace(models: ModelSettings | null, plan: Plan, place: number): boolean {
  return models !== null && nodeAt(plan, place).run === null;
}

export function meansOf(models: ModelSettings | null): Means {
  return { hasModel: models !== null, hasPanel: models !== null && models.panel.node > 0 };
}

type GoalStep =
  | { readonly ok: true; readonly next: AnyGoal; readonly wishes: readonly AnyGoalWish[] }
  | { readonly ok: false };

/** The event is one of the goal's own kind: whoever tells it knows the node. */
export function stepGoal(goal: AnyGoal, event: AnyGoalEvent): GoalStep {
  const stepped = isModelGoal(goal)
    ? modelGoalMachine.step(goal, event as ModelGoalEvent)
    : isFlowGoal(goal)
      ? flowGoalMachine.step(goal, event as FlowGoalEvent)
      : goalMachine.step(goal, event as GoalEvent);
  return stepped.ok ? { ok: true, next: stepped.next, wishes: stepped.commands } : stepped;
}
