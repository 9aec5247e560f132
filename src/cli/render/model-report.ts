/** What models did, node by node, when a run comes to rest: what was refuted and what became of it. Hostile texts. */

import type { GoalView, NodeView, RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import { clip, clipMiddle, pad, plain, width, wrap } from './text.ts';
import { fateWords, isUnanimous, voteWords } from './vote-words.ts';

/** Texts a node are spelled out; for more there is the log. */
const MAX_ROWS = 12;

interface Row {
  readonly cells: readonly string[];
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** Nodes with nothing but a panel of one mind come last, a line each. */
export function modelReport(view: RunView, screen: Screen): readonly string[] {
  const worked = view.nodes.flatMap((node) => (node.goal === null ? [] : [{ node, goal: node.goal }]));
  const told = worked.map(({ node, goal }) => ({ node, goal, rows: rowsOf(node, goal, screen) }));
  const isOwn = ({ goal, rows }: (typeof told)[number]): boolean => rows.length > 0 || !isUnanimous(goal);
  return [
    ...told.filter(isOwn).flatMap(({ node, goal, rows }) => nodeReport(node, goal, { rows, screen })),
    ...justVoted(
      told.filter((one) => !isOwn(one)),
      screen,
    ),
  ];
}

interface Rows {
  readonly rows: readonly Row[];
  readonly screen: Screen;
}

function nodeReport(node: NodeView, goal: GoalView, { rows, screen }: Rows): readonly string[] {
  const { ascii, columns, palette } = screen;
  const shown = rows.slice(0, MAX_ROWS);
  const more = rows.length - shown.length;
  const slug = plain(node.slug, ascii);
  const last = more > 0 ? [clip(`  and ${more} more: goalgraph log ${slug}`, columns, ascii)] : [];
  const all = [...panelRows(goal, screen), ...shown];
  return ['', palette.bold(clip(slug, columns, ascii)), ...aligned(all, screen), ...last];
}

function justVoted(
  nodes: readonly { readonly node: NodeView; readonly goal: GoalView }[],
  { ascii, columns }: Screen,
): readonly string[] {
  const voted = nodes.filter(({ goal }) => goal.votes.length > 0);
  if (voted.length === 0) return [];
  const shown = voted.slice(0, MAX_VOTED);
  const longest = Math.max(...shown.map(({ node }) => width(plain(node.slug, ascii))));
  const room = Math.max(LEAST_NAME, Math.min(longest, columns - LEAST_TEXT));
  const lines = shown.map(({ node, goal }) => {
    const slug = pad(clipMiddle(plain(node.slug, ascii), room, ascii), Math.min(longest, room));
    return clip(`${slug}  panel: ${voteWords(goal, ascii)}`, columns, ascii);
  });
  const more = voted.length - shown.length;
  const last = more > 0 ? [clip(`and ${more} more: goalgraph log NODE`, columns, ascii)] : [];
  return ['', ...lines, ...last];
}

/** Nodes of which there is only a panel to tell. */
const MAX_VOTED = 24;
const LEAST_NAME = 12;

function rowsOf(node: NodeView, goal: GoalView, screen: Screen): readonly Row[] {
  return [...gapRows(goal, screen), ...otherRows(node, goal, screen)];
}

function gapRows(goal: GoalView, { palette }: Screen): readonly Row[] {
  return goal.gaps.map((gap) => {
    const paint = gap.state === 'closed' ? palette.dim : palette.yellow;
    return { cells: [`round ${gap.round}`, gap.from, fateWords(gap)], text: gap.text, paint };
  });
}

function panelRows(goal: GoalView, { ascii, palette }: Screen): readonly Row[] {
  if (goal.votes.length === 0) return [];
  const paint = isUnanimous(goal) ? palette.dim : palette.yellow;
  return [{ cells: ['panel'], text: voteWords(goal, ascii), paint }];
}

function otherRows({ slug }: NodeView, goal: GoalView, { palette }: Screen): readonly Row[] {
  const row = (cell: string, text: string, paint: Row['paint']): Row => ({ cells: [cell], text, paint });
  return [
    ...goal.injections.map((text) => row('injection', text, palette.red)),
    ...goal.discovered.map((text) => row('discovered', text, String)),
    ...(goal.patch === null ? [] : [row('kept', `work that was cut: goalgraph diff ${slug}`, palette.dim)]),
  ];
}

/** Cells in columns as far as there is room for a text beside them; else the text under them. */
function aligned(rows: readonly Row[], { columns, ascii }: Screen): readonly string[] {
  const most = Math.max(...rows.map(({ cells }) => cells.length));
  const widths = Array.from({ length: most }, (_, i) => Math.max(...rows.map(({ cells }) => wide(cells[i]))));
  const head = ({ cells }: Row): string =>
    '  ' + (cells.length === 1 ? cells : cells.map((cell, i) => pad(cell, widths[i] ?? 0))).join('  ');
  const room = Math.max(...rows.map((row) => width(head(row)))) + 2;
  const beside = columns - room >= LEAST_TEXT;
  return rows.flatMap((row) => {
    const text = wrap(plain(row.text, ascii), {
      columns: columns - (beside ? room : UNDER.length),
      most: MOST_LINES,
      ascii,
    });
    const lines = beside
      ? (text.length === 0 ? [''] : text).map((line, i) => pad(i === 0 ? head(row) : '', room) + line)
      : [head(row), ...text.map((line) => UNDER + line)];
    return lines.map((line) => row.paint(clip(line, columns, ascii)));
  });
}

const UNDER = '    ';
const MOST_LINES = 3;

const LEAST_TEXT = 40;

function wide(cell: string | undefined): number {
  return cell === undefined ? 0 : width(cell);
}
