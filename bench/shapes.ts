/**
 * The plans that are measured. Every node has a command, one check, and a folder of its own to write in, so that
 * nodes may run side by side; the gate adds the final node on top of the number given.
 */

import type { Plan } from '../src/contract/plan.ts';
import { gate } from '../src/graph/gate.ts';
import { parsePlan } from '../src/graph/parse-plan.ts';

export type Shape = 'chain' | 'fan' | 'dag';
export const SHAPES: readonly Shape[] = ['chain', 'fan', 'dag'];

/**
 * `shared`: all nodes have the same check, so the final node runs one. `distinct`: each has its own, and the final
 * node runs them all again, one after the other.
 */
export type Checks = 'shared' | 'distinct';

const LAYER = 20;

export interface PlanOf {
  readonly shape: Shape;
  readonly nodes: number;
  readonly checks?: Checks;
}

export function planOf({ shape, nodes, checks = 'shared' }: PlanOf): Plan {
  const gated = gate(
    parsePlan({
      text: planText({ shape, nodes, checks }),
      file: 'plan.json',
      source: 'file',
      format: 'json',
    }),
    {
      source: 'file',
      hasModel: false,
      hasPanel: false,
      budget: null,
    },
  );
  if (!gated.ok) throw new Error(gated.faults[0]?.message);
  return gated.plan;
}

function planText({ shape, nodes, checks }: Required<PlanOf>): string {
  const deps = DEPS[shape](nodes);
  return JSON.stringify({
    objective: 'Measure the engine',
    nodes: deps.map((places, i) => ({
      slug: `n${i}`,
      title: `Node number ${i}`,
      spec: 'Does nothing.',
      deps: places.map((place) => `n${place}`),
      scope: [`out/n${i}/**`],
      checks: [{ run: checks === 'shared' ? 'check' : `check ${i}` }],
      run: `work ${i}`,
    })),
  });
}

type Deps = readonly (readonly number[])[];

const DEPS: Record<Shape, (nodes: number) => Deps> = {
  chain: (nodes) => each(nodes, (i) => (i === 0 ? [] : [i - 1])),
  fan: (nodes) => {
    const middle = each(nodes - 2, (i) => i + 1);
    return [[], ...middle.map(() => [0]), middle];
  },
  dag: layers,
};

/** Layers of 20: three deps each in the layer above, and a fourth where that makes three edges a node in all. */
function layers(nodes: number): Deps {
  const random = generator();
  const fourth = 3 * nodes - 3 * (nodes - LAYER);
  return each(nodes, (i) => {
    const above = (Math.floor(i / LAYER) - 1) * LAYER;
    if (above < 0) return [];
    const count = i - LAYER < fourth ? 4 : 3;
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(above + random(LAYER));
    return [...chosen];
  });
}

/** Fixed, so that every run measures the same plan. */
function generator() {
  let seed = 42;
  return (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed >>> 8) % below;
  };
}

function each<T>(count: number, make: (i: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

export function edgesOf(plan: Plan): number {
  return plan.nodes.slice(0, -1).reduce((sum, { deps }) => sum + deps.length, 0);
}
