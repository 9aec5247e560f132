/** The recorded cases: what charts written in D2 come to, from the text to the flow. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Flow } from '../../src/contract/flow.ts';
import { parseD2 } from '../../src/flow/d2.ts';
import { validate } from '../../src/flow/validate.ts';

type Drawn = readonly [from: string, to: string, label: string | null];

type Expected =
  | {
      readonly ok: true;
      readonly nodes: Readonly<Record<string, { readonly label: string; readonly kind: string }>>;
      readonly edges: readonly Drawn[];
      readonly begin: string;
      readonly end: string;
    }
  | {
      readonly ok: false;
      readonly error: 'FlowParseError' | 'FlowValidationError';
      readonly line: number | null;
    };

interface Case {
  readonly id: string;
  readonly source: string;
  readonly expect: Expected;
  /** Why it expects something else than what was recorded. */
  readonly changed?: string;
}

const cases = readFileSync(resolve(import.meta.dirname, '../cases/flow-d2.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

/** The order between arrows of different nodes means nothing. */
function bySource(edges: readonly Drawn[]): readonly Drawn[] {
  return edges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function shapeOf({ nodes, begin, end }: Flow): object {
  const edges = nodes.flatMap(({ id, exits }) => exits.map(({ to, label }): Drawn => [id, to, label]));
  return {
    nodes: new Map(nodes.map(({ id, label, kind }) => [id, { label, kind }])),
    edges: bySource(edges),
    begin,
    end,
  };
}

function outcomeOf(source: string): object {
  const chart = parseD2(source);
  if (!chart.ok) return { error: chart.fault.code, line: chart.fault.line };
  const flow = validate(chart.value);
  return flow.ok ? shapeOf(flow.value) : { error: flow.fault.code, line: null };
}

function expectedOf(expected: Expected): object {
  if (!expected.ok) {
    const error = expected.error === 'FlowParseError' ? 'flow_parse' : 'flow_invalid';
    return { error, line: expected.line };
  }
  const { nodes, edges, begin, end } = expected;
  return { nodes: new Map(Object.entries(nodes)), edges: bySource(edges), begin, end };
}

describe('a recorded D2 chart', () => {
  it.each(cases.map((one) => [one.id, one] as const))('%s comes to what is expected', (_, one) => {
    expect(outcomeOf(one.source)).toEqual(expectedOf(one.expect));
  });

  it('is never the only one', () => {
    expect(cases.length).toBeGreaterThan(80);
  });
});
