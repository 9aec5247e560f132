import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/contract/view.ts';
import type { Screen } from '../../../src/cli/render/screen.ts';
import { drawDag } from '../../../src/cli/render/dag.ts';
import { FINAL_NODE } from '../../../src/contract/ids.ts';
import { planView, screenOf } from '../../support/views.ts';
import { readDag } from '../../support/read-dag.ts';

/** The drawing without header and legend. */
function drawing(view: RunView, screen: Screen): readonly string[] | null {
  const lines = drawDag(view, screen);
  return lines === null ? null : lines.slice(lines.indexOf('') + 1, lines.lastIndexOf(''));
}

/** All dependencies that no other path implies, the final node's on every node included. */
function expectedEdges(deps: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const slugs = Object.keys(deps);
  const all: Record<string, readonly string[]> = { ...deps, [FINAL_NODE]: slugs };
  const above = new Map<string, Set<string>>();
  for (const [to, direct] of Object.entries(all)) {
    above.set(to, new Set(direct.flatMap((dep) => [dep, ...(above.get(dep) ?? [])])));
  }
  return Object.entries(all)
    .flatMap(([to, direct]) =>
      [...new Set(direct)]
        .filter((from) => !direct.some((other) => above.get(other)?.has(from)))
        .map((from) => `${from}>${to}`),
    )
    .sort();
}

function randomPlan(max: number): fc.Arbitrary<Record<string, string[]>> {
  return fc
    .tuple(fc.integer({ min: 1, max }), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 60 }))
    .chain(([count, reach, percent]) =>
      fc
        .array(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: reach * 3, maxLength: reach * 3 }), {
          minLength: count,
          maxLength: count,
        })
        .map((dice) =>
          Object.fromEntries(
            dice.map((throws, i) => [
              `n${i}`,
              throws.flatMap((value, j) => (value < percent && i - j > 0 ? [`n${i - j - 1}`] : [])),
            ]),
          ),
        ),
    );
}

