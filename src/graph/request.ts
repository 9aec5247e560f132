/** A person's request as the event it becomes, or why it cannot be: a sentence that says what to do instead. */

import type { RunEvent } from '../contract/event.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import { oneLineLabel } from '../contract/flow.ts';
import type { Limits } from '../contract/limits.ts';
import { never } from '../contract/never.ts';
import type { PlanNode } from '../contract/plan.ts';
import type { AddedLimits, Edit, Request } from '../contract/request.ts';
import { reservedBy, spentBy } from '../kernel/ledger-room.ts';
import { deadline, limitTime, ran, startClock, type Ledger } from '../kernel/ledger.ts';
import { branchMeant } from './branch.ts';
import { editNode } from './edit.ts';
import { stepAt } from './flow-goal.ts';
import { isFlowGoal, meansOf, stepGoal } from './goals.ts';
import { planOf } from './graph-context.ts';
import { nearest } from './nearest.ts';
import { limitsOf, raise } from './run-ledger.ts';
import type { RunState } from './run-state.ts';

type Made = Result<RunEvent, string>;

export function eventOf(state: RunState, request: Request, at: number): Made {
  switch (request.type) {
    case 'pause':
      return ok({ type: 'run.paused', at, why: 'user', detail: request.by, resetAt: null });
    case 'approve':
      return ok({ type: 'run.approved', at });
    case 'resume':
      return resumed(state, request, at);
    case 'choose':
      return chosen(state, request, at);
    case 'clear':
      return ok({ type: 'run.cleared', at });
    case 'retry':
      return withNode(state, request.node, (node) => ok({ type: 'node.retried', at, node: node.id }));
    case 'skip':
      return withNode(state, request.node, (node) => ok({ type: 'node.skipped', at, node: node.id }));
    case 'edit':
      return withNode(state, request.node, (node) => edited(state, node, { edit: request, at }));
    default:
      return never(request);
  }
}

type Choice = Extract<Request, { type: 'choose' }>;

const OF_A_FLOW =
  'the node of a flow is not retried, skipped or edited: goalgraph resume goes on where it stands, goalgraph clear gives it up';

function withNode(state: RunState, name: string, make: (node: PlanNode) => Made): Made {
  if (state.graph.context.flow) return fail(OF_A_FLOW);
  if (!state.graph.context.plan) return fail('the run has no plan yet');
  const { nodes } = planOf(state.graph.context);
  const node = nodes.find(({ id, slug }) => id === name || slug === name);
  if (node) return make(node);
  const near = nearest(
    name,
    nodes.map(({ slug }) => slug),
  );
  return fail(
    `there is no node ${name}${near === null ? ': goalgraph status lists them' : `; did you mean ${near}?`}`,
  );
}

function chosen(state: RunState, { branch: typed, step }: Choice, at: number): Made {
  if (!state.graph.context.flow) return fail('the run follows no flow: there is nothing to choose');
  const [entry] = [...state.goals].filter(([, goal]) => isFlowGoal(goal));
  const [node, goal] = entry ?? [];
  if (!node || !goal || !isFlowGoal(goal) || goal.context.step === '') {
    return fail('the flow is at no step: there is nothing to choose');
  }
  const { id, kind, exits } = stepAt(goal.context, goal.context.step);
  if (step !== null && step !== id) return fail(`the flow has gone on to the step ${id} meanwhile`);
  if (kind !== 'decision') return fail(`the flow is at the step ${id}, where nothing is decided`);
  const labels = exits.flatMap(({ label }) => label ?? []);
  const branch = branchMeant(typed, labels);
  if (branch === null) {
    return fail(`the step ${id} has no branch ${typed}. It has: ${labels.map(oneLineLabel).join(', ')}`);
  }
  return ok({ type: 'flow.chosen', at, node, step: id, branch, move: goal.context.move });
}

function edited(state: RunState, node: PlanNode, { edit, at }: { edit: Edit; at: number }): Made {
  const { spec, run, checks } = edit;
  const edited = editNode(planOf(state.graph.context), node.id, {
    spec,
    run,
    checks,
    means: meansOf(state.graph.context.models),
  });
  if (!edited.ok) return fail(edited.faults.map((fault) => fault.message).join('\n'));
  const { version, hash } = edited.plan;
  return ok({ type: 'node.edited', at, node: node.id, version, hash, spec, run, checks });
}

function resumed(state: RunState, request: Extract<Request, { type: 'resume' }>, at: number): Made {
  if (!state.ledger) return fail('the run was not created yet');
  const limits = added(state.ledger, request.add, at);
  const due = deadline(startClock(limitTime(state.ledger, limits), at));
  // Of a run that is not paused the machine has better words.
  if (state.graph.value === 'paused' && due !== null && due <= at) {
    return fail(
      'its time is up: resume with --max-time to add running time, or with --until for a later hour',
    );
  }
  const flowFault = movesFault(state, request.add.moves);
  if (flowFault !== null) return fail(flowFault);
  const { models: old } = state.graph.context;
  if (!old && request.models) return fail('no model works on this run: its plan is one of commands');
  const models = request.models ?? old;
  const raised =
    models && state.graph.value === 'paused' ? raise(state.ledger, { models, limits, at }) : null;
  if (raised && !raised.ok) return fail(raised.fault.message);
  return ok({
    type: 'run.resumed',
    at,
    limits,
    concurrency: request.concurrency ?? state.graph.context.concurrency,
    models: request.models,
    moves: request.add.moves ?? 0,
  });
}

/** Without more moves it would pause again at once. */
function movesFault({ graph, goals }: RunState, moves: number | null): string | null {
  const { flow, epoch } = graph.context;
  if (!flow) return moves === null ? null : 'the run follows no flow: --max-moves adds to nothing';
  if (flow.maxMoves === null && moves !== null)
    return 'the flow has no limit of moves: --max-moves adds to nothing';
  if (graph.value !== 'paused') return null;
  const maxMoves = flow.maxMoves === null ? null : flow.maxMoves + (moves ?? 0);
  const isSpent = [...goals.values()].some((goal) => {
    const next = isFlowGoal(goal) ? stepGoal(goal, { type: 'again', epoch, maxMoves }) : null;
    return next?.ok === true && next.next.value === 'spent';
  });
  return isSpent ? 'its moves are used up: resume with --max-moves to add some' : null;
}

/** What is added counts from what is left; where there was no limit, from now on. */
function added(ledger: Ledger, add: AddedLimits, at: number): Limits {
  const { tokens, cost, maxTime, until } = limitsOf(ledger);
  const ranSoFar = ran(ledger, at);
  const spent = spentBy(ledger.sums);
  const reserved = reservedBy(ledger.open);
  return {
    tokens: add.tokens === null ? tokens : (tokens ?? spent.tokens + reserved.tokens) + add.tokens,
    cost: add.cost === null ? cost : (cost ?? spent.cost + reserved.cost) + add.cost,
    maxTime: add.maxTime === null ? maxTime : Math.max(maxTime ?? 0, ranSoFar) + add.maxTime,
    until: add.until ?? until,
  };
}
