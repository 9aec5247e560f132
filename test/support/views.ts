/** Views of runs for the tests of what renders them: a plan in a line, everything else by default. */

import picocolors from 'picocolors';
import type { CheckView, GoalView, NodeView, RunView } from '../../src/contract/view.ts';
import type { Ended } from '../../src/contract/event.ts';
import type { NodeStatus } from '../../src/contract/status.ts';
import type { Screen } from '../../src/cli/render/screen.ts';
import { FINAL_NODE, nodeId } from '../../src/contract/ids.ts';
import { NO_LIMITS } from '../../src/contract/limits.ts';
import { STATUSES } from '../../src/cli/render/words.ts';

/** 2026-03-01 22:00:00 UTC. */
export const START = Date.UTC(2026, 2, 1, 22);

export function screenOf(columns: number, more: Partial<Screen> = {}): Screen {
  return { columns, now: START + 130_000, palette: picocolors.createColors(false), ascii: false, ...more };
}

export function ended(more: Partial<Ended> = {}): Ended {
  return { outcome: 'exit', exit: 0, detail: null, ms: 1_200, output: null, bytes: 0, tail: '', ...more };
}

export function checkView(run: string, more: (Partial<Ended> & { reused?: boolean }) | null = {}): CheckView {
  return { run, end: more === null ? null : { reused: false, restored: [], ...ended(more) } };
}

/** What a model did for a node: nothing yet. */
export function goalOf(more: Partial<GoalView> = {}): GoalView {
  return {
    round: 0,
    verification: 0,
    gaps: [],
    votes: [],
    injections: [],
    tokens: 0,
    turns: 0,
    sameShare: null,
    discovered: [],
    summary: null,
    doing: null,
    until: null,
    patch: null,
    ...more,
  };
}

export function nodeView(slug: string, more: Partial<NodeView> = {}): NodeView {
  return {
    id: slug === FINAL_NODE ? FINAL_NODE : nodeId(slug),
    slug,
    title: slug,
    deps: [],
    status: 'waiting',
    reason: null,
    command: null,
    attempts: 0,
    rerun: false,
    startedAt: null,
    ms: 0,
    executed: false,
    claimed: false,
    verified: false,
    work: null,
    checks: [],
    goal: null,
    ...more,
  };
}

export function runView(nodes: readonly NodeView[], more: Partial<RunView> = {}): RunView {
  const count = (status: NodeStatus): number => nodes.filter((node) => node.status === status).length;
  const counts = Object.fromEntries(STATUSES.map((status) => [status, count(status)]));
  return {
    run: 'r-7f3a',
    objective: 'Build the CSV tool',
    planVersion: 1,
    planHash: '00c0ffee00c0ffee',
    workspace: '/w',
    status: 'running',
    why: null,
    detail: null,
    concurrency: 2,
    createdAt: START,
    ran: 100_000,
    runningSince: START,
    deadline: null,
    limits: NO_LIMITS,
    resetAt: null,
    budget: null,
    models: null,
    flow: null,
    counts: counts as RunView['counts'],
    nodes,
    ...more,
  };
}

/** `{ a: [], b: ['a'] }` with what differs from the defaults; the final node is added. */
export function planView(
  deps: Readonly<Record<string, readonly string[]>>,
  more: {
    readonly nodes?: Readonly<Record<string, Partial<NodeView>>>;
    readonly run?: Partial<RunView>;
  } = {},
): RunView {
  const nodes = Object.entries(deps).map(([slug, on]) =>
    nodeView(slug, { deps: on.map(nodeId), ...more.nodes?.[slug] }),
  );
  const final = nodeView(FINAL_NODE, {
    title: 'The whole objective',
    deps: nodes.map(({ id }) => id),
    ...more.nodes?.[FINAL_NODE],
  });
  return runView([...nodes, final], more.run);
}
