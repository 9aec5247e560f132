/** The lines that stand at the bottom of the terminal while a run is driven: what runs, how far it is, what is stuck. */

import type { GoalView, NodeView, RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import { formatTokens } from '../../contract/amount.ts';
import { spentWords, waitWords } from './budget-words.ts';
import { clip, plain } from './text.ts';
import { countWords, dot, glyphOf, nodeWords, paintStatus, statusWords } from './words.ts';
import { flowWords } from './flow-chart.ts';
import { hasPlan, nodeTime, timeWords } from './header.ts';

export interface LiveScreen extends Screen {
  /** Lines there are at most. */
  readonly rows: number;
}

/** Never wider than `columns`, never more than `rows` lines; the lines with the counts go last. */
export function liveLines(view: RunView, screen: LiveScreen): readonly string[] {
  if (screen.rows < 1) return [];
  if (view.status === 'planning') return [planningLine(view, screen)];
  const atWork = view.nodes.filter(({ status }) => status === 'running' || status === 'verifying');
  const busy = [...atWork, ...view.nodes.filter(({ status }) => status === 'parked')];
  const stopped = view.nodes.filter(({ status }) => status === 'failed' || status === 'blocked');
  const held = view.nodes.filter(({ status }) => status === 'held');
  const stuck = [...stopped, ...held];
  const head = headLines(view, screen);
  const room = screen.rows - head.length;
  // What runs comes first, but what is stuck keeps a third: on a long run it is the news.
  const forStuck = Math.min(stuck.length, Math.max(Math.floor(room / 3), room - busy.length));
  return [
    ...some(busy, { room: room - forStuck, line: (node) => busyLine(node, screen), what: 'running', screen }),
    ...head,
    ...some(stuck, {
      room: forStuck,
      line: (node) => stuckLine(node, screen),
      what: 'failed or held',
      screen,
    }),
  ];
}

interface Part {
  readonly room: number;
  readonly line: (node: NodeView) => string;
  readonly what: string;
  readonly screen: LiveScreen;
}

/** As many as there is room for; when not all, the last line says how many more. */
function some(nodes: readonly NodeView[], { room, line, what, screen }: Part): readonly string[] {
  if (nodes.length <= room) return nodes.map(line);
  if (room < 1) return [];
  const shown = nodes.slice(0, room - 1);
  const more = `  and ${nodes.length - shown.length} more ${what}`;
  return [...shown.map(line), screen.palette.dim(clip(more, screen.columns, screen.ascii))];
}

function busyLine(node: NodeView, screen: LiveScreen): string {
  const { ascii } = screen;
  if (node.goal !== null) return goalLine(node, node.goal, screen);
  const rerun = node.rerun ? ' (rerun)' : '';
  const command = plain(node.command ?? '', ascii);
  const words = `${plain(node.slug, ascii)}  ${node.status}${rerun}  ${nodeTime(node, screen.now)}  ${command}`;
  return glyphed(node, words, screen);
}

/** What there is of: state, round, who does what, tokens, time. A parked node says when it goes on instead. */
function goalLine(node: NodeView, goal: GoalView, screen: LiveScreen): string {
  const { ascii, now } = screen;
  const command = node.command === null ? '' : plain(node.command, ascii);
  const parts = [
    plain(node.slug, ascii),
    node.status,
    goal.round > 0 ? `round ${goal.round}` : '',
    ...(node.status === 'parked'
      ? [goal.until === null ? '' : waitWords(goal.until, now), nodeReason(node, ascii)]
      : // A check has a command, and then nobody else is at work.
        [command === '' ? plain(goal.doing ?? '', ascii) : command]),
    goal.tokens > 0 ? `${formatTokens(goal.tokens)} tokens` : '',
    node.status === 'parked' ? '' : nodeTime(node, now),
  ];
  return glyphed(node, parts.filter((part) => part !== '').join('  '), screen);
}

function nodeReason({ reason }: NodeView, ascii: boolean): string {
  return plain(reason ?? '', ascii).trim();
}

function planningLine(view: RunView, screen: LiveScreen): string {
  const { ascii, columns, palette } = screen;
  const facts = [ascii ? 'planning...' : 'planning…', ...spent(view), ...timeWords(view, screen.now)];
  return palette.bold(clip(facts.join(dot(screen)), columns, ascii));
}

function spent({ budget }: RunView): readonly string[] {
  return budget === null ? [] : spentWords(budget);
}

function stuckLine(node: NodeView, screen: LiveScreen): string {
  return glyphed(node, `${plain(node.slug, screen.ascii)}  ${nodeWords(node, screen.ascii)}`, screen);
}

/** Only the glyph is coloured: the rest is clipped as one text. */
function glyphed(node: NodeView, words: string, { columns, ascii, palette }: LiveScreen): string {
  if (columns < 3) return clip(glyphOf(node.status, { ascii }), columns, ascii);
  const glyph = paintStatus(node.status, palette)(glyphOf(node.status, { ascii }));
  return `${glyph} ${clip(words, columns - 2, ascii)}`;
}

/** One line; with models a second one for what they use, as long as that leaves room for what they do. */
function headLines(view: RunView, screen: LiveScreen): readonly string[] {
  const status = plain(statusWords(view), screen.ascii);
  const counts = countWords(view).filter((words) => words !== `${view.counts.achieved} achieved`);
  const done = `${view.counts.achieved}/${view.nodes.length} achieved`;
  const progress = view.flow
    ? flowWords(view.flow, screen.ascii)
    : hasPlan(view)
      ? [done, ...counts.slice(1)]
      : [];
  const facts = [...(status === 'running' ? [] : [status]), ...progress];
  const used = [...spent(view), ...timeWords(view, screen.now)];
  const lines = view.budget !== null && screen.rows >= ROWS_FOR_TWO ? [facts, used] : [[...facts, ...used]];
  const { columns, ascii, palette } = screen;
  return lines.map((parts) => palette.bold(clip(parts.join(dot(screen)), columns, ascii)));
}

const ROWS_FOR_TWO = 4;
