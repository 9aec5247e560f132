/** A run as front ends show it: where it stands comes from its state, what happened from the records of its events. */

import type { Effect } from '../contract/command.ts';
import type { Check, PlanNode } from '../contract/plan.ts';
import type { NodeStatus } from '../contract/status.ts';
import type { CheckView, FlowView, NodeView, RunView } from '../contract/view.ts';
import type { RunCreated } from '../contract/event.ts';
import { deadline } from '../kernel/ledger.ts';
import { reportLedger } from '../kernel/ledger-report.ts';
import { checksAt, effectsOf } from './effects.ts';
import { flowView } from './flow-view.ts';
import { goalView } from './goal-view.ts';
import { isFlowGoal, isModelGoal, isModelPlace, type AnyGoal } from './goals.ts';
import { isFinal, planOf, type GraphContext } from './graph-context.ts';
import { nodeAt } from './plan-index.ts';
import type { NodeRecord, Records } from './records.ts';
import { limitsOf } from './run-ledger.ts';
import type { RunState } from './run-state.ts';
import { cellAt, type Cell } from './table.ts';

/** `created`: the run's first event. */
export function viewOf(created: RunCreated, state: RunState, records: Records): RunView {
  const graph = state.graph.context;
  const { plan, paused, models } = graph;
  const nodes = plan ? plan.nodes.map((_, place) => nodeView(state, place, records)) : [];
  const { value } = state.graph;
  const ledger = state.ledger;
  return {
    run: created.run,
    objective: created.objective,
    planVersion: plan?.version ?? 0,
    planHash: plan?.hash ?? '',
    workspace: created.workspace,
    status: value === 'unplanned' ? 'planning' : value,
    why: paused?.why ?? null,
    detail: paused?.detail ?? null,
    resetAt: paused?.resetAt ?? null,
    concurrency: graph.concurrency,
    createdAt: created.at,
    ran: ledger?.clock.ran ?? 0,
    runningSince: ledger?.clock.since ?? null,
    deadline: ledger && (value === 'running' || value === 'planning') ? deadline(ledger) : null,
    limits: ledger ? limitsOf(ledger) : created.limits,
    budget: ledger && models ? reportLedger(ledger) : null,
    models: models && { worker: models.worker, verifier: models.verifier, panel: models.panel },
    flow: flowOf(state, records),
    counts: countsOf(nodes),
    nodes,
  };
}

/** Its only node is the one that follows it. */
function flowOf({ graph, goals }: RunState, records: Records): FlowView | null {
  const { flow, plan } = graph.context;
  const id = plan?.nodes[0]?.id;
  if (!flow || !id) return null;
  const goal = goals.get(id);
  const live = goal && isFlowGoal(goal) ? goal.context : null;
  const ended = cellAt(graph.context.table, 0).status === 'achieved';
  return flowView(flow, { live, trail: records.of(id)?.trail ?? [], ended });
}

function nodeView(state: RunState, place: number, records: Records): NodeView {
  const graph = state.graph.context;
  const node = nodeAt(planOf(graph), place);
  const cell = cellAt(graph.table, place);
  const goal = state.goals.get(node.id);
  const known = records.of(node.id);
  const record = recordFor(cell, goal, known);
  const inFlight = cell.status === 'running' && goal ? (effectsOf(graph, place, goal)[0] ?? null) : null;
  const judging = inFlight?.type === 'check' || inFlight?.type === 'vote';
  const status = judging ? 'verifying' : statusOf(state, cell);
  const checks = checkViews(checksAt(graph, place), record);
  const byModel = isModelPlace(graph.models, planOf(graph), place);
  // Nobody looks at what came of a flow: its end is a claim.
  const verified = cell.status === 'achieved' && (byModel || checks.length > 0) && !graph.flow;
  return {
    id: node.id,
    slug: node.slug,
    title: node.title,
    deps: node.deps,
    status,
    reason: reasonOf(graph, place, record),
    command: commandOf(inFlight) ?? node.run,
    attempts: attemptsOf(record, inFlight),
    rerun: record?.rerun ?? false,
    startedAt: record?.startedAt ?? null,
    ms: (byModel ? record?.goal.ms : record?.ms) ?? 0,
    ...(graph.flow
      ? followed(known, cell)
      : byModel
        ? workedOn(known, verified)
        : commanded(node, record, { checks, verified })),
    verified,
    work: record?.work ?? null,
    checks,
    goal: byModel
      ? goalView({
          record: known?.goal ?? null,
          live: goal && isModelGoal(goal) ? goal.context : null,
          achieved: verified,
          checks: checks.map(({ run }) => run),
        })
      : null,
  };
}

