/** What the official compiler makes of a chart, frozen by test/oracle/d2.mjs, and what ours makes of it. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseD2 } from '../../src/flow/d2.ts';

/** Null for a text that is refused. Ids are written as paths, with ` / ` between their parts. */
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
  /** Ours refuses what the official compiler reads, which is no harm. */
  readonly refused?: true;
}

interface Difference extends Frozen {
  readonly ours: Answer;
  readonly right: 'ours' | 'official' | 'recorded';
  readonly why: string;
}

function linesOf(name: string): readonly string[] {
  return readFileSync(new URL(`../golden/flow/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Ours puts only those parts between quotes that hold a dot, or begin with a quote. */
function partsOf(id: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < id.length; at += 1) {
    let end = at;
    if (id[at] === '"') {
      for (end += 1; id[end] !== '"'; end += 1) if (id[end] === '\\') end += 1;
      end += 1;
      parts.push(JSON.parse(id.slice(at, end)) as string);
    } else {
      while (end < id.length && id[end] !== '.') end += 1;
      parts.push(id.slice(at, end));
    }
    at = end;
  }
  return parts;
}

function tidied(label: string): string {
  return label
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

/** A node without a label has the last part of its name there, and here the path by which it was first named. */
function labelOf(id: string, label: string): string {
  const parts = partsOf(id);
  const tidy = tidied(label);
  const named = parts.some((_, i) => parts.slice(i).join('.') === tidy);
  return named ? (parts.at(-1) ?? tidy) : tidy;
}

function oursOf(source: string): Answer {
  const chart = parseD2(source);
  if (!chart.ok) return null;
  const { nodes, exits } = chart.value;
  const idOf = (id: string): string => partsOf(id).join(' / ');
  return {
    nodes: [...nodes.values()].map(({ id, label }) => [idOf(id), labelOf(id, label ?? id)] as const),
    arrows: [...exits].map(
      ([from, all]) =>
        [idOf(from), all.map(({ to, label }) => [idOf(to), label && tidied(label)] as const)] as const,
    ),
  };
}

/** Nodes and sources of arrows in any order, the arrows of one source in theirs. */
function unordered(answer: Answer): object | null {
  return answer && { nodes: new Map(answer.nodes), arrows: new Map(answer.arrows) };
}

describe('what the official compiler makes of a D2 chart', () => {
  const charts = linesOf('d2-official.jsonl').map((line) => JSON.parse(line) as Frozen);

  const differences = linesOf('d2-differences.jsonl').map((line) => JSON.parse(line) as Difference);

  it('is what ours makes of it, or else ours refuses it', () => {
    expect(charts.length).toBeGreaterThan(2_000);
    expect(
      charts.filter(({ official, refused }) => official !== null && refused !== true).length,
    ).toBeGreaterThan(2_000);
    for (const { source, official, refused } of charts) {
      expect(unordered(oursOf(source)), source).toEqual(refused === true ? null : unordered(official));
    }
  });

  it.each(differences)('is not what ours makes of $source: $why', ({ source, official, ours }) => {
    expect(unordered(oursOf(source))).toEqual(unordered(ours));
    expect(unordered(ours)).not.toEqual(unordered(official));
  });
});
