/** A node in the report: where it stands, what it took, how it was checked, what was found and what became of it. */

import type { Ended } from '../../contract/event.ts';
import { FINAL_NODE, type NodeId } from '../../contract/ids.ts';
import type { StoredEvent } from '../../contract/ports.ts';
import type { NodeStatus } from '../../contract/status.ts';
import type { CheckView, NodeView, RunView, VoteView } from '../../contract/view.ts';
import { checkOwners, isGreen, type Owners } from '../render/check-owners.ts';
import { statOf, type DiffStat, type RunDiffs } from './file-report.ts';
import { gapReports, summariesOf, type GapReport, type Summaries } from './gap-report.ts';
import { busyTimes, type Timeline } from './timeline.ts';

export interface NodeReport {
  readonly id: NodeId;
  readonly slug: string;
  readonly title: string;
  /** Slugs. */
  readonly deps: readonly string[];
  readonly depIds: readonly NodeId[];
  readonly status: NodeStatus;
  readonly reason: string | null;
  readonly executed: boolean;
  readonly claimed: boolean;
  readonly verified: boolean;
  readonly tries: number;
  readonly rerun: boolean;
  /** Milliseconds at work and in verification, waiting left out. */
  readonly ms: number;
  readonly command: string | null;
  readonly work: Ended | null;
  readonly checks: readonly CheckReport[];
  /** Null for a node that no model works on. */
  readonly goal: GoalReport | null;
  /** Null where it is not known. */
  readonly diff: DiffStat | null;
}

export interface GoalReport {
  readonly rounds: number;
  readonly verifications: number;
  readonly tokens: number;
  readonly turns: number;
  readonly sameShare: number | null;
  /** What its worker says it did: a claim, and no more. */
  readonly summary: string | null;
  readonly gaps: readonly GapReport[];
  /** The last verification, seat by seat. */
  readonly votes: readonly VoteView[];
  readonly injections: readonly string[];
  readonly discovered: readonly string[];
  readonly patch: string | null;
  /** When a parked node goes on. */
  readonly until: number | null;
}

export type CheckWord = 'green' | 'red' | 'reused' | 'open';

export interface CheckReport {
  readonly run: string;
  readonly word: CheckWord;
  readonly ms: number | null;
  readonly exit: string | null;
  readonly tail: string;
  /** Files that were put back for it as they were before the work. */
  readonly restored: readonly string[];
  /** Whose it is, for checks of the final node. */
  readonly from: readonly string[];
}

export interface NodesInput {
  readonly view: RunView;
  readonly events: readonly StoredEvent[];
  readonly timeline: Timeline;
  readonly diffs: RunDiffs | null;
}

interface Known {
  readonly slugs: ReadonlyMap<NodeId, string>;
  readonly owners: Owners;
  readonly said: Summaries;
  readonly times: ReadonlyMap<NodeId | null, number>;
  readonly diffs: RunDiffs | null;
}

export function nodeReports({ view, events, timeline, diffs }: NodesInput): readonly NodeReport[] {
  const known: Known = {
    slugs: new Map(view.nodes.map(({ id, slug }) => [id, slug])),
    owners: checkOwners(view),
    said: summariesOf(events),
    times: busyTimes(timeline),
    diffs,
  };
  return view.nodes.map((node) => nodeReport(node, known));
}

function nodeReport(node: NodeView, known: Known): NodeReport {
  const files = known.diffs?.nodes.get(node.id);
  const isFinal = node.id === FINAL_NODE;
  return {
    id: node.id,
    slug: node.slug,
    title: node.title,
    // The final node depends on all of them.
    deps: isFinal ? [] : node.deps.map((id) => known.slugs.get(id) ?? id),
    depIds: node.deps,
    status: node.status,
    reason: node.reason,
    executed: node.executed,
    claimed: node.claimed,
    verified: node.verified,
    tries: node.attempts,
    rerun: node.rerun,
    ms: known.times.get(node.id) ?? node.ms,
    command: node.command,
    work: node.work,
    checks: node.checks.map((check) => checkReport(check, isFinal ? known.owners : null)),
    goal: goalReport(node, known.said),
    diff: files === undefined ? null : statOf(files),
  };
}

function goalReport({ goal, id }: NodeView, said: Summaries): GoalReport | null {
  if (goal === null) return null;
  return {
    rounds: goal.round,
    verifications: goal.verification,
    tokens: goal.tokens,
    turns: goal.turns,
    sameShare: goal.sameShare,
    summary: goal.summary,
    gaps: gapReports(goal.gaps, said.get(id)),
    votes: goal.votes,
    injections: goal.injections,
    discovered: goal.discovered,
    patch: goal.patch,
    until: goal.until,
  };
}

function checkReport(check: CheckView, owners: Owners | null): CheckReport {
  const { run, end } = check;
  return {
    run,
    word: wordOf(check),
    ms: end === null || end.reused ? null : end.ms,
    exit: end === null || end.reused ? null : endWords(end),
    tail: end?.tail ?? '',
    restored: end?.restored ?? [],
    from: owners === null ? [] : (owners.get(run) ?? ['plan']),
  };
}

function wordOf(check: CheckView): CheckWord {
  if (check.end === null) return 'open';
  if (check.end.reused) return 'reused';
  return isGreen(check) ? 'green' : 'red';
}

/** `exit 1`, `timeout`, `signal SIGKILL`. */
export function endWords({ outcome, exit, detail }: Ended): string {
  if (outcome === 'exit') return `exit ${exit ?? '?'}`;
  return detail === null ? outcome : `${outcome} ${detail}`;
}

/** Whether there is more to tell of it than its row in the table. */
export function isTold(node: NodeReport): boolean {
  return (
    node.status === 'failed' ||
    node.status === 'blocked' ||
    node.status === 'skipped' ||
    node.work !== null ||
    node.checks.some(({ word }) => word !== 'open') ||
    (node.diff?.files.length ?? 0) > 0 ||
    (node.goal !== null && node.goal.rounds > 0)
  );
}
