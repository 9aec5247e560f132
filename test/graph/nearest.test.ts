import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from '../../src/graph/nearest.ts';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['deps', 'dep', 1],
    ['check', 'cehck', 1],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['abc', 'xyz', 3],
  ])('between %j and %j is %i', (a, b, distance) => {
    expect(editDistance(a, b, 5)).toBe(distance);
  });

  it('is null beyond the limit', () => {
    expect(editDistance('kitten', 'sitting', 2)).toBeNull();
    expect(editDistance('a', 'abcdef', 3)).toBeNull();
  });

  it('is what the full table says', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b, 20)).toBe(fullTable(a, b));
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same both ways, zero only for equal texts, and does not depend on a limit it keeps to', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b, 10);
        expect(editDistance(b, a, 10)).toBe(distance);
        expect(distance === 0).toBe(a === b);
        expect(editDistance(a, b, distance ?? 0)).toBe(distance);
        if (distance !== null && distance > 0) expect(editDistance(a, b, distance - 1)).toBeNull();
      }),
    );
  });
});

describe('nearest', () => {
  it.each([
    { name: 'reed-file', from: ['read-file', 'options'], found: 'read-file' },
    { name: 'READ-FILE', from: ['options', 'read-file'], found: 'read-file' },
    { name: 'parse', from: ['options', 'parse-csv', 'parse-json'], found: 'parse-csv' },
    { name: 'zzz', from: ['read-file', 'options'], found: null },
    { name: 'b', from: ['a', 'c'], found: 'a' },
    { name: 'task2', from: ['task10', 'task3', 'task1'], found: 'task3' },
    { name: '', from: ['a'], found: 'a' },
    { name: 'constructor', from: [], found: null },
  ])('of $from for $name is $found', ({ name, from, found }) => {
    expect(nearest(name, from)).toBe(found);
  });
});

/** Optimal string alignment, all of it. */
function fullTable(a: string, b: string): number {
  const cell = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    return Math.min(
      known(i - 1, j) + 1,
      known(i, j - 1) + 1,
      known(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      swap ? known(i - 2, j - 2) + 1 : Infinity,
    );
  };
  const table = new Map<number, number>();
  const known = (i: number, j: number): number => {
    const key = i * 100 + j;
    const value = table.get(key) ?? cell(i, j);
    table.set(key, value);
    return value;
  };
  return known(a.length, b.length);
}
