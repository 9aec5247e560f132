/** A guard against blow-up, not a benchmark: the bounds are wide. */

import { describe, expect, it } from 'vitest';
import { parseD2 } from '../../src/flow/d2.ts';
import { validate } from '../../src/flow/validate.ts';

const SIZE = 1_000_000;

/** The best of two, so that a collection of garbage in one of them does not count. */
function millisOf(text: string): number {
  const times = [0, 1].map(() => {
    const start = performance.now();
    const chart = parseD2(text);
    if (chart.ok) validate(chart.value);
    return performance.now() - start;
  });
  return Math.min(...times);
}

function filled(before: string, unit: string, size: number): string {
  return before + unit.repeat(Math.ceil(size / unit.length));
}

const UNITS = [
  ...[
    'a',
    ' ',
    '\n',
    '\r\n',
    '\u00a0',
    '\u00e9',
    '\ud83d',
    ';',
    ':',
    '.',
    '-',
    '<',
    '#',
    ' #',
    '$',
    '${',
    '${\n',
    '@',
    '*',
  ],
  ...[
    '{',
    '}',
    '{}',
    '[',
    ']',
    '(',
    ')',
    '"',
    "'",
    '|',
    '||',
    '`',
    '"""',
    '\\',
    '\\\n',
    '\\n',
    '_.',
    '...@x\n',
  ],
  ...[
    'a;',
    'a\n',
    'a{',
    'a{}',
    'a{}{}',
    'a\n{}\n',
    'a{b;',
    'a{b}\n',
    'a.',
    'a.b;',
    '"a"."b".',
    '"a\n',
    '"a" ',
  ],
  ...['a -> ', 'a->b;', 'a <-> b\n', 'a -- ', '(a->b)[0];', '(a->b)[0].label:x;', 'a->b:{label:x}\n'],
  ...[
    'a:"x"\n',
    'a:"x\n',
    "a:'x\n",
    'a: x"y\n',
    'a: x|\n',
    'a: |md x |;',
    'a: |md\nx\n|\n',
    'a:|md\n',
    'x: |\n',
    '|`',
  ],
  ...['a.class: [', "a.class: ['x", "a.class: ['\\'", 'style.x: {', 'vars: {', 'classes: {'],
];

const BEFORE = ['', 'a: ', 'a: "', 'a: |md\n', 'a.class: [', 'vars: {'];

describe('a D2 text of awkward pieces', () => {
  it('is read or refused at once when it is a million characters long', () => {
    for (const unit of UNITS) {
      const start = performance.now();
      parseD2(filled('', unit, SIZE));
      expect(performance.now() - start, JSON.stringify(unit)).toBeLessThan(5000);
    }
  }, 120_000);

  it.each(BEFORE)(
    'takes about four times as long as a quarter of it behind %j',
    (before) => {
      const slow = UNITS.filter((unit) => {
        const quarter = millisOf(filled(before, unit, SIZE / 60));
        // Below that, the clock and everybody else on the machine count for more than the text.
        return millisOf(filled(before, unit, SIZE / 15)) > 12 * Math.max(quarter, 10);
      });
      expect(slow).toEqual([]);
    },
    120_000,
  );
});

describe('a large D2 chart', () => {
  it('of 10,000 nodes is read and checked soon', () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `n${i}: Do step ${i}\nn${i} -> n${i + 1}: on`);
    const text = ['BEGIN -> n0', ...lines, 'n10000 -> END'].join('\n');
    expect(millisOf(text)).toBeLessThan(2000);
    const chart = parseD2(text);
    expect(chart.ok && validate(chart.value).ok).toBe(true);
  });

  it('within a box with a long name is read soon', () => {
    const text = `${'k'.repeat(500)}: {${Array.from({ length: 50_000 }, (_, i) => `${i};`).join('')}}`;
    expect(millisOf(text)).toBeLessThan(5000);
  });

  it('whose arrows are all labelled later is read soon', () => {
    const arrows = 'a -> b;'.repeat(30_000);
    const labels = Array.from({ length: 30_000 }, (_, i) => `(a -> b)[${i}]: ${i};`).join('');
    expect(millisOf(arrows + labels)).toBeLessThan(5000);
  });
});
