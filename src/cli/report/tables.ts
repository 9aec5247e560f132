/** The tables and facts of a report, as texts: what both notations show. Run data is still hostile here. */

import { formatCost, formatDuration, formatTokens } from '../../contract/amount.ts';
import type { BudgetReport, Spending } from '../../contract/budget.ts';
import type { ChangedFile } from '../../os/shadow-git-diff.ts';
import { shareWords, spentWords } from '../render/budget-words.ts';
import { counted } from '../render/event-told.ts';
import type { DiffStat } from './file-report.ts';
import { flowFacts, flowSetup } from './flow-words.ts';
import type { NodeReport } from './node-report.ts';
import type { ReportData } from './report-data.ts';

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface Column<T> {
  readonly head: string;
  /** `mark`: a yes or no. */
  readonly kind: 'text' | 'number' | 'mark';
  readonly cell: (row: T) => string | boolean;
}

/** The last moment with a date of four digits. */
const MOST_TIME = Date.UTC(9999, 11, 31);

/** `2026-03-01 22:00:05 UTC`. */
export function stamp(at: number): string {
  // Whoever said so may have said anything.
  if (!(Math.abs(at) < MOST_TIME)) return 'the end of time';
  const text = new Date(at).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
}

/** `+12 −3`, and what cannot be counted. */
export function linesWords({ added, removed, binary }: DiffStat): string {
  const files = binary === 0 ? '' : `, ${counted(binary, 'binary file')}`;
  return `+${added} −${removed}${files}`;
}

export function changeWords({ change, from }: ChangedFile): string {
  if (change === 'moved') return `moved from ${from ?? '?'}`;
  return change === 'type' ? 'another type' : change;
}

/** What counts at a glance. */
export function keyFacts(data: ReportData): readonly Fact[] {
  const { budget, files, nodes, counts } = data;
  const done = counts.achieved + counts.skipped;
  const verified = nodes.filter((node) => node.verified).length;
  const reached =
    nodes.length === 0
      ? []
      : [
          { label: 'nodes ended well', value: `${done} of ${nodes.length}` },
          { label: 'verified', value: `${verified} of ${nodes.length}` },
        ];
  return [
    ...(data.flow === null ? reached : flowFacts(data.flow)),
    { label: 'running time', value: formatDuration(data.ran) },
    ...(budget === null
      ? []
      : spentWords(budget).map((value, i) => ({ label: i === 0 ? 'used' : 'cost', value }))),
    ...(files === null || files.total === null || files.total.files.length === 0
      ? []
      : [
          {
            label: counted(files.total.files.length, 'changed file'),
            value: `+${files.total.added} −${files.total.removed}`,
          },
        ]),
  ];
}

/** How it was set up. */
export function setupFacts(data: ReportData): readonly Fact[] {
  const { models, limits, plan, flow } = data;
  return [
    { label: 'run', value: data.run },
    { label: 'workspace', value: data.workspace },
    { label: 'plan', value: plan === null ? 'none yet' : `v${plan.version} ${plan.hash}` },
    { label: 'begun', value: stamp(data.createdAt) },
    { label: 'last event', value: stamp(data.lastAt) },
    ...(flow === null ? [{ label: 'side by side', value: `at most ${data.concurrency}` }] : flowSetup(flow)),
    ...(models === null ? [] : modelFacts(models, flow)),
    { label: 'limits', value: limitWords(limits) },
    ...(limits.until === null ? [] : [{ label: 'deadline', value: stamp(limits.until) }]),
    ...(data.resetAt === null ? [] : [{ label: 'worth going on from', value: stamp(data.resetAt) }]),
  ];
}

/** Of a flow nothing is verified: there is but its agent. */
function modelFacts(models: NonNullable<ReportData['models']>, flow: ReportData['flow']): readonly Fact[] {
  const { panel, sandbox } = models;
  const net = models.allowNet === true ? 'with network' : 'without network';
  const verifier = `${models.verifier}, ${panel.node} a node, ${panel.final} at the end`;
  return [
    { label: flow === null ? 'worker' : 'agent', value: models.worker },
    ...(flow === null ? [{ label: 'verifier', value: verifier }] : []),
    ...(models.baseUrl === null ? [] : [{ label: 'endpoint', value: models.baseUrl }]),
    ...(sandbox === null
      ? []
      : [{ label: 'sandbox', value: sandbox === 'off' ? OFF : `${sandbox}, ${net}` }]),
  ];
}

const OFF = 'off: nothing kept commands of models from the rest of the machine';

function limitWords({ tokens, cost, maxTime }: ReportData['limits']): string {
  const words = [
    ...(tokens === null ? [] : [`${formatTokens(tokens)} tokens`]),
    ...(cost === null ? [] : [formatCost(cost)]),
    ...(maxTime === null ? [] : [`${formatDuration(maxTime)} of running`]),
  ];
  return words.length === 0 ? 'none' : words.join(', ');
}

