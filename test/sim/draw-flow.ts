/** Random charts, small enough that an agent which chooses at random comes to their end, and the limit of its moves. */

import type { Flow, FlowExit, FlowNode, FlowRun } from '../../src/contract/flow.ts';
import type { ModelKnobs } from './model-world.ts';
import type { Random } from './random.ts';

/** What the simulated agent answers with, among other things. */
const LABELS = ['a', 'b', 'c'] as const;
const END: FlowNode = { id: 'end', label: 'END', kind: 'end', exits: [] };

interface FlowKnobs {
  readonly maxSteps: number;
  readonly meddling: boolean;
}

export function drawFlow(random: Random, { maxSteps, meddling }: FlowKnobs): FlowRun {
  const small = random.chance(0.5);
  const limit = small ? random.int(1, 6) : random.int(7, 40);
  return {
    name: 'flow',
    flow: randomFlow(random, random.chance(0.05) ? 0 : random.int(Math.min(3, maxSteps), maxSteps)),
    args: '',
    // Without a limit only where a person may leave it at any time: a walk may be long.
    maxMoves: meddling && random.chance(0.2) ? null : limit,
  };
}

/** Nothing is verified at the end of a flow, and nobody plans it. */
export function followed(knobs: ModelKnobs): ModelKnobs {
  const models = { ...knobs.models, panel: { node: 0, final: 0 } };
  return { ...knobs, models, planning: false, approve: false };
}

/** One exit of each step leads forward, so END can be reached from everywhere; the others of a decision lead anywhere. */
function randomFlow(random: Random, count: number): Flow {
  const ids = Array.from({ length: count }, (_, i) => `s${i}`);
  const forward = (i: number) => ids[random.int(i + 1, Math.min(i + 2, count))] ?? END.id;
  const anywhere = (i: number) => (random.chance(0.3) ? forward(i) : random.pick(ids));
  const steps = ids.map((id, i): FlowNode => {
    const isDecision = random.chance(0.6);
    const label = random.chance(0.3) ? random.pick(LABELS) : null;
    const exits = isDecision
      ? decided(random, [forward(i), anywhere(i), ...(random.chance(0.4) ? [anywhere(i)] : [])])
      : [{ to: forward(i), label }];
    return { id, label: id, kind: isDecision ? 'decision' : 'task', exits };
  });
  const begin: FlowNode = {
    id: 'begin',
    label: 'BEGIN',
    kind: 'begin',
    exits: [{ to: ids[0] ?? END.id, label: null }],
  };
  return { nodes: [begin, ...steps, END], begin: begin.id, end: END.id };
}

/** In any order: which of them is drawn first means nothing. */
function decided(random: Random, targets: readonly string[]): readonly FlowExit[] {
  const labels = shuffled(random, LABELS);
  return shuffled(random, targets).map((to, i) => ({ to, label: labels[i] ?? null }));
}

function shuffled<T>(random: Random, of: readonly T[]): readonly T[] {
  return of
    .map((one) => ({ one, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ one }) => one);
}
