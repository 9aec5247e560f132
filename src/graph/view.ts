/** A run as front ends show it: where it stands comes from its state, what happened from the records of its events. */

import type { Effect } from '../contract/command.ts';
import type { Check } from '../contract/plan.ts';
import type { NodeStatus } from '../contract/status.ts';
import type { CheckView, NodeView, RunView } from '../contract/view.ts';
import type { RunCreated } from '../contract/event.ts';
import { deadline } from '../kernel/ledger.ts';
import { checksAt, effectOf } from './effects.ts';
import type { GoalSnapshot } from './goal-machine.ts';
import { planOf, type GraphContext } from './graph-context.ts';
import { nodeAt } from './plan-index.ts';
import type { NodeRecord, Records } from './records.ts';
import { limitsOf } from './run-ledger.ts';
import type { RunState } from './run-state.ts';
import { cellAt, type Cell } from './table.ts';

/** `created`: the run's first event. */
export function viewOf(created: RunCreated, state: RunState, records: Records): RunView {
  const graph = state.graph.context;
  const plan = planOf(graph);
  const nodes = plan.nodes.map((_, place) => nodeView(state, place, records));
  const { value } = state.graph;
  const ledger = state.ledger;
  return {
    run: created.run,
    objective: plan.objective,
    planVersion: plan.version,
    planHash: plan.hash,
    workspace: created.workspace,
    status: value === 'unplanned' ? 'running' : value,
    why: graph.paused?.why ?? null,
    detail: graph.paused?.detail ?? null,
    concurrency: graph.concurrency,
    createdAt: created.at,
    ran: ledger?.clock.ran ?? 0,
    runningSince: ledger?.clock.since ?? null,
    deadline: ledger && value === 'running' ? deadline(ledger) : null,
    limits: ledger ? limitsOf(ledger) : created.limits,
    counts: countsOf(nodes),
    nodes,
  };
}

function nodeView(state: RunState, place: number, records: Records): NodeView {
  const graph = state.graph.context;
  const node = nodeAt(planOf(graph), place);
  const cell = cellAt(graph.table, place);
  const goal = state.goals.get(node.id);
  const record = recordFor(cell, goal, records.of(node.id));
  const inFlight = cell.status === 'running' && goal ? effectOf(graph, place, goal) : null;
  const status: NodeStatus = inFlight?.type === 'check' ? 'verifying' : cell.status;
  const checks = checkViews(checksAt(graph, place), record);
  const verified = cell.status === 'achieved' && checks.length > 0;
  return {
    id: node.id,
    slug: node.slug,
    title: node.title,
    deps: node.deps,
    status,
    reason: reasonOf(graph, cell, record),
    command: inFlight?.run ?? node.run,
    attempts: attemptsOf(record, inFlight),
    rerun: record?.rerun ?? false,
    startedAt: record?.startedAt ?? null,
    ms: record?.ms ?? 0,
    executed:
      node.run === null ? checks.length > 0 && checks.every((check) => check.end) : Boolean(record?.work),
    claimed: node.run === null ? verified : record?.work?.outcome === 'exit' && record.work.exit === 0,
    verified,
    work: record?.work ?? null,
    checks,
  };
}

/** What a node has behind it counts no more once it has to begin anew; that it was tried, and for how long, does. */
function recordFor(cell: Cell, goal: GoalSnapshot | undefined, record: NodeRecord | null): NodeRecord | null {
  const open = cell.status === 'waiting' || cell.status === 'ready' || cell.status === 'held';
  const anew = open ? !goal : goal !== undefined && goal.context.attempt !== record?.attempt;
  return record && anew ? { ...record, work: null, checks: [], rerun: false } : record;
}

/** A retry that has just begun has no event of its own yet. */
function attemptsOf(record: NodeRecord | null, inFlight: Effect | null): number {
  if (!record) return 0;
  return record.attempts + (inFlight && inFlight.attempt > record.attempt ? 1 : 0);
}

function checkViews(checks: readonly Pick<Check, 'run'>[], record: NodeRecord | null): readonly CheckView[] {
  return checks.map(({ run }, i) => ({ run, end: record?.checks[i]?.end ?? null }));
}

function reasonOf(graph: GraphContext, cell: Cell, record: NodeRecord | null): string | null {
  if (cell.status === 'held' && cell.by !== null) return `held by ${nodeAt(planOf(graph), cell.by).slug}`;
  if (cell.status !== 'failed' && cell.status !== 'blocked') return null;
  return record?.detail ? record.detail : cell.why;
}

function countsOf(nodes: readonly NodeView[]): Readonly<Record<NodeStatus, number>> {
  const counts = {
    waiting: 0,
    ready: 0,
    running: 0,
    verifying: 0,
    achieved: 0,
    failed: 0,
    blocked: 0,
    held: 0,
    skipped: 0,
  };
  for (const node of nodes) counts[node.status]++;
  return counts;
}
