import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chart } from '../../src/flow/chart.ts';
import { parseMermaid } from '../../src/flow/mermaid.ts';

function chartOf(text: string): Chart {
  const chart = parseMermaid(text);
  if (!chart.ok) throw new Error(`${chart.fault.line}:${chart.fault.column} ${chart.fault.message}\n${text}`);
  return chart.value;
}

const nodesOf = (chart: Chart) => [...chart.nodes.values()].map(({ id, label }) => ({ id, label }));
const plain = (chart: Chart) => ({ nodes: nodesOf(chart), exits: [...chart.exits] });

/** Signs of the language in disorder: most such texts are no charts, and none may be more than refused. */
const pieces = fc.constantFrom(
  'A',
  'B',
  'o',
  'x',
  'end',
  'subgraph',
  'style',
  'class',
  'click',
  'graph',
  'TD',
  'accDescr',
  'direction',
  '--',
  '-->',
  '---',
  '==>',
  '==',
  '-.',
  '.->',
  '-.->',
  '~~~',
  '<',
  '>',
  '|',
  '"',
  '`',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '/',
  '\\',
  '&',
  ';',
  ':',
  ':::',
  '@{',
  '@',
  ',',
  '%%',
  '%%{init',
  '}%%',
  '#',
  '#quot;',
  '<br/>',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  '\f',
  'é',
  '\u{1d49c}',
  '\ud835',
  '\ufeff',
  '=',
  '-',
  '.',
  "'",
  'label:',
  '\0',
);
const soup = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));

interface Drawing {
  readonly labels: readonly (string | null)[];
  readonly arrows: readonly { from: number; to: number; label: string | null; form: number }[];
}

const NODES = 6;
const words = fc
  .array(
    fc.constantFrom('go', 'x', 'a > b', '-->', '%%', '--flag', 'f(x)', '[y]', 'it’s', 'A & B', 'ü', '1;2'),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(' '));
const drawing: fc.Arbitrary<Drawing> = fc.record({
  labels: fc.array(fc.option(words), { minLength: NODES, maxLength: NODES }),
  arrows: fc.array(
    fc.record({
      from: fc.nat(NODES - 1),
      to: fc.nat(NODES - 1),
      label: fc.option(words),
      form: fc.nat(5),
    }),
    { maxLength: 20 },
  ),
});

const LINKS = [
  ['-->', '--'],
  ['==>', '=='],
  ['-.->', '-.'],
  ['---', '--'],
  ['--x', '--'],
  ['--o', '--'],
] as const;
const SECOND = ['-->', '==>', '.->', '---', '--x', '--o'] as const;

/** One statement a line: every node, then every arrow. */
function print({ labels, arrows }: Drawing): readonly string[] {
  const nodes = labels.map((label, i) => (label === null ? `n${i}` : `n${i}["${label}"]`));
  const lines = arrows.map(({ from, to, label, form }, i) => {
    const [link, first] = LINKS[form] ?? LINKS[0];
    if (label === null) return `n${from} ${link} n${to}`;
    return i % 2 === 0
      ? `n${from} ${link}|"${label}"| n${to}`
      : `n${from} ${first} "${label}" ${SECOND[form] ?? '-->'} n${to}`;
  });
  return [...nodes, ...lines];
}

