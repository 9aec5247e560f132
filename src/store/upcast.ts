/** Brings a stored event of an older schema to the newest one, a step at a time; what is stored never changes. */

import type { RunEvent } from '../contract/event.ts';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';

type Body = Readonly<Record<string, unknown>>;
type Step = (body: Body) => Body;

/** By type: the step at index i turns version i + 1 into version i + 2. */
export type Upcasts = Readonly<Record<string, readonly Step[]>>;

export const UPCASTS: Upcasts & Record<RunEvent['type'], readonly Step[]> = {
  'run.created': [
    (body) => ({ ...body, objective: objectiveOf(body['plan']), models: null, approve: false }),
    (body) => ({ ...body, flow: null }),
  ],
  'run.planned': [],
  'run.approved': [],
  'run.restored': [],
  'run.paused': [(body) => ({ ...body, resetAt: null })],
  'run.resumed': [(body) => ({ ...body, models: null }), (body) => ({ ...body, moves: 0 })],
  'run.completed': [],
  'run.cleared': [],
  'node.started': [],
  'work.ended': [],
  'check.ended': [(body) => ({ ...body, restored: [] })],
  'plan.refused': [],
  'base.ended': [],
  'brief.ended': [],
  'round.ended': [],
  'vote.ended': [],
  'strategy.ended': [],
  'wake.ended': [],
  'effect.failed': [],
  'node.parked': [],
  'node.kept': [],
  'move.ended': [],
  'flow.chosen': [],
  'session.asked': [],
  'turn.ended': [],
  'tools.ended': [],
  'session.compacted': [],
  'budget.reserved': [],
  'budget.waiting': [],
  'budget.tripped': [],
  'budget.charged': [],
  'budget.released': [],
  'budget.added': [],
  'node.achieved': [],
  'node.failed': [],
  'node.blocked': [],
  'node.retried': [],
  'node.skipped': [],
  'node.edited': [],
  late: [],
};

/** Before models, a run had the objective of its plan. */
function objectiveOf(plan: unknown): unknown {
  return typeof plan === 'object' && plan !== null && 'objective' in plan ? plan.objective : undefined;
}

/** The version in which an event of this type is written. */
export function eventVersion(type: RunEvent['type']): number {
  return UPCASTS[type].length + 1;
}

/** A failure says why, as the end of a sentence about the event. */
export function upcast(
  stored: { readonly type: string; readonly v: number; readonly body: Body },
  table: Upcasts = UPCASTS,
): Result<Body, string> {
  const { type, v } = stored;
  const steps = Object.hasOwn(table, type) ? table[type] : undefined;
  if (steps === undefined) return fail(`has the type "${type}", which this goalgraph does not know`);
  const newest = steps.length + 1;
  if (v > newest) {
    return fail(`("${type}") has schema version ${v}, while this goalgraph knows versions up to ${newest}`);
  }
  if (v < 1) return fail(`("${type}") has the impossible schema version ${v}`);
  return ok(steps.slice(v - 1).reduce((body, step) => step(body), stored.body));
}
