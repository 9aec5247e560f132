/** What the models of a run used, role by role, and what is left. */

import { formatCost, formatTokens } from '../../contract/amount.ts';
import type { BudgetReport, Spending } from '../../contract/budget.ts';
import type { RunView } from '../../contract/view.ts';
import { shareWords } from './budget-words.ts';
import { budgetLines } from './header.ts';
import type { Screen } from './screen.ts';
import { clip, flow, pad, plain, width } from './text.ts';
import { dot } from './words.ts';

export function ledgerReport(view: RunView, screen: Screen): readonly string[] {
  const { budget } = view;
  if (budget === null) return [];
  const { columns, ascii } = screen;
  const wrap = { columns, separator: dot(screen), ascii };
  return [
    '',
    ...(budget.total.calls === 0 ? [] : roleTable(budget, screen)),
    ...budgetLines(view, screen),
    ...flow(oddWords(budget), wrap).map((line) => screen.palette.yellow(line)),
    ...flow(sameWords(view, screen), wrap),
  ];
}

interface Column {
  readonly head: string;
  readonly cell: (spending: Spending) => string;
}

function columnsOf({ total }: BudgetReport): readonly Column[] {
  const tokens = (head: string, key: 'input' | 'output' | 'estimated' | 'overrun'): Column => ({
    head,
    cell: (spending) => formatTokens(spending[key]),
  });
  return [
    { head: 'calls', cell: ({ calls }) => String(calls) },
    tokens('input', 'input'),
    { head: 'cached', cell: ({ input, cached }) => (input === 0 ? '' : shareWords(cached / input)) },
    tokens('output', 'output'),
    // Money that nobody knows is not shown as none.
    ...(total.calls > total.unpriced ? [{ head: 'cost', cell: costWords }] : []),
    ...(total.estimated > 0 ? [tokens('estimated', 'estimated')] : []),
    ...(total.overrun > 0 ? [tokens('overrun', 'overrun')] : []),
  ];
}

function costWords({ calls, unpriced, cost }: Spending): string {
  return calls > unpriced ? formatCost(cost) : '';
}

/** Columns go from the right when it is narrow. */
function roleTable(budget: BudgetReport, { columns, ascii, palette }: Screen): readonly string[] {
  const all = columnsOf(budget);
  const rows = [...budget.roles, { role: 'total', ...budget.total }].map((row) => [
    plain(row.role, ascii),
    ...all.map(({ cell }) => cell(row)),
  ]);
  const table = [['role', ...all.map(({ head }) => head)], ...rows];
  const widths = all.map((_, i) => Math.max(...table.map((row) => width(row[i + 1] ?? ''))));
  const first = Math.max(...table.map(([role = '']) => width(role)));
  const lines = table.map(([role = '', ...cells]) => {
    let line = pad(role, first);
    for (const [i, cell] of cells.entries()) {
      const next = `${line}  ${pad('', (widths[i] ?? 0) - width(cell))}${cell}`;
      if (width(next) > columns) break;
      line = next;
    }
    return clip(line, columns, ascii);
  });
  return lines.map((line, i) =>
    i === 0 ? palette.dim(line) : i === lines.length - 1 ? palette.bold(line) : line,
  );
}

/** What the numbers do not rest on a provider's report for, and models that took more than was reserved. */
function oddWords({ total, models }: BudgetReport): readonly string[] {
  const wrong = models.filter(({ factor }) => factor > 100).length;
  return [
    ...(total.estimated > 0
      ? [`${formatTokens(total.estimated)} tokens estimated: nothing was reported`]
      : []),
    ...(total.overrun > 0 ? [`${formatTokens(total.overrun)} tokens beyond their reservations`] : []),
    ...(total.unpriced > 0 && total.calls > total.unpriced
      ? [`${total.unpriced} calls without a price are not in the cost`]
      : []),
    ...(wrong > 0 ? ['a model took more than its bytes: more is reserved now'] : []),
  ];
}

/** Bytes that the request before had, too: what a provider's cache can serve. */
function sameWords({ nodes }: RunView, { ascii }: Screen): readonly string[] {
  const parts = nodes.flatMap(({ slug, goal }) =>
    goal === null || goal.sameShare === null ? [] : [`${plain(slug, ascii)} ${shareWords(goal.sameShare)}`],
  );
  const [first, ...rest] = parts;
  return first === undefined ? [] : [`repeated input bytes: ${first}`, ...rest];
}
