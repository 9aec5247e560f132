/** A flow as a drawing, with every exit under it, and the way that it has come. */

import { nodeId } from '../../contract/ids.ts';
import type { FlowStepView, FlowView, MoveView } from '../../contract/view.ts';
import { drawNodes, type DrawnNode } from './dag.ts';
import type { Screen } from './screen.ts';
import { clip, firstLine, pad, plain, width } from './text.ts';

/** The drawing where it fits; then every step with its exits, which the drawing has no room for. */
export function flowChart(flow: FlowView, screen: Screen): readonly string[] {
  const drawn = drawNodes(boxes(flow), screen, { everyLine: true });
  return [...(drawn === null ? [] : [...drawn, '']), ...stepLines(flow, screen)];
}

/**
 * Steps that can be reached, those before others first. Arrows that lead back to where one came from are left out: a
 * drawing of layers has none, and the list under it has all.
 */
function boxes(flow: FlowView): readonly DrawnNode[] {
  const byId = new Map(flow.steps.map((step) => [step.id, step]));
  const order: FlowStepView[] = [];
  const deps = new Map<string, string[]>();
  const state = new Map<string, 'open' | 'done'>();
  const begin = flow.steps.find(({ kind }) => kind === 'begin');
  // A stack of its own: a chart may be longer than the program's is deep.
  const stack = begin === undefined ? [] : [{ step: begin, next: 0 }];
  if (begin !== undefined) state.set(begin.id, 'open');
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const exits = top.step.kind === 'end' ? [] : top.step.exits;
    const to = exits[top.next++]?.to;
    if (to === undefined) {
      state.set(top.step.id, 'done');
      order.unshift(top.step);
      stack.pop();
      continue;
    }
    const step = byId.get(to);
    if (step === undefined || state.get(to) === 'open') continue;
    deps.set(to, [...(deps.get(to) ?? []), top.step.id]);
    if (state.has(to)) continue;
    state.set(to, 'open');
    stack.push({ step, next: 0 });
  }
  return order.map((step) => ({
    id: nodeId(step.id),
    slug: step.id,
    title: firstLine(step.label),
    deps: (deps.get(step.id) ?? []).map(nodeId),
    status: step.id === flow.at ? 'running' : step.visits > 0 ? 'achieved' : 'waiting',
  }));
}

function stepLines({ steps, at }: FlowView, screen: Screen): readonly string[] {
  const { ascii, columns, palette } = screen;
  const arrow = ascii ? '->' : '→';
  return steps.flatMap((step) => {
    const here = step.id === at;
    const often = step.visits > 0 ? ` (${step.visits}×)`.replace('×', ascii ? 'x' : '×') : '';
    const sign = here ? (ascii ? '>' : '►') : ' ';
    const label = step.label === step.id ? '' : `: ${firstLine(step.label)}`;
    const head = clip(`${sign} ${plain(step.id, ascii)}${often}${plain(label, ascii)}`, columns, ascii);
    const exits = step.kind === 'end' ? [] : step.exits;
    const ways = exits.map((exit) => {
      const word = exit.label === null ? '' : `${plain(exit.label, ascii)} `;
      return palette.dim(clip(`    ${word}${arrow} ${plain(exit.to, ascii)}`, columns, ascii));
    });
    return [here ? palette.bold(head) : head, ...ways];
  });
}

/** `email: at the step formal, move 3 of at most 1000`, as facts for one line. */
export function flowWords(
  { name, at, moves, maxMoves, picked }: FlowView,
  ascii: boolean,
): readonly string[] {
  return [
    `flow ${plain(name, ascii)}`,
    ...(at === null ? [] : [`at ${plain(at, ascii)}`]),
    ...(picked === null ? [] : [`goes on with ${plain(picked, ascii)}`]),
    `${moves === 1 ? '1 move' : `${moves} moves`}${maxMoves === null ? '' : ` of ${maxMoves}`}`,
  ];
}

/** Moves that are shown: the last ones. */
const MOST_MOVES = 12;

export function trailLines({ trail }: FlowView, screen: Screen): readonly string[] {
  const { ascii, columns } = screen;
  const shown = trail.slice(-MOST_MOVES);
  const left = trail.length - shown.length;
  const longest = Math.max(0, ...shown.map(({ step }) => width(plain(step, ascii))));
  const lines = shown.map((move) => {
    const number = pad(move.by === 'person' ? '' : String(move.move), 4);
    return clip(
      `${number}  ${pad(plain(move.step, ascii), longest)}  ${outcomeWords(move, ascii)}`,
      columns,
      ascii,
    );
  });
  return left > 0 ? [clip(`${left} earlier moves`, columns, ascii), ...lines] : lines;
}

function outcomeWords({ by, outcome, choice, detail }: MoveView, ascii: boolean): string {
  const chosen = plain(firstLine(choice ?? ''), ascii);
  if (by === 'person') return `a person chose ${chosen}`;
  if (outcome === 'short') return 'not brought to an end';
  if (outcome === 'failed') return 'no usable answer';
  if (detail !== null) return chosen === '' ? plain(detail, ascii) : `${plain(detail, ascii)}: ${chosen}`;
  return choice === null ? 'done' : `chose ${chosen}`;
}