/** Columns that say nothing of any node are left out. */
export function nodeColumns({ nodes }: Pick<ReportData, 'nodes'>): readonly Column<NodeReport>[] {
  const byModels = nodes.some(({ goal }) => goal !== null);
  const counts = (head: string, cell: (node: NodeReport) => string): Column<NodeReport> => ({
    head,
    kind: 'number',
    cell,
  });
  const some = (count: number | undefined): string => (count ? String(count) : '');
  return [
    { head: 'status', kind: 'text', cell: ({ status }) => status },
    { head: 'executed', kind: 'mark', cell: ({ executed }) => executed },
    { head: 'claimed', kind: 'mark', cell: ({ claimed }) => claimed },
    { head: 'verified', kind: 'mark', cell: ({ verified }) => verified },
    ...(byModels ? [counts('rounds', ({ goal }) => some(goal?.rounds))] : []),
    counts('tries', ({ tries, rerun }) => (rerun ? `${tries} rerun` : some(tries))),
    ...(byModels
      ? [counts('tokens', ({ goal }) => (goal && goal.tokens > 0 ? formatTokens(goal.tokens) : ''))]
      : []),
    counts('time', ({ ms, tries }) => (tries > 0 || ms > 0 ? formatDuration(ms) : '')),
    ...(nodes.some(({ diff }) => diff !== null)
      ? [counts('lines', ({ diff }) => (diff === null || diff.files.length === 0 ? '' : linesWords(diff)))]
      : []),
  ];
}

export interface SpendRow {
  readonly name: string;
  readonly spending: Spending;
}

export function spendRows({ roles, models, total }: BudgetReport): {
  readonly roles: readonly SpendRow[];
  /** Empty when there is but one. */
  readonly models: readonly SpendRow[];
  readonly total: SpendRow;
} {
  return {
    roles: roles.map((spending) => ({ name: spending.role, spending })),
    models: models.length < 2 ? [] : models.map((spending) => ({ name: spending.model, spending })),
    total: { name: 'total', spending: total },
  };
}

export function spendColumns({ total }: BudgetReport): readonly Column<SpendRow>[] {
  const column = (head: string, cell: (spending: Spending) => string): Column<SpendRow> => ({
    head,
    kind: 'number',
    cell: ({ spending }) => cell(spending),
  });
  return [
    column('calls', ({ calls }) => String(calls)),
    column('input', ({ input }) => formatTokens(input)),
    column('cached', ({ input, cached }) => (input === 0 ? '' : shareWords(cached / input))),
    column('output', ({ output }) => formatTokens(output)),
    // Money that nobody knows is not shown as none.
    ...(total.calls > total.unpriced
      ? [column('cost', ({ calls, unpriced, cost }) => (calls > unpriced ? formatCost(cost) : ''))]
      : []),
    column('estimated', ({ estimated }) => (estimated === 0 ? '' : formatTokens(estimated))),
    column('overrun', ({ overrun }) => (overrun === 0 ? '' : formatTokens(overrun))),
  ];
}

/** What the numbers do not rest on a provider's report for, and what they leave out. */
export function spendNotes(
  { total, models, standing, reserved, left }: BudgetReport,
  { status }: Pick<ReportData, 'status'>,
): readonly string[] {
  const over = status === 'complete' || status === 'cleared';
  return [
    ...(left.tokens === null ? [] : [`${formatTokens(left.tokens)} tokens are left.`]),
    ...(reserved.tokens > 0
      ? [`${formatTokens(reserved.tokens)} tokens are reserved for calls in flight.`]
      : []),
    ...(!over && standing.tokens > 0
      ? [`${formatTokens(standing.tokens)} tokens are kept for the final verification.`]
      : []),
    ...(total.estimated > 0
      ? [
          `${formatTokens(total.estimated)} tokens are estimated: nothing was reported for them, so all that was reserved is charged.`,
        ]
      : []),
    ...(total.overrun > 0
      ? [`${formatTokens(total.overrun)} tokens are beyond what was reserved for them.`]
      : []),
    ...(total.unpriced > 0 && total.calls > total.unpriced
      ? [`${counted(total.unpriced, 'call')} without a price not in the cost.`]
      : []),
    ...models
      .filter(({ factor }) => factor > 100)
      .map(({ model }) => `${model} took more tokens than bytes: more is reserved for it now.`),
  ];
}

/** What the three records mean. */
export function recordWords({ models }: Pick<ReportData, 'models'>): string {
  if (models === null) {
    return 'Executed: its command ran to an end. Claimed: with exit code 0. Verified: every check was green.';
  }
  return 'Executed: its worker was at work, or its command ran to an end. Claimed: its worker says that it is done, or its command ended with exit code 0. Verified: every check was green, and its panel did not refute it.';
}
