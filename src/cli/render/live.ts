/** The lines that stand at the bottom of the terminal while a run is driven: what runs, how far it is, what is stuck. */

import type { NodeView, RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import { clip, plain } from './text.ts';
import { countWords, dot, glyphOf, nodeWords, paintStatus, pausedWords } from './words.ts';
import { nodeTime, timeWords } from './header.ts';

export interface LiveScreen extends Screen {
  /** Lines there are at most. */
  readonly rows: number;
}

/** Never wider than `columns`, never more than `rows` lines; the line with the counts goes last. */
export function liveLines(view: RunView, screen: LiveScreen): readonly string[] {
  if (screen.rows < 1) return [];
  const busy = view.nodes.filter(({ status }) => status === 'running' || status === 'verifying');
  const stopped = view.nodes.filter(({ status }) => status === 'failed' || status === 'blocked');
  const held = view.nodes.filter(({ status }) => status === 'held');
  const stuck = [...stopped, ...held];
  const room = screen.rows - 1;
  // What runs comes first, but what is stuck keeps a third: on a long run it is the news.
  const forStuck = Math.min(stuck.length, Math.max(Math.floor(room / 3), room - busy.length));
  return [
    ...some(busy, { room: room - forStuck, line: (node) => busyLine(node, screen), what: 'running', screen }),
    countLine(view, screen),
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
  const rerun = node.rerun ? ' (rerun)' : '';
  const command = plain(node.command ?? '', ascii);
  const words = `${plain(node.slug, ascii)}  ${node.status}${rerun}  ${nodeTime(node, screen.now)}  ${command}`;
  return glyphed(node, words, screen);
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

function countLine(view: RunView, screen: LiveScreen): string {
  const status = view.status === 'paused' && view.why !== null ? pausedWords(view.why) : view.status;
  const counts = countWords(view).filter((words) => words !== `${view.counts.achieved} achieved`);
  const done = `${view.counts.achieved}/${view.nodes.length} achieved`;
  const facts = [
    ...(status === 'running' ? [] : [status]),
    done,
    ...counts.slice(1),
    ...timeWords(view, screen.now),
  ];
  return screen.palette.bold(clip(facts.join(dot(screen)), screen.columns, screen.ascii));
}
