/** A flow as a drawing, with every exit under it, and the way that it has come. */

import { oneLineLabel } from '../../contract/flow.ts';
import { nodeId } from '../../contract/ids.ts';
import type { FlowStepView, FlowView, MoveView } from '../../contract/view.ts';
import { drawNodes, type DrawnNode } from './dag.ts';
import { flowOrder } from './flow-order.ts';
import type { Screen } from './screen.ts';
import { clip, firstLine, pad, plain, width } from './text.ts';

/** The drawing where it fits; then every step with its exits, which the drawing has no room for. */
export function flowChart(flow: FlowView, screen: Screen): readonly string[] {
  const drawn = drawFlow(flowBoxes(flow), screen);
  return [...(drawn === null ? [] : [...drawn, '']), ...stepLines(flow, screen)];
}

export function drawFlow(boxes: readonly DrawnNode[], screen: Screen): readonly string[] | null {
  return drawNodes(boxes, screen, { everyLine: true });
}

/** Arrows that lead back to where one came from are left out: a drawing of layers has none, and the list has all. */
export function flowBoxes(flow: FlowView): readonly DrawnNode[] {
  const { order, back } = flowOrder(flow.steps);
  const deps = new Map<string, string[]>();
  for (const { id, kind, exits } of order) {
    if (kind === 'end') continue;
    for (const [i, { to }] of exits.entries()) {
      if (back.get(id)?.has(i) === true) continue;
      const known = deps.get(to);
      if (known) known.push(id);
      else deps.set(to, [id]);
    }
  }
  return order.map((step) => ({
    id: nodeId(step.id),
    slug: step.id,
    title: firstLine(step.label),
    deps: (deps.get(step.id) ?? []).map(nodeId),
    status: step.id === flow.at ? 'running' : step.visits > 0 ? 'achieved' : 'waiting',
  }));
}

function stepLines(flow: FlowView, screen: Screen): readonly string[] {
  const { back } = flowOrder(flow.steps);
  return flow.steps.flatMap((step) => oneStep(step, { flow, screen, back: back.get(step.id) }));
}

interface StepPlace {
  readonly flow: FlowView;
  readonly screen: Screen;
  /** Places of its exits that lead back. */
  readonly back: ReadonlySet<number> | undefined;
}

function oneStep(step: FlowStepView, { flow, screen, back }: StepPlace): readonly string[] {
  const { ascii, columns, palette } = screen;
  const here = step.id === flow.at;
  const often = step.visits > 0 ? ` (${step.visits}${ascii ? 'x' : '×'})` : '';
  const sign = here ? (ascii ? '>' : '►') : ' ';
  const [first = '', ...more] = step.label.split(/\r\n|\r|\n/);
  const label = step.label === step.id ? '' : `: ${first}`;
  const head = clip(`${sign} ${plain(step.id, ascii)}${often}${plain(label, ascii)}`, columns, ascii);
  const rest = more.map((line) => clip(`      ${plain(line, ascii)}`, columns, ascii));
  const exits = step.kind === 'end' ? [] : step.exits;
  const ways = exits.map((exit, i) => {
    const word = exit.label === null ? '' : `${plain(oneLineLabel(exit.label), ascii)} `;
    const arrow = back?.has(i) === true ? (ascii ? '<-' : '↺') : ascii ? '->' : '→';
    return palette.dim(clip(`    ${word}${arrow} ${plain(exit.to, ascii)}`, columns, ascii));
  });
  return [here ? palette.bold(head) : head, ...rest, ...ways];
}

/** `flow email`, `at formal`, `3 moves of 1000`: facts for one line. */
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