/** Nothing is ready to start before a person has said yes. */
function statusOf({ graph }: RunState, { status }: Cell): NodeStatus {
  return graph.value === 'approval' && status === 'ready' ? 'waiting' : status;
}

type Told = Pick<NodeView, 'executed' | 'claimed'>;

function workedOn(record: NodeRecord | null, verified: boolean): Told {
  const { rounds = [], worked = 0 } = record?.goal ?? {};
  // The final node may find nothing to do: then what is claimed is what the others did.
  return {
    executed: verified || (rounds.length > 0 && worked > 0),
    claimed: verified || rounds.some(({ outcome }) => outcome === 'claim'),
  };
}

function followed(record: NodeRecord | null, { status }: Cell): Told {
  return { executed: (record?.trail.length ?? 0) > 0, claimed: status === 'achieved' };
}

function commanded(
  node: PlanNode,
  record: NodeRecord | null,
  { checks, verified }: { readonly checks: readonly CheckView[]; readonly verified: boolean },
): Told {
  if (node.run === null) {
    return { executed: checks.length > 0 && checks.every((check) => check.end), claimed: verified };
  }
  const { work } = record ?? {};
  return { executed: Boolean(work), claimed: work?.outcome === 'exit' && work.exit === 0 };
}

function commandOf(effect: Effect | null): string | null {
  return effect?.type === 'work' || effect?.type === 'check' ? effect.run : null;
}

/** What a node has behind it counts no more once it has to begin anew; that it was tried, and for how long, does. */
function recordFor(cell: Cell, goal: AnyGoal | undefined, record: NodeRecord | null): NodeRecord | null {
  const open = cell.status === 'waiting' || cell.status === 'ready' || cell.status === 'held';
  const anew = open ? !goal : goal !== undefined && goal.context.attempt !== record?.attempt;
  return record && anew ? { ...record, work: null, checks: [], rerun: false } : record;
}

/** A retry that has just begun has no event of its own yet. */
function attemptsOf(record: NodeRecord | null, inFlight: Effect | null): number {
  if (!record) return 0;
  const attempt = inFlight && 'attempt' in inFlight ? inFlight.attempt : 0;
  return record.attempts + (attempt > record.attempt ? 1 : 0);
}

function checkViews(checks: readonly Pick<Check, 'run'>[], record: NodeRecord | null): readonly CheckView[] {
  return checks.map(({ run }, i) => ({ run, end: record?.checks[i]?.end ?? null }));
}

/** The final node comes after all others, so whoever stopped short holds it; of another node only the first is known. */
function otherHolders(graph: GraphContext, place: number): string {
  if (!isFinal(graph, place)) return '';
  const others = planOf(graph).nodes.filter((_, i) => isShort(cellAt(graph.table, i))).length - 1;
  return others > 0 ? ` (and ${others} more)` : '';
}

function isShort({ status }: Cell): boolean {
  return status === 'failed' || status === 'blocked';
}

function reasonOf(graph: GraphContext, place: number, record: NodeRecord | null): string | null {
  const cell = cellAt(graph.table, place);
  if (cell.status === 'held' && cell.by !== null) {
    return `held by ${nodeAt(planOf(graph), cell.by).slug}${otherHolders(graph, place)}`;
  }
  if (cell.status !== 'failed' && cell.status !== 'blocked' && cell.status !== 'parked') return null;
  return record?.detail ? record.detail : cell.why;
}

function countsOf(nodes: readonly NodeView[]): Readonly<Record<NodeStatus, number>> {
  const counts = {
    waiting: 0,
    ready: 0,
    running: 0,
    verifying: 0,
    parked: 0,
    achieved: 0,
    failed: 0,
    blocked: 0,
    held: 0,
    skipped: 0,
  };
  for (const node of nodes) counts[node.status]++;
  return counts;
}
