/** What models did, node by node, when a run comes to rest: what was refuted and what became of it. Hostile texts. */

import type { GapView, GoalView, NodeView, RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import { clip, pad, plain, width, wrap } from './text.ts';

/** Texts a node are spelled out; for more there is the log. */
const MAX_ROWS = 12;

interface Row {
  readonly cells: readonly string[];
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** Nodes without a gap, an injection or anything found on the way have nothing to report. */
export function modelReport(view: RunView, screen: Screen): readonly string[] {
  return view.nodes.flatMap((node) => (node.goal === null ? [] : nodeReport(node, node.goal, screen)));
}

function nodeReport(node: NodeView, goal: GoalView, screen: Screen): readonly string[] {
  const { ascii, columns, palette } = screen;
  const rows = [...gapRows(node, goal, screen), ...otherRows(goal, screen)];
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MAX_ROWS);
  const more = rows.length - shown.length;
  const slug = plain(node.slug, ascii);
  const last = more > 0 ? [clip(`  and ${more} more: goalgraph log ${slug}`, columns, ascii)] : [];
  return ['', palette.bold(clip(slug, columns, ascii)), ...aligned(shown, screen), ...last];
}

function gapRows(node: NodeView, goal: GoalView, { palette }: Screen): readonly Row[] {
  return goal.gaps.map((gap) => {
    const fate = fateOf(gap, goal, node.verified);
    const paint = gap.closed ? palette.dim : palette.yellow;
    return { cells: [`round ${gap.round}`, gap.from, fate], text: gap.text, paint };
  });
}

function otherRows(goal: GoalView, { palette }: Screen): readonly Row[] {
  const row = (cell: string, text: string, paint: Row['paint']): Row => ({ cells: [cell], text, paint });
  return [
    ...goal.injections.map((text) => row('injection', text, palette.red)),
    ...goal.discovered.map((text) => row('discovered', text, String)),
    ...(goal.patch === null ? [] : [row('kept', `work that was cut, as patch ${goal.patch}`, palette.dim)]),
  ];
}

/**
 * Closed by the first later claim of which this gap was not held any more. A claim that a check refuted was not seen
 * by a skeptic: it says nothing about a skeptic's gap.
 */
function fateOf(gap: GapView, goal: GoalView, verified: boolean): string {
  const later = goal.gaps.filter(({ round }) => round > gap.round);
  for (const round of new Set(later.map((each) => each.round))) {
    const found = later.filter((each) => each.round === round);
    if (found.some((other) => isSame(other, gap))) return `again in ${round}`;
    if (gap.from !== 'skeptic' || found.some(({ from }) => from === 'skeptic')) return `closed in ${round}`;
  }
  if (verified) return `closed in ${goal.round}`;
  return gap.closed ? 'not judged again' : 'open';
}

/** A red check is the same gap also when it says something else by now. */
function isSame(a: GapView, b: GapView): boolean {
  if (a.from !== b.from) return false;
  return a.text === b.text || (a.from === 'check' && commandOf(a.text) === commandOf(b.text));
}

/** The command of `check \`npm test\`: exit 1`. */
function commandOf(text: string): string {
  return text.slice(0, text.indexOf('`: '));
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
