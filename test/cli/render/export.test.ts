import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FINAL_NODE } from '../../../src/contract/ids.ts';
import { planView } from '../../support/views.ts';
import { SCENES } from '../../support/scenes.ts';
import { toDot, toMermaid } from '../../../src/cli/render/export.ts';

/** What Mermaid's flowchart grammar reads here for certain; a label is letters, digits, blanks and entities. */
const MERMAID =
  /^(flowchart TD|  n\d+\["([A-Za-z0-9 ]|#\d+;|(?![\ufb02°¶ß])[\u0080-\u{10ffff}])+"\]|  n\d+ --> n\d+|  classDef [a-z]+ fill:#[0-9a-f]{6},stroke:#[0-9a-f]{6},color:#[0-9a-f]{6}|  class n\d+(,n\d+)* [a-z]+)$/u;

/** A quoted string of DOT ends at the first quote without a backslash before it. */
const DOT =
  /^(digraph goalgraph \{|  label="([^"\\]|\\["\\])*";|  node \[[^\]]*\];|  n\d+ \[label="([^"\\]|\\["\\])*", class="[a-z]+", fillcolor="#[0-9a-f]{6}", color="#[0-9a-f]{6}"\];|  n\d+ -> n\d+;|\})$/;

const TITLES = [
  'say "hi"',
  'back\\slash and \\N',
  'a | b ]) } end',
  'line\nbreak',
  '<script>alert(1)</script>',
  '--> x',
  '%%{init: {"theme": "x"}}%%',
  '%% comment',
  'style x:#fff;',
  '`**markdown**`',
  '1. a list',
  '&lt;b&gt; #quot; ﬂ°°60¶ß',
  '漢字 👨‍👩‍👧 é',
  '\x1b[31m\u202e',
  '',
];

function titled(titles: readonly string[]): ReturnType<typeof planView> {
  const slugs = titles.map((_, i) => `n${i}`);
  return planView(Object.fromEntries(slugs.map((slug, i) => [slug, i === 0 ? [] : [`n${i - 1}`]])), {
    nodes: Object.fromEntries(slugs.map((slug, i) => [slug, { title: titles[i] ?? '' }])),
    run: { objective: titles.join(' ') },
  });
}

describe('Mermaid', () => {
  test('of a diamond', () => {
    expect(toMermaid(planView({ a: [], b: ['a'], c: ['a'] }, { nodes: { a: { status: 'achieved' } } }))).toBe(
      [
        'flowchart TD',
        '  n0["✓ a"]',
        '  n1["· b"]',
        '  n2["· c"]',
        '  n3["· gn#45;final#58; The whole objective"]',
        '  n0 --> n1',
        '  n0 --> n2',
        '  n1 --> n3',
        '  n2 --> n3',
        '  classDef achieved fill:#d7f2dc,stroke:#2e7d32,color:#111111',
        '  class n0 achieved',
        '  classDef waiting fill:#f2f2f2,stroke:#999999,color:#111111',
        '  class n1,n2,n3 waiting',
        '',
      ].join('\n'),
    );
  });

  test('holds no title that its grammar could read', () => {
    for (const line of toMermaid(titled(TITLES)).trimEnd().split('\n')) expect(line).toMatch(MERMAID);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }), (titles) => {
        for (const line of toMermaid(titled(titles)).trimEnd().split('\n')) expect(line).toMatch(MERMAID);
      }),
    );
  });

  test('shows a title as it was once the entities are read', () => {
    const labels = toMermaid(titled(TITLES)).matchAll(/\["(.*)"\]/g);
    const read = [...labels].map(([, label]) =>
      (label ?? '').replace(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
    );
    expect(read[0]).toBe('· n0: say "hi"');
    expect(read[4]).toBe('· n4: <script>alert(1)</script>');
    expect(read[11]).toBe('· n11: &lt;b&gt; #quot; ﬂ°°60¶ß');
  });
});

describe('DOT', () => {
  test('holds no title that its grammar could read', () => {
    for (const line of toDot(titled(TITLES)).trimEnd().split('\n')) expect(line).toMatch(DOT);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }), (titles) => {
        for (const line of toDot(titled(titles)).trimEnd().split('\n')) expect(line).toMatch(DOT);
      }),
    );
  });

  test('keeps entities from being read in labels', () => {
    expect(toDot(titled(['&lt;b&gt; "x" \\n']))).toContain('label="· n0: &amp;lt;b&amp;gt; \\"x\\" \\\\n"');
  });
});

test.each(Object.keys(SCENES))('both have every node of the run "%s", and its class', (name) => {
  const view = SCENES[name] ?? planView({});
  expect(toMermaid(view).match(/^ {2}n\d+\["/gm)?.length ?? 0).toBe(view.nodes.length);
  expect(toDot(view).match(/^ {2}n\d+ \[/gm)?.length ?? 0).toBe(view.nodes.length);
});

test('into the final node go only edges from nodes nobody else depends on', () => {
  const view = planView({ a: [], b: ['a'], c: ['a', 'b'] });
  expect(view.nodes.at(-1)?.id).toBe(FINAL_NODE);
  expect(toDot(view).match(/n\d+ -> n\d+/g)).toEqual(['n0 -> n1', 'n0 -> n2', 'n1 -> n2', 'n2 -> n3']);
});
