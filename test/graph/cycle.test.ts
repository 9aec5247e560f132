import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycles } from '../../src/graph/cycle.ts';
import { stableOrder } from '../../src/kernel/order.ts';

const graphs = fc
  .integer({ min: 1, max: 10 })
  .chain((size) =>
    fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }),
  )
  .map((deps) => deps.map((list, i) => list.filter((dep) => dep !== i)));

describe('findCycles', () => {
  it.each([
    { name: 'none in a diamond', deps: [[], [0], [0], [1, 2]], cycles: [] },
    { name: 'two nodes', deps: [[1], [0]], cycles: [[0, 1]] },
    { name: 'three nodes, in the direction of the deps', deps: [[2], [0], [1]], cycles: [[0, 2, 1]] },
    {
      name: 'neither what leads to a cycle nor what hangs off it',
      deps: [[1], [2], [3], [2, 4], []],
      cycles: [[2, 3]],
    },
    {
      name: 'each of two that are apart',
      deps: [[1], [0], [3], [2]],
      cycles: [
        [0, 1],
        [2, 3],
      ],
    },
    {
      name: 'each of two in one knot',
      deps: [[1], [0, 2], [3], [2, 0]],
      cycles: [
        [0, 1],
        [2, 3],
      ],
    },
    {
      name: 'one behind another',
      deps: [[1], [0, 2], [3], [2]],
      cycles: [
        [0, 1],
        [2, 3],
      ],
    },
    { name: 'one of two that share a node', deps: [[1, 2], [0], [0]], cycles: [[0, 1]] },
    { name: 'nothing in a dep on itself', deps: [[0], [1, 0]], cycles: [] },
  ])('finds $name', ({ deps, cycles }) => {
    expect(findCycles(deps)).toEqual(cycles);
  });

  it('finds only real cycles, no node in two of them, and leaves nothing that goes round', () => {
    fc.assert(
      fc.property(graphs, (deps) => {
        const cycles = findCycles(deps);
        const members = cycles.flat();
        expect(new Set(members).size).toBe(members.length);
        for (const cycle of cycles) {
          expect(cycle.length).toBeGreaterThan(1);
          expect(Math.min(...cycle)).toBe(cycle[0]);
          cycle.forEach((node, i) => expect(deps[node]).toContain(cycle[(i + 1) % cycle.length]));
        }
        const rest = deps.map((list, i) =>
          members.includes(i) ? [] : list.filter((d) => !members.includes(d)),
        );
        expect(stableOrder(rest)).toHaveLength(deps.length);
      }),
    );
  });

  it('finds none exactly when everything can be ordered', () => {
    fc.assert(
      fc.property(graphs, (deps) => {
        expect(findCycles(deps).length === 0).toBe(stableOrder(deps).length === deps.length);
      }),
    );
  });

  it('follows a chain and a cycle of 100,000 nodes', () => {
    const size = 100_000;
    const chain = Array.from({ length: size }, (_, i) => (i === 0 ? [] : [i - 1]));
    expect(findCycles(chain)).toEqual([]);
    const ring = Array.from({ length: size }, (_, i) => [(i + 1) % size]);
    expect(findCycles(ring)[0]).toHaveLength(size);
  });
});
