import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseD2 } from '../../src/flow/d2.ts';
import { validate } from '../../src/flow/validate.ts';
import { arrowsOf, chartOf, nodesOf } from './d2-chart.ts';

/** Pieces of the language, so that strings of them come near to charts. */
const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'box',
    '_',
    'label',
    'style',
    'null',
    '10',
    '__proto__',
    ' ',
    '  ',
    '\n',
    '\r\n',
    '\t',
    ';',
    ':',
    '.',
  ],
  ...[
    ' -> ',
    '->',
    '<-',
    '<->',
    '--',
    '-',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '[0]',
    '|md',
    '|',
    '||',
    '`',
    '"',
    "'",
    '"""',
  ],
  ...[
    '#',
    ' # ',
    '\\',
    '\\\n',
    '${',
    '$',
    '...',
    '@',
    '*',
    '&',
    '!',
    '\u00e9',
    '\u2192',
    '\ud83d',
    '\ufeff',
    '\u0000',
  ],
);

const nearChart = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

interface Drawing {
  readonly labels: readonly string[];
  readonly arrows: readonly { readonly from: number; readonly to: number; readonly label: string | null }[];
}

const label = fc
  .string({ unit: fc.constantFrom(...Array.from('ab \'"\\{};:#$|\n->&.é')), minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() !== '');

const drawing: fc.Arbitrary<Drawing> = fc.array(label, { minLength: 1, maxLength: 6 }).chain((labels) => {
  const node = fc.nat(labels.length - 1);
  const arrow = fc.record({ from: node, to: node, label: fc.option(label.map((text) => text.trim())) });
  return fc.record({ labels: fc.constant(labels), arrows: fc.array(arrow, { maxLength: 8 }) });
});

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', '\\$')}"`;
}

function linesOf({ labels, arrows }: Drawing): readonly string[] {
  return [
    ...labels.map((text, i) => `n${i}: ${quoted(text)}`),
    ...arrows.map((arrow) => {
      const text = arrow.label === null ? '' : `: ${quoted(arrow.label)}`;
      return `n${arrow.from} -> n${arrow.to}${text}`;
    }),
  ];
}

const nothing = fc.constantFrom(
  '',
  '   ',
  '# n0 -> n1',
  '"""\nn0 -> n1\n"""',
  'n0.style.fill: red',
  'n0.shape: oval',
  'direction: left',
  '*.style.fill: red',
  'vars: { x: {y: 1} }',
  "n0: { tooltip: don't; near: n1 }",
);

describe('reading D2', () => {
  it('never throws, and puts a fault within the text', () => {
    fc.assert(
      fc.property(fc.oneof(nearChart, fc.string({ unit: 'binary' })), (text) => {
        const chart = parseD2(text);
        if (chart.ok) {
          validate(chart.value);
          return;
        }
        const lines = text.split(/\r\n|\r|\n/);
        const { line, column, message } = chart.fault;
        expect(line).toBeGreaterThanOrEqual(1);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        expect(message).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });

  it('has no arrow without its two nodes', () => {
    fc.assert(
      fc.property(nearChart, (text) => {
        const chart = parseD2(text);
        if (!chart.ok) return;
        for (const [from, exits] of chart.value.exits) {
          expect(chart.value.nodes.has(from)).toBe(true);
          for (const { to } of exits) expect(chart.value.nodes.has(to)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('gives back what was drawn', () => {
    fc.assert(
      fc.property(drawing, (drawn) => {
        const chart = chartOf(linesOf(drawn).join('\n'));
        expect([...chart.nodes.values()].map(({ id, label }) => ({ id, label }))).toEqual(
          drawn.labels.map((text, i) => ({ id: `n${i}`, label: text })),
        );
        const exits = [...chart.exits].flatMap(([from, all]) => all.map((exit) => ({ from, ...exit })));
        const expected = drawn.arrows.map(({ from, to, label }) => ({
          from: `n${from}`,
          to: `n${to}`,
          label,
        }));
        expect(exits).toEqual(expect.arrayContaining(expected));
        expect(exits).toHaveLength(expected.length);
      }),
    );
  });

  it('is not changed by comments, blank lines and looks', () => {
    fc.assert(
      fc.property(
        drawing,
        fc.array(nothing, { maxLength: 20 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (drawn, between, end) => {
          const lines = linesOf(drawn).map((line) => line.replaceAll('\n', '\\n'));
          const plain = chartOf(lines.join('\n'));
          const mixed = chartOf(
            lines
              .flatMap((line, i) => [line, between[i] ?? ''])
              .join('\n')
              .replaceAll('\n', end),
          );
          expect(nodesOf(mixed)).toEqual(nodesOf(plain));
          expect(arrowsOf(mixed)).toEqual(arrowsOf(plain));
        },
      ),
    );
  });

  it('knows the line of a fault whatever stands before it', () => {
    fc.assert(
      fc.property(drawing, fc.array(nothing, { maxLength: 20 }), (drawn, between) => {
        const before = linesOf(drawn)
          .flatMap((line, i) => [line, between[i] ?? ''])
          .join('\n');
        const chart = parseD2(`${before}\nb!: x\nn0 -> b`);
        expect(chart).toMatchObject({ ok: false, fault: { line: before.split('\n').length + 1, column: 2 } });
      }),
    );
  });
});
