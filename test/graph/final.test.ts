import { describe, expect, it } from 'vitest';
import { nodeId } from '../../src/contract/ids.ts';
import { finalChecks } from '../../src/graph/final.ts';
import { asJson, gated, node, plan, planOf } from '../support/plan-text.ts';

const check = (run: string, once = false) => ({ run, once });

describe('finalChecks', () => {
  it('are those of the plan, then each of its nodes once, in plan order, with the nodes that have them', () => {
    const all = planOf(
      gated(
        asJson(
          plan(
            [
              node('c', { deps: ['a'], checks: [check('shared'), check('own c'), check('own c')] }),
              node('a', { checks: [check('own a'), check('shared'), check('whole')] }),
              node('b', { checks: [check('passing', true), check('shared', true), check('whole', true)] }),
              node('d', { checks: [check('passing')] }),
            ],
            { checks: [check('whole'), check('alone', true), check('whole')] },
          ),
        ),
        'json',
      ),
    );
    const [a, c, d] = [nodeId('a'), nodeId('c'), nodeId('d')];
    expect(finalChecks(all)).toEqual([
      { run: 'whole', nodes: [a], ofPlan: true },
      { run: 'alone', nodes: [], ofPlan: true },
      { run: 'own a', nodes: [a], ofPlan: false },
      { run: 'shared', nodes: [a, c], ofPlan: false },
      { run: 'own c', nodes: [c], ofPlan: false },
      { run: 'passing', nodes: [d], ofPlan: false },
    ]);
    expect(finalChecks(all)).toBe(finalChecks(all));
  });

  it('may be named like what objects have by nature', () => {
    const all = planOf(
      gated(asJson(plan([node('a', { checks: [check('constructor'), check('__proto__')] })])), 'json'),
    );
    expect(finalChecks(all).map(({ run }) => run)).toEqual(['constructor', '__proto__']);
  });
});