describe('any text', () => {
  it('is read or refused at a place within it', () => {
    const texts = fc.oneof(soup, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(texts, (text) => {
        const chart = parseMermaid(text);
        if (chart.ok) return;
        const lines = text.split(/\r\n|\r|\n/);
        const { line, column } = chart.fault;
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 2);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a chart that is printed', () => {
  it('is read as the same nodes and arrows', () => {
    fc.assert(
      fc.property(drawing, (drawn) => {
        const chart = chartOf(print(drawn).join('\n'));
        expect(nodesOf(chart)).toEqual(drawn.labels.map((label, i) => ({ id: `n${i}`, label })));
        for (let from = 0; from < NODES; from += 1) {
          const arrows = drawn.arrows.filter((arrow) => arrow.from === from);
          expect(chart.exits.get(`n${from}`) ?? []).toEqual(
            arrows.map(({ to, label }) => ({ to: `n${to}`, label })),
          );
        }
      }),
    );
  });

  it('is the same chart with comments, blank lines, styling and frames between its lines', () => {
    const noise = fc.array(
      fc.constantFrom(
        '',
        '   ',
        '%% n0 --> n9',
        '\t%%',
        'style n0 fill:#f00',
        'classDef k color:red;',
        'class n0 k',
        'linkStyle 0 stroke:red',
        'click n0 "u;v"',
        'subgraph s [n0 --> n9]\nend',
        'direction LR',
        '%%{init: {}}%%',
        ';',
        'end',
        'accTitle: n9',
      ),
      { minLength: 30, maxLength: 30 },
    );
    const ends = fc.constantFrom('\n', '\r\n', '\r', '\n\n', ';\n', ' \n  ', ' %% n9\n');
    fc.assert(
      fc.property(drawing, noise, ends, (drawn, extra, end) => {
        const lines = print(drawn);
        const noisy = lines
          .flatMap((line, i) => [line, extra[i] ?? ''])
          .join(end.startsWith(';') ? '\n' : end);
        expect(plain(chartOf(`graph TD\n${noisy}`))).toEqual(plain(chartOf(lines.join('\n'))));
        expect(plain(chartOf(lines.join(end)))).toEqual(plain(chartOf(lines.join('\n'))));
      }),
    );
  });

  it('loses no line: with any one of them spoilt it is refused at that line', () => {
    fc.assert(
      fc.property(drawing, fc.nat(), (drawn, pick) => {
        const printed = print(drawn);
        const spoilt = pick % printed.length;
        const lines = printed.map((line, i) => (i === spoilt ? `${line} ]` : line));
        const chart = parseMermaid(lines.join('\n'));
        expect(chart.ok ? null : chart.fault.line).toBe(spoilt + 1);
      }),
    );
  });
});

/** What grows without end in a text that somebody made to be slow. */
const AWKWARD: readonly (readonly [name: string, head: string, piece: string, tail: string])[] = [
  ['one id', '', 'a', ''],
  ['a letter of another script', '', 'é', ''],
  ['blanks', 'A', ' ', 'B'],
  ['lines', '', '\n', ''],
  ['lines after a node', 'A', '\r\n \n', '-->B'],
  ['comments', '', '%%\n', ''],
  ['comments after nodes', '', 'A%%\n', ''],
  ['directives', '', '%%{init\n', ''],
  ['directives that close', '', '%%{init}%%', ''],
  ['semicolons', '', ';', ''],
  ['nodes', '', 'A\n', ''],
  ['brackets that open', 'A', '[', ''],
  ['brackets that close', 'A', ']', ''],
  ['round brackets', 'A', '(', ''],
  ['braces', 'A', '{', ''],
  ['nodes with brackets', '', 'A[', ''],
  ['pairs of brackets', 'A[', '[]', ']'],
  ['deep brackets', 'A[[', '[', ''],
  ['a long label', 'A[', 'x ', ']'],
  ['a label of lines', 'A["', '\n ', 'x"]'],
  ['quotes', 'A["', '"', ''],
  ['a quote that stays open', 'A["', 'x', ''],
  ['dashes', 'A', '-', '> B'],
  ['dashes without end', 'A ', '- ', ''],
  ['dots', 'A -', '.', '-> B'],
  ['dots and dashes', 'A -. ', '.-', ''],
  ['equals signs', 'A ', '=', ''],
  ['tildes', 'A ', '~', ''],
  ['pipes', 'A -->', '|', ''],
  ['labels in pipes', 'A', '-->|x|A', ''],
  ['a label that never ends', 'A -- ', '-- ', ''],
  ['a label with signs', 'A -- ', '--o', ''],
  ['heads that may be nodes', 'A', '--oB', ''],
  ['dotted heads', 'A', '-.-x', ''],
  ['thick halves', 'A', '==xA', ''],
  ['backslashes', 'A[', '\\', ']'],
  ['slashes', 'A[/', '/', ''],
  ['backticks', 'A["', '`', '"]'],
  ['breaks', 'A["x', '<br', '"]'],
  ['breaks with blanks', 'A["x', '<br ', '"]'],
  ['ends of lines in a label', 'A["x', '<br/>', 'x"]'],
  ['hashes', 'A["', '#', '"]'],
  ['codes', 'A["', '#35;', '"]'],
  ['ampersands', 'A["', '&', '"]'],
  ['a fan', 'A', ' & A', ''],
  ['a fan to a fan', `A${' & A'.repeat(300)} --> A`, ' & A', ''],
  ['a chain', 'A', '-->A', ''],
  ['links that are not drawn', 'A', '~~~A', ''],
  ['frames', '', 'subgraph s\n', ''],
  ['frames that close', '', 'subgraph s\nend\n', ''],
  ['ends', '', 'end\n', ''],
  ['a title', 'subgraph ', 'x-', ''],
  ['styling', 'style A ', 'x;', ''],
  ['styling as in a sheet', 'style A ', ';x:', ''],
  ['clicks', 'click A ', '(";"', ''],
  ['classes', 'A', ':::k', ''],
  ['data', 'A@{', 'x: y,', '}'],
  ['data with quotes', "A@{ label: '", "''", "'}"],
  ['ids of arrows', 'A', ' e@-->A', ''],
  ['front matter', '---\n', 'x\n', ''],
  ['dashes at the top', '', '---\n', ''],
  ['percent signs', 'A', '%', ''],
  ['surrogates', 'A', '\ud835', ''],
  ['letters o', 'A', ' o', ''],
  ['heads on new lines', 'A', '\nx--', ''],
];

function timed(text: string): number {
  const start = performance.now();
  parseMermaid(text);
  return performance.now() - start;
}

describe('the time it takes', () => {
  it.each(AWKWARD)('grows with the length of the text: %s', (_, head, piece, tail) => {
    const textOf = (length: number) => head + piece.repeat(Math.ceil(length / piece.length)) + tail;
    const [small, large] = [textOf(250_000), textOf(1_000_000)];
    const quickest = Math.min(timed(small), timed(small));
    const longest = Math.min(timed(large), timed(large));
    expect(longest).toBeLessThan(5_000);
    expect(longest).toBeLessThan(Math.max(12 * quickest, 600));
  });

  it('is short for ten thousand nodes', () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, i) => `n${i}["Do the step ${i}<br/>well"] -->|ok ${i}| n${i + 1}`,
    );
    const text = `flowchart TD\n${lines.join('\n')}`;
    expect(chartOf(text).nodes.size).toBe(10_001);
    expect(Math.min(timed(text), timed(text))).toBeLessThan(1_000);
  });
});
