/** Random plans, small enough that every kind of trouble meets every kind of node, through the real gate. */

import type { Plan } from '../../src/contract/plan.ts';
import { gate } from '../../src/graph/gate.ts';
import { parsePlan } from '../../src/graph/parse-plan.ts';
import type { Random } from './random.ts';

export interface PlanKnobs {
  readonly maxNodes: number;
  /** Whether nodes may say `on-cut: block`. */
  readonly mayBlock: boolean;
  /** Whether a model works on nodes without a command. */
  readonly byModel?: boolean;
}

const SCOPES = ['a', 'b/c', 'b/x', 'b/**', 'd/**', 'd/e/f', 'd/y'];

export function randomPlan(random: Random, { maxNodes, mayBlock, byModel = false }: PlanKnobs): Plan {
  const count = random.int(1, maxNodes);
  const slugs = Array.from({ length: count }, (_, i) => `n${i}`);
  const density = random.next();
  const nodes = slugs.map((slug, i) => {
    const checkOnly = random.chance(byModel ? 0.7 : 0.2);
    const most = byModel && random.chance(0.3) ? 0 : 3;
    const checks = Array.from({ length: random.int(Math.min(1, most), most) }, () => ({
      run: `check-${random.int(0, count)}`,
      once: random.chance(0.2),
    }));
    return {
      slug,
      title: slug,
      spec: byModel ? `do ${slug}` : '',
      deps: slugs.slice(0, i).filter(() => random.chance(density * 0.6)),
      scope: Array.from({ length: random.chance(0.2) ? 0 : random.int(1, 2) }, () => random.pick(SCOPES)),
      checks: checks.map(({ run, once }) => (once ? { run, once } : { run })),
      ...(checkOnly ? {} : { run: `work-${slug}` }),
      retries: random.chance(0.3) ? random.int(1, 2) : 0,
      ...(mayBlock && random.chance(0.2) ? { 'on-cut': 'block' } : {}),
    };
  });
  const text = JSON.stringify({ objective: 'simulate', checks: [{ run: 'check-plan' }], nodes });
  const draft = parsePlan({ text, file: 'plan.json', source: 'file', format: 'json' });
  const gated = gate(draft, { source: 'file', hasModel: byModel, hasPanel: byModel, budget: null });
  if (!gated.ok) throw new Error(gated.faults.map(({ message }) => message).join('\n'));
  return gated.plan;
}
