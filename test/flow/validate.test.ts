/** Which charts can be followed, and what is said of the others. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFlow } from '../../src/flow/parse-flow.ts';

function told(text: string): string {
  const flow = parseFlow('mermaid', text);
  if (flow.ok) return 'ok';
  return flow.fault.code === 'flow_invalid' ? `${flow.fault.node ?? '-'}: ${flow.fault.message}` : 'parse';
}

describe('a chart', () => {
  it.each([
    ['B([BEGIN]) --> a --> E([end])', /^ok$/],
    ['B([Begin]) --> E([END])\nE --> B\nE --> x', /^ok$/],
    ['B([BEGIN]) --> E([END])\nx --> y', /^ok$/],
    ['a --> E([END])', /^-: There is no BEGIN/],
    ['B([BEGIN]) --> a', /^-: There is no END/],
    ['B([BEGIN]) --> E([END])\nC([BEGIN]) --> E', /^C: There are 2 BEGIN nodes \(B, C\)/],
    ['B([BEGIN]) --> q{?}\nq -->|x| a\nq -->|y| E([END])', /^a: .*has no exit/],
    ['B([BEGIN]) --> q{?}\nq -->|x| a --> b --> a\nq -->|y| E([END])', /^a: .*no way that leads to END/],
    ['B([BEGIN]) --> B\nE([END])', /^B: No way leads from BEGIN to END/],
    ['B([BEGIN]) --> a\nB --> E([END])\na --> E', /^B: BEGIN has more than one exit/],
    ['B([BEGIN]) --> q\nq -->|x| E([END])\nq --> B', /^q: .*one of its exits has no label/],
    ['B([BEGIN]) --> q\nq -->|x| E([END])\nq -->|" x "| B', /^q: .*two exits labelled "x"/],
    ['B([BEGIN]) --> q\nq -->|"x y"| E([END])\nq -->|"x<br/>y"| B', /^q: .*two exits/],
  ])('is judged by whether somebody can follow it: %j', (text, words) => {
    expect(told(text)).toMatch(words);
  });

  it('that is followed at random always has a next step, and can always still end', () => {
    const arrows = fc.array(fc.tuple(fc.nat(5), fc.nat(6)), { minLength: 1, maxLength: 14 });
    let sound = 0;
    fc.assert(
      fc.property(arrows, (drawn) => {
        const lines = drawn.map(
          ([from, to], i) => `n${from} -->|"l${i}"| ${to === 6 ? 'E([END])' : `n${to}`}`,
        );
        const flow = parseFlow('mermaid', ['B([BEGIN]) --> n0', ...lines].join('\n'));
        if (!flow.ok) return;
        sound++;
        const exits = new Map(flow.value.nodes.map((node) => [node.id, node.exits.map(({ to }) => to)]));
        const near = (id: string, seen: ReadonlySet<string>): boolean =>
          id === flow.value.end ||
          (exits.get(id) ?? []).some((to) => !seen.has(to) && near(to, new Set([...seen, to])));
        const reached = new Set([flow.value.begin]);
        for (const id of reached) {
          expect(near(id, new Set([id]))).toBe(true);
          if (id !== flow.value.end) for (const to of exits.get(id) ?? []) reached.add(to);
        }
      }),
      { numRuns: 500 },
    );
    expect(sound).toBeGreaterThan(20);
  });
});
