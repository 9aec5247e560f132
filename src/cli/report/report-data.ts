/** What a report says, as plain data: made from the stored events of a run and nothing else, so it reads no clock. */

import type { BudgetReport } from '../../contract/budget.ts';
import type { Limits } from '../../contract/limits.ts';
import type { StoredEvent } from '../../contract/ports.ts';
import type { ModelSettings, SandboxMode } from '../../contract/settings.ts';
import type { RunView } from '../../contract/view.ts';
import { hasPlan } from '../render/header.ts';
import { pauseDetail } from '../render/words.ts';
import { nodeReports, type NodeReport } from './node-report.ts';
import { nextSteps, outcomeSentence, type NextStep } from './outcome.ts';
import { flowReport, type FlowReport } from './flow-report.ts';
import { fileReport, type FileReport, type RunDiffs } from './file-report.ts';
import { timelineOf, type Timeline } from './timeline.ts';

export interface ReportInput {
  readonly view: RunView;
  readonly events: readonly StoredEvent[];
  /** Null for a run of which no snapshots were taken. */
  readonly diffs: RunDiffs | null;
}

export interface ReportData {
  readonly run: string;
  readonly objective: string;
  readonly workspace: string;
  /** Null before a model has written it. */
  readonly plan: { readonly version: number; readonly hash: string } | null;
  readonly status: RunView['status'];
  readonly why: RunView['why'];
  /** What the outcome does not say already. */
  readonly detail: string | null;
  /** One sentence. */
  readonly outcome: string;
  /** Empty when there is nothing to do. */
  readonly next: readonly NextStep[];
  readonly counts: RunView['counts'];
  /** Milliseconds since the epoch: of the first and of the last event. */
  readonly createdAt: number;
  readonly lastAt: number;
  /** Milliseconds of running. */
  readonly ran: number;
  readonly concurrency: number;
  readonly limits: Limits;
  readonly resetAt: number | null;
  readonly models: ReportModels | null;
  readonly budget: BudgetReport | null;
  /** The chart that was followed, and how; null for a run of a plan. */
  readonly flow: FlowReport | null;
  /** In plan order; the final node last. */
  readonly nodes: readonly NodeReport[];
  /** Null for a run of which no snapshots were taken. */
  readonly files: FileReport | null;
  readonly timeline: Timeline;
}

export interface ReportModels {
  readonly worker: string;
  readonly verifier: string;
  readonly baseUrl: string | null;
  readonly panel: ModelSettings['panel'];
  readonly sandbox: SandboxMode | null;
  readonly allowNet: boolean | null;
}

export function reportData({ view, events, diffs }: ReportInput): ReportData {
  const lastAt = events.at(-1)?.event.at ?? view.createdAt;
  const timeline = timelineOf(events);
  const since = view.runningSince === null ? 0 : Math.max(0, lastAt - view.runningSince);
  return {
    run: view.run,
    objective: view.objective,
    workspace: view.workspace,
    plan: hasPlan(view) ? { version: view.planVersion, hash: view.planHash } : null,
    status: view.status,
    why: view.why,
    detail: view.why === null ? view.detail : pauseDetail(view.why, view.detail),
    outcome: outcomeSentence(view),
    next: nextSteps(view),
    counts: view.counts,
    createdAt: view.createdAt,
    lastAt,
    ran: view.ran + since,
    concurrency: view.concurrency,
    limits: view.limits,
    resetAt: view.status === 'paused' ? view.resetAt : null,
    models: modelsOf(view, events),
    budget: view.budget,
    flow: flowReport(view.flow, events),
    nodes: nodeReports({ view, events, timeline, diffs }),
    files: fileReport(diffs),
    timeline,
  };
}

function modelsOf({ models }: RunView, events: readonly StoredEvent[]): ReportModels | null {
  if (models === null) return null;
  const settings = lastSettings(events);
  return {
    worker: models.worker,
    verifier: models.verifier,
    baseUrl: settings?.baseUrl ?? null,
    panel: models.panel,
    sandbox: settings?.sandbox ?? null,
    allowNet: settings?.allowNet ?? null,
  };
}

/** Whoever resumes a run may change them. */
function lastSettings(events: readonly StoredEvent[]): ModelSettings | null {
  let settings: ModelSettings | null = null;
  for (const { event } of events) {
    if (event.type === 'run.created' || event.type === 'run.resumed') settings = event.models ?? settings;
  }
  return settings;
}
