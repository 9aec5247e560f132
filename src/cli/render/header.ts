/** The first lines of every view of a run: what it is for, where it stands, how far it is. */

import type { NodeView, RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import { formatDuration } from '../../contract/amount.ts';
import { budgetWords, momentWords } from './budget-words.ts';
import { flowWords } from './flow-chart.ts';
import { clip, firstLine, flow, plain } from './text.ts';
import { countWords, dot, runWords } from './words.ts';

/** The objective's first line, then facts; wrapped, never wider than the screen. */
export function headerLines(view: RunView, screen: Screen): readonly string[] {
  return [...runLines(view, screen), ...budgetLines(view, screen)];
}

/** What models have used, and what is left for them; none for a run without models. */
export function budgetLines(view: RunView, screen: Screen): readonly string[] {
  const { columns, ascii } = screen;
  if (view.budget === null) return [];
  const over = view.status === 'complete' || view.status === 'cleared';
  return flow(budgetWords(view.budget, over), { columns, separator: dot(screen), ascii });
}

/** The header without its budget. */
export function runLines(view: RunView, screen: Screen): readonly string[] {
  const { columns, ascii, palette } = screen;
  const wrap = { columns, separator: dot(screen), ascii };
  const identity = [
    `run ${plain(view.run, ascii)}`,
    ...runWords(view, ascii),
    ...resetWords(view, screen.now),
    hasPlan(view) ? `plan v${view.planVersion} ${plain(view.planHash, ascii)}` : 'no plan yet',
    `in ${plain(view.workspace, ascii)}`,
  ];
  const counts = view.flow ? flowWords(view.flow, ascii) : hasPlan(view) ? countWords(view) : [];
  const progress = [...counts, ...timeWords(view, screen.now)];
  const objective = clip(plain(firstLine(view.objective), ascii), columns, ascii);
  return [
    ...(objective === '' ? [] : [palette.bold(objective)]),
    ...flow(identity, wrap),
    ...flow(progress, wrap),
  ];
}

/** When it is worth going on, if whoever refused said so. */
function resetWords({ status, resetAt }: RunView, now: number): readonly string[] {
  return status !== 'paused' || resetAt === null ? [] : [`worth going on from ${momentWords(resetAt, now)}`];
}

/** False until a model has written it. */
export function hasPlan({ planVersion }: Pick<RunView, 'planVersion'>): boolean {
  return planVersion > 0;
}

/** Running time so far and what is left of it, as facts for one line. */
export function timeWords(view: RunView, now: number): readonly string[] {
  const ran = view.ran + (view.runningSince === null ? 0 : Math.max(0, now - view.runningSince));
  const words = [`ran ${formatDuration(ran)}`];
  if (view.deadline !== null) words.push(`${formatDuration(view.deadline - now)} left`);
  return words;
}

/** How long a node has been at it: the present start while in flight, else all it has taken; empty when none. */
export function nodeTime(node: NodeView, now: number): string {
  if (node.startedAt !== null) return formatDuration(now - node.startedAt);
  return node.ms > 0 || node.executed ? formatDuration(node.ms) : '';
}
