import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFacts } from '../../src/graph/facts.ts';
import { asJson, contents, gated, node, plan, planOf } from '../support/plan-text.ts';

/** Facts in slugs, of nodes given as `slug: deps`. */
function facts(shape: Readonly<Record<string, string>>) {
  const nodes = Object.entries(shape).map(([slug, deps]) =>
    node(slug, { deps: deps.split(' ').filter(Boolean) }),
  );
  const all = planOf(gated(asJson(plan(nodes)), 'json'));
  const slugs = new Map(all.nodes.map(({ id, slug }) => [id, slug]));
  const { order, width, criticalPath } = planFacts(all);
  const named = (ids: typeof order) => ids.map((id) => slugs.get(id)).join(' ');
  return { order: named(order), width, criticalPath: named(criticalPath) };
}

describe('planFacts', () => {
  it.each([
    { shape: { a: '' }, order: 'a', width: 1, criticalPath: 'a' },
    { shape: { a: '', b: 'a', c: 'b' }, order: 'a b c', width: 1, criticalPath: 'a b c' },
    { shape: { a: '', b: '', c: '' }, order: 'a b c', width: 3, criticalPath: 'a' },
    { shape: { a: '', b: 'a', c: 'a', d: 'b c' }, order: 'a b c d', width: 2, criticalPath: 'a b d' },
    { shape: { d: 'c', c: '', b: '', a: 'b d' }, order: 'c d b a', width: 2, criticalPath: 'c d a' },
    { shape: { a: '', b: '', c: 'b', d: 'c', e: 'a' }, order: 'a b c d e', width: 2, criticalPath: 'b c d' },
  ])('of $shape', ({ shape, ...expected }) => {
    expect(facts(shape)).toEqual(expected);
  });

  it('name a path along deps that no other is longer than, and a width that is 1 for chains alone', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const all = planOf(gated(asJson(content), 'json'));
        const nodes = new Map(all.nodes.slice(0, -1).map((one) => [one.id, one]));
        const { order, width, criticalPath } = planFacts(all);
        expect(order).toEqual([...nodes.keys()]);
        criticalPath.slice(1).forEach((id, i) => {
          expect(nodes.get(id)?.deps).toContain(criticalPath[i]);
        });
        const longest = (id: (typeof order)[number]): number =>
          1 + Math.max(0, ...(nodes.get(id)?.deps ?? []).map(longest));
        expect(criticalPath).toHaveLength(Math.max(...order.map(longest)));
        expect(width === 1).toBe(criticalPath.length === order.length);
        expect(width).toBeLessThanOrEqual(order.length - criticalPath.length + 1);
      }),
    );
  });
});
