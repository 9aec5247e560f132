/** The chart of a flow as a drawing in HTML: its steps, and on each arrow what is written on it. */

import { nodeId, type NodeId } from '../../contract/ids.ts';
import { clipMiddle, firstLine, plain } from '../render/text.ts';
import { boxesSvg, type SvgBox } from './dag-svg.ts';
import { flowOrder } from '../render/flow-order.ts';
import type { FlowExitReport, FlowReport, FlowStepReport } from './flow-report.ts';
import { BACK, exitWords, saysMore, stepMark } from './flow-rows.ts';
import type { Html } from './html-text.ts';

/**
 * What is written on an arrow is a box of its own, between the two. An arrow that leads back ends in one that says where
 * to: a drawing of layers has no arrows upwards. Null when there is too much to draw.
 */
export function flowSvg(flow: FlowReport, isResting: boolean): Html | null {
  const { order } = flowOrder(flow.steps);
  const byId = new Map(flow.steps.map((step) => [step.id, step]));
  // Names of steps are made up by people, and one may be that of another's arrow.
  const own = new Map(order.map(({ id }, i) => [id, nodeId(`step ${i}`)]));
  const into = new Map<string, NodeId[]>();
  const boxes = order.flatMap(({ id }) => {
    const step = byId.get(id);
    const from = own.get(id);
    if (step === undefined || from === undefined) return [];
    const arrows = step.exits.flatMap((exit, i) => {
      const isDrawn = exit.back || exit.label !== null;
      const label = isDrawn ? [arrowBox(exit, { id: nodeId(`${from} exit ${i}`), from })] : [];
      const last = label[0]?.id ?? from;
      if (!exit.back) into.set(exit.to, [...(into.get(exit.to) ?? []), last]);
      return label;
    });
    const depIds = into.get(id) ?? [];
    return [stepBox(step, { id: from, depIds, mark: stepMark(step, flow, isResting) }), ...arrows];
  });
  const name = `The flow as a chart of ${order.length} steps; the list of its steps says the same in words.`;
  return boxesSvg(boxes, { name, everyLine: true });
}

const SHAPE: Readonly<Record<FlowStepReport['kind'], SvgBox['shape']>> = {
  begin: 'round',
  end: 'round',
  task: 'box',
  decision: 'pointed',
};

interface Placing {
  readonly id: NodeId;
  readonly depIds: readonly NodeId[];
  readonly mark: ReturnType<typeof stepMark>;
}

function stepBox(step: FlowStepReport, { id, depIds, mark }: Placing): SvgBox {
  const { id: name, label, kind, visits } = step;
  const { look, glyph, words } = mark;
  const often = visits > 1 ? ` ${visits}×` : '';
  const title = saysMore(step) ? firstLine(label) : '';
  return { id, depIds, shape: SHAPE[kind], look, glyph, name, often, title, tip: `${name}: ${words}` };
}

/** Columns of the step that an arrow leads back to: never cut with what is written on it. */
const MOST_TARGET = 20;

function arrowBox(
  exit: FlowExitReport,
  { id, from }: { readonly id: NodeId; readonly from: NodeId },
): SvgBox {
  const { to, label, back, taken } = exit;
  const target = back ? [BACK, clipMiddle(plain(to), MOST_TARGET)] : [];
  return {
    id,
    depIds: [from],
    shape: 'label',
    look: taken > 0 ? 'e s-achieved' : 'e s-waiting',
    glyph: null,
    name: firstLine(label ?? ''),
    often: [...target, ...(taken > 1 ? [`${taken}×`] : [])].map((word) => ` ${word}`).join(''),
    title: '',
    tip: exitWords(exit),
  };
}