describe('read back from the drawing', () => {
  test.each<[string, Record<string, string[]>]>([
    ['one node', { a: [] }],
    ['a chain', { a: [], b: ['a'], c: ['b'] }],
    ['a diamond', { a: [], b: ['a'], c: ['a'], d: ['b', 'c'] }],
    ['all on all', { a: [], b: [], c: [], x: ['a', 'b', 'c'], y: ['a', 'b', 'c'], z: ['x', 'y'] }],
    ['each on two of three', { a: [], b: [], c: [], x: ['a', 'b'], y: ['b', 'c'], z: ['a', 'c'] }],
    ['a long edge beside a chain', { a: [], b: ['a'], c: ['b'], d: ['c'], e: ['a'], f: ['d', 'e'] }],
    ['swapped pairs', { a: [], b: [], c: [], x: ['c'], y: ['b', 'a'], z: ['a', 'c'] }],
    ['a redundant edge', { a: [], b: ['a'], c: ['a', 'b'] }],
  ])('%s', (_, deps) => {
    const lines = drawing(planView(deps), screenOf(200));
    expect(readDag(lines ?? []).edges).toEqual(expectedEdges(deps));
  });

  test('twelve lines into a box with a short name', () => {
    const letters = 'a b c d e f g h i j k l'.split(' ');
    const own = Object.fromEntries(letters.map((name) => [`${name}2`, [name]]));
    const deps = { ...Object.fromEntries(letters.map((name) => [name, []])), ...own, z: letters };
    const lines = drawing(planView(deps), screenOf(400));
    expect(readDag(lines ?? []).edges).toEqual(expectedEdges(deps));
  });

  test('any plan: the drawn connections are the dependencies, no more, no less', () => {
    fc.assert(
      fc.property(
        randomPlan(30),
        fc.oneof(fc.constant(10_000), fc.integer({ min: 16, max: 130 })),
        (deps, columns) => {
          const lines = drawing(planView(deps), screenOf(columns));
          if (columns === 10_000) expect(lines).not.toBeNull();
          if (lines === null) return;
          const read = readDag(lines);
          expect([...read.boxes].sort()).toEqual([...Object.keys(deps), FINAL_NODE].sort());
          expect(read.edges).toEqual(expectedEdges(deps));
          // Without Unicode two joints side by side would be one line.
          expect(lines.join('\n')).not.toMatch(/[┐┘┤][┌└├]/);
          for (const line of lines) {
            expect(stringWidth(line)).toBeLessThanOrEqual(columns);
            expect(line).toBe(line.trimEnd());
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('layers go down: every arrowhead stands below the box its line comes from', () => {
    fc.assert(
      fc.property(randomPlan(20), (deps) => {
        const lines = drawing(planView(deps), screenOf(10_000)) ?? [];
        const row = (slug: string): number =>
          lines.findIndex((line) => new RegExp(` ${slug}( |$)`).test(line));
        for (const [to, direct] of Object.entries(deps)) {
          for (const from of direct) expect(row(from)).toBeLessThan(row(to));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('the drawing', () => {
  const deps = { a: [], b: [], x: ['a', 'b'], y: ['a'], z: ['b'], w: ['x', 'y', 'z', 'a'] };

  test('is the same each time', () => {
    expect(drawDag(planView(deps), screenOf(80))).toEqual(drawDag(planView(deps), screenOf(80)));
  });

  test('in ASCII has the same lines in other signs', () => {
    const signs = { '─': '-', '│': '|', '▼': 'v', '·': '.' } as Readonly<Record<string, string>>;
    const drawn = drawing(planView(deps), screenOf(80));
    const mapped = drawn?.map((line) => line.replace(/[^\x20-\x7e]/g, (sign) => signs[sign] ?? '+'));
    expect(drawing(planView(deps), screenOf(80, { ascii: true }))).toEqual(mapped);
  });

  test('says that dependencies were left out only when some were', () => {
    const legend = (view: RunView): string => drawDag(view, screenOf(200))?.at(-1) ?? '';
    expect(legend(planView(deps))).toContain('1 implied dependency not drawn');
    expect(legend(planView({ a: [], b: ['a'], c: ['b'] }))).not.toContain('implied');
  });

  test('is refused when it would be wider than the screen', () => {
    const fan = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`node-${i}`, []]));
    expect(drawDag(planView(fan), screenOf(80))).toBeNull();
    expect(drawDag(planView(fan), screenOf(400))).not.toBeNull();
    expect(drawDag(planView({ a: [] }), screenOf(8))).toBeNull();
  });

  test('does not go over the edge where a line is moved out of the way of another', () => {
    const crowded = {
      ...{ a: [], b: [], c: [], d: ['b'], e: ['b'], f: ['c', 'b', 'a'], g: ['e', 'c', 'a'] },
      ...{ h: ['d', 'c', 'b'], i: [] },
    };
    for (let columns = 20; columns < 60; columns++) {
      for (const line of drawing(planView(crowded), screenOf(columns)) ?? []) {
        expect(stringWidth(line)).toBeLessThanOrEqual(columns);
      }
    }
  });

  test('is refused for no nodes and for more than 200 boxes', () => {
    const chain = (count: number): RunView =>
      planView(
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, i === 0 ? [] : [`n${i - 1}`]])),
      );
    expect(drawDag({ ...planView({}), nodes: [] }, screenOf(80))).toBeNull();
    expect(drawDag(chain(199), screenOf(80))).not.toBeNull();
    expect(drawDag(chain(200), screenOf(80))).toBeNull();
  });

  test('of 200 tangled boxes takes less than a second, of 1,000 no time', () => {
    const tangle = (count: number): RunView =>
      planView(
        Object.fromEntries(
          Array.from({ length: count }, (_, i) => [
            `n${i}`,
            [1, 2, 7, 13, 29, 71].flatMap((step) =>
              i >= step && (i * step) % 5 < 3 ? [`n${i - step}`] : [],
            ),
          ]),
        ),
      );
    const started = performance.now();
    expect(drawDag(tangle(199), screenOf(2_000))).not.toBeNull();
    expect(drawDag(tangle(1_000), screenOf(2_000))).toBeNull();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
