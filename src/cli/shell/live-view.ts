/** What stands above the prompt while a run is driven here: which run, the plan as a drawing if there is room, what goes on. */

import { oneLineLabel } from '../../contract/flow.ts';
import type { RunView } from '../../contract/view.ts';
import { drawNodes, type DrawnNode } from '../render/dag.ts';
import { drawFlow, flowBoxes } from '../render/flow-chart.ts';
import { liveLines, type LiveScreen } from '../render/live.ts';
import type { Screen } from '../render/screen.ts';
import { clip, pad, plain, width } from '../render/text.ts';
import { dot, glyphOf, paintStatus, statusWords } from '../render/words.ts';
import { branchesOf } from './branches.ts';

/** Larger plans are a row of signs: their layout takes its time. */
const MOST_DRAWN = 40;

/** What a drawing leaves over shows what has happened. */
const MOST_OF_SCREEN = 0.6;

export type LiveView = (view: RunView, screen: LiveScreen) => readonly string[];

/** Keeps the last drawing: it changes with states and window only, and is asked for several times a second. */
export function makeLiveView(): LiveView {
  let drawnFor = '';
  let drawn: readonly string[] = [];
  const drawing = (nodes: readonly DrawnNode[], { screen, draw }: Drawing) => {
    const key = `${screen.columns} ${nodes.map(({ id, status }) => `${id}:${status}`).join(' ')}`;
    if (key !== drawnFor) {
      drawnFor = key;
      drawn = nodes.length > MOST_DRAWN ? [] : (draw(nodes, screen) ?? []);
    }
    return drawn;
  };
  return (view, screen) => {
    if (screen.rows < 1) return [];
    const rule = ruleLine(view, screen);
    if (screen.rows < 4) return liveLines(view, screen);
    const ways = branchLine(view, screen);
    const lines = liveLines(view, { ...screen, rows: screen.rows - 2 - ways.length });
    const nodes = shownNodes(view);
    const plan = drawing(nodes, { screen, draw: view.flow ? drawFlow : drawNodes });
    const fits =
      plan.length > 0 && 1 + plan.length + ways.length + lines.length <= screen.rows * MOST_OF_SCREEN;
    const list = nodes.length === 0 ? [] : [signLine(nodes, screen)];
    return [rule, ...(fits ? plan : list), ...ways, ...lines];
  };
}

interface Drawing {
  readonly screen: Screen;
  readonly draw: (nodes: readonly DrawnNode[], screen: Screen) => readonly string[] | null;
}

/** The steps of a chart; of a large one nothing, for the line of facts says where it stands. */
function shownNodes({ flow, nodes }: RunView): readonly DrawnNode[] {
  if (!flow) return nodes;
  return flow.steps.length > MOST_DRAWN ? [] : flowBoxes(flow);
}

/** Where a flow decides: what may be typed in the place of its agent. */
function branchLine(view: RunView, screen: Screen): readonly string[] {
  const { ascii, columns, palette } = screen;
  const branches = branchesOf(view).map((branch) => plain(oneLineLabel(branch), ascii));
  if (branches.length === 0) return [];
  return [palette.bold(clip(`branches, type one to decide: ${branches.join(dot(screen))}`, columns, ascii))];
}

/** `-- run 2026… - running - width 2/3 ---`: the line between what stays and what moves. */
function ruleLine(view: RunView, screen: Screen): string {
  const { ascii, columns, palette } = screen;
  const dash = ascii ? '-' : '─';
  const busy = view.counts.running + view.counts.verifying;
  const facts = [
    `run ${plain(view.run, ascii)}`,
    plain(statusWords(view), ascii),
    `width ${busy}/${view.concurrency}`,
  ];
  const words = clip(`${dash}${dash} ${facts.join(dot(screen))} `, columns, ascii);
  return palette.dim(words + dash.repeat(Math.max(0, columns - width(words))));
}

/** Every node with its sign and name, as many as fit in a line. */
function signLine(nodes: readonly DrawnNode[], screen: Screen): string {
  const { ascii, columns, palette } = screen;
  const more = ascii ? '...' : '…';
  let line = '';
  let used = 0;
  for (const [i, node] of nodes.entries()) {
    const words = `${glyphOf(node.status, screen)} ${plain(node.slug, ascii)}`;
    const gap = i === 0 ? '' : '  ';
    const room = i === nodes.length - 1 ? 0 : more.length + 2;
    if (used + gap.length + width(words) + room > columns) {
      return used === 0 ? clip(words, columns, ascii) : line + palette.dim(pad(`  ${more}`, 0));
    }
    line += gap + paintStatus(node.status, palette)(words);
    used += gap.length + width(words);
  }
  return line;
}
