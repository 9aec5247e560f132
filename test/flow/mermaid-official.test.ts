import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseMermaid } from '../../src/flow/mermaid.ts';

/** As test/oracle/mermaid.mjs writes it; null for a text that is refused. */
type Answer = {
  readonly nodes: readonly (readonly [id: string, label: string])[];
  readonly arrows: readonly (readonly [
    from: string,
    exits: readonly (readonly [to: string, label: string | null])[],
  ])[];
} | null;

interface Frozen {
  readonly source: string;
  readonly official: Answer;
}

interface Difference extends Frozen {
  readonly ours: Answer;
  readonly right: string;
  readonly why: string;
}

function golden(name: string): readonly unknown[] {
  return readFileSync(new URL(`../golden/flow/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

function oursOf(source: string): Answer {
  const chart = parseMermaid(source);
  if (!chart.ok) return null;
  return {
    nodes: [...chart.value.nodes.values()].map(({ id, label }) => [id, label ?? id] as const),
    arrows: [...chart.value.exits].map(
      ([from, exits]) => [from, exits.map(({ to, label }) => [to, label] as const)] as const,
    ),
  };
}

/** Nodes and sources of arrows in any order, the arrows of one source in theirs. */
function unordered(answer: Answer) {
  return answer && { nodes: new Map(answer.nodes), arrows: new Map(answer.arrows) };
}

describe('what the official parser makes of a chart', () => {
  const charts = golden('mermaid-official.jsonl') as readonly Frozen[];

  it('is what ours makes of it', () => {
    expect(charts.length).toBeGreaterThan(2_000);
    for (const { source, official } of charts) {
      expect(unordered(oursOf(source)), source).toEqual(unordered(official));
    }
  });

  it.each(golden('mermaid-differences.jsonl') as readonly Difference[])(
    'is not what ours makes of $source: $why',
    ({ source, official, ours, right }) => {
      expect(oursOf(source)).toEqual(ours);
      expect(unordered(official)).not.toEqual(unordered(ours));
      expect(right).toBe(ours === null ? 'ours: refused' : 'ours');
    },
  );
});
