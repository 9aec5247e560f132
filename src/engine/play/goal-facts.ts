/** What a role must know of the goal it works for, looked up in the run's state and records. */

import type { Fence } from '../../contract/command.ts';
import type { NodeId } from '../../contract/ids.ts';
import type { Plan, PlanNode } from '../../contract/plan.ts';
import { checksAt } from '../../graph/effects.ts';
import { isModelGoal } from '../../graph/goals.ts';
import { isFinal, planOf } from '../../graph/graph-context.ts';
import type { ModelGoalContext } from '../../graph/model-goal-context.ts';
import { nodeAt } from '../../graph/plan-index.ts';
import type { Records } from '../../graph/records.ts';
import { placeOf } from '../../graph/run.ts';
import type { RunState } from '../../graph/run-state.ts';
import { cellAt } from '../../graph/table.ts';
import type { CheckResult } from '../prompts/skeptic.ts';

export interface GoalFacts {
  readonly plan: Plan;
  readonly node: PlanNode;
  readonly goal: ModelGoalContext;
  readonly final: boolean;
  /** Slugs of nodes that a person has skipped. */
  readonly skipped: readonly string[];
}

/** Of a goal in flight: the state owes an effect for it. */
export function goalFacts(state: RunState, { node: id }: Pick<Fence, 'node'>): GoalFacts {
  const graph = state.graph.context;
  const plan = planOf(graph);
  const place = placeOf(state, id);
  const goal = state.goals.get(id);
  if (!goal || !isModelGoal(goal)) throw new Error(`${id} has no goal for a model`);
  const skipped = plan.nodes.filter((_, i) => cellAt(graph.table, i).status === 'skipped');
  return {
    plan,
    node: nodeAt(plan, place),
    goal: goal.context,
    final: isFinal(graph, place),
    skipped: skipped.map(({ slug }) => slug),
  };
}

/** What a node builds on, with what its workers said of it. */
export function depsOf({ plan, node }: GoalFacts, records: Records) {
  const byId = new Map(plan.nodes.map((one) => [one.id, one]));
  return node.deps.flatMap((id) => {
    const dep = byId.get(id);
    if (!dep) return [];
    return [{ slug: dep.slug, title: dep.title, summary: lastSummary(records, id) }];
  });
}

function lastSummary(records: Records, id: NodeId): string | null {
  const rounds = records.of(id)?.goal.rounds ?? [];
  return rounds.findLast(({ outcome }) => outcome === 'claim')?.report?.summary ?? null;
}

/** Ends of the node's checks since its last round; the program ran them. */
export function checkResults(state: RunState, id: NodeId, records: Records): readonly CheckResult[] {
  const checks = checksAt(state.graph.context, placeOf(state, id));
  const ends = records.of(id)?.checks ?? [];
  return checks.flatMap(({ run }, i) => {
    const end = ends[i]?.end;
    return end ? [{ run, exit: end.exit, tail: end.tail, restored: end.restored }] : [];
  });
}

export function evidenceOf(records: Records, id: NodeId): readonly string[] {
  const rounds = records.of(id)?.goal.rounds ?? [];
  return [...new Set(rounds.flatMap(({ report }) => report?.evidence ?? []))];
}
