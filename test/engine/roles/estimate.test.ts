import { describe, expect, it } from 'vitest';
import { estimate } from '../../../src/engine/roles/estimate.ts';
import { planFromText } from '../../../src/engine/roles/submit-plan.ts';
import type { Plan } from '../../../src/contract/plan.ts';
import { plan as fileOf } from '../../support/plans.ts';

const PANEL = { node: 1, final: 3 };

function planOf(specs: readonly string[]): Plan {
  const nodes = specs.map((spec, i) => ({ slug: `n${i}`, title: 't', spec, checks: [{ run: 'sh x.sh' }] }));
  const gate = { hasModel: true, hasPanel: true, budget: null };
  const outcome = planFromText(JSON.stringify({ nodes }), { objective: 'o', gate });
  if (!outcome.ok) throw new Error(outcome.faults.join('\n'));
  return outcome.plan;
}

describe('an estimate', () => {
  it('is the sum of its nodes and of planning, in whole tokens', () => {
    const { nodes, planning, total } = estimate(planOf(['a', 'b']), PANEL);
    expect(nodes.map(({ slug }) => slug)).toEqual(['n0', 'n1', 'gn-final']);
    expect(total).toBe(planning + nodes.reduce((sum, { tokens }) => sum + tokens, 0));
    for (const { tokens } of nodes) expect(Number.isSafeInteger(tokens)).toBe(true);
    expect(planning).toBeGreaterThan(10_000);
  });

  it('lies where such work lies: between 100k and 500k tokens a node', () => {
    const [first] = estimate(planOf(['Count words.']), PANEL).nodes;
    expect(first?.tokens).toBeGreaterThan(100_000);
    expect(first?.tokens).toBeLessThan(500_000);
  });

  it('grows with the spec and the panel', () => {
    const total = (spec: string, panel = PANEL) => estimate(planOf([spec]), panel).total;
    expect(total('x'.repeat(10_000))).toBeGreaterThan(total('x'));
    expect(total('x', { node: 3, final: 3 })).toBeGreaterThan(total('x'));
    expect(total('x', { node: 1, final: 5 })).toBeGreaterThan(total('x'));
  });

  it('is nothing for commands', () => {
    const commands = fileOf([{ slug: 'a' }, { slug: 'b', run: null }]);
    const cost = estimate(commands, PANEL).nodes.map(({ tokens }) => tokens > 0);
    expect(cost).toEqual([false, true, true]);
  });
});
