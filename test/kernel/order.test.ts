import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stableOrder } from '../../src/kernel/order.ts';

/** The definition itself, in quadratic time: the earliest node whose deps are all placed, again and again. */
function slowOrder(deps: readonly (readonly number[])[]): readonly number[] {
  const order: number[] = [];
  for (;;) {
    const next = deps.findIndex((list, i) => !order.includes(i) && list.every((dep) => order.includes(dep)));
    if (next < 0) return order;
    order.push(next);
  }
}

const graphs = fc.integer({ min: 0, max: 40 }).chain((size) =>
  fc.array(size === 0 ? fc.constant<number[]>([]) : fc.array(fc.nat(size - 1), { maxLength: 3 }), {
    minLength: size,
    maxLength: size,
  }),
);

/** Edges that only point back in a hidden order, so that nothing goes round; enough nodes to fill a heap. */
const acyclic = fc
  .integer({ min: 1, max: 40 })
  .chain((size) =>
    fc.record({
      edges: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 60 }),
      hidden: fc.shuffledSubarray([...Array(size).keys()], { minLength: size, maxLength: size }),
    }),
  )
  .map(({ edges, hidden }) => {
    const deps: number[][] = hidden.map(() => []);
    for (const [a, b] of edges) {
      if (a === b) continue;
      const [from = 0, to = 0] = [hidden[Math.max(a, b)], hidden[Math.min(a, b)]];
      deps[from]?.push(to);
    }
    return deps;
  });

describe('stableOrder', () => {
  it('keeps the given order when no edge speaks against it', () => {
    expect(stableOrder([[], [0], [0], [1, 2]])).toEqual([0, 1, 2, 3]);
  });

  it('takes the earliest free node at each step, not level by level', () => {
    // 0 needs 3; once 3 is placed, 0 comes before 4, although 4 was free all along.
    expect(stableOrder([[3], [], [], [], []])).toEqual([1, 2, 3, 0, 4]);
  });

  it('has nothing to order in an empty graph', () => {
    expect(stableOrder([])).toEqual([]);
  });

  it('leaves out cycles and what comes after them', () => {
    expect(stableOrder([[], [2], [1], [1], [4], [0]])).toEqual([0, 5]);
  });

  it('counts an edge that is given twice once', () => {
    expect(stableOrder([[1, 1], []])).toEqual([1, 0]);
  });

  it('agrees with the definition on any graph', () => {
    fc.assert(
      fc.property(graphs, (deps) => {
        expect(stableOrder(deps)).toEqual(slowOrder(deps));
      }),
    );
    fc.assert(
      fc.property(acyclic, (deps) => {
        expect(stableOrder(deps)).toEqual(slowOrder(deps));
      }),
      { numRuns: 300 },
    );
  });

  it('places every node of an acyclic graph after its deps', () => {
    fc.assert(
      fc.property(acyclic, (deps) => {
        const order = stableOrder(deps);
        expect(order.toSorted((a, b) => a - b)).toEqual([...deps.keys()]);
        deps.forEach((list, i) => {
          for (const dep of list) expect(order.indexOf(dep)).toBeLessThan(order.indexOf(i));
        });
      }),
    );
  });

  it('orders its own result as it is', () => {
    fc.assert(
      fc.property(acyclic, (deps) => {
        const order = stableOrder(deps);
        const again = order.map((node) => (deps[node] ?? []).map((dep) => order.indexOf(dep)));
        expect(stableOrder(again)).toEqual([...deps.keys()]);
      }),
    );
  });

  it('does not depend on the order in which deps are named', () => {
    fc.assert(
      fc.property(acyclic, (deps) => {
        expect(stableOrder(deps.map((list) => list.toReversed()))).toEqual(stableOrder(deps));
      }),
    );
  });

  it('manages chains and fans of 100,000 nodes', () => {
    const size = 100_000;
    const chain = Array.from({ length: size }, (_, i) => (i === size - 1 ? [] : [i + 1]));
    expect(stableOrder(chain)[0]).toBe(size - 1);
    const fan = Array.from({ length: size }, (_, i) => (i === size - 1 ? [] : [size - 1]));
    expect(stableOrder(fan)).toHaveLength(size);
  });
});
