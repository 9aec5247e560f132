import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Flow } from '../../src/contract/flow.ts';
import { parseMermaid } from '../../src/flow/mermaid.ts';
import { validate } from '../../src/flow/validate.ts';

interface Drawn {
  readonly ok: true;
  readonly nodes: Readonly<Record<string, { label: string; kind: string }>>;
  readonly edges: readonly (readonly [from: string, to: string, label: string | null])[];
  readonly begin: string;
  readonly end: string;
}

interface Case {
  readonly id: string;
  readonly source: string;
  readonly expect:
    | Drawn
    | {
        readonly ok: false;
        readonly error: 'FlowParseError' | 'FlowValidationError';
        readonly line: number | null;
      };
}

const cases = readFileSync(new URL('../cases/flow-mermaid.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

/** Nodes by id; the arrows of each node in their order. */
function shapeOf({ nodes, edges, begin, end }: Omit<Drawn, 'ok'>) {
  const exits = new Map<string, unknown[]>();
  for (const [from, ...exit] of edges) exits.set(from, [...(exits.get(from) ?? []), exit]);
  return { nodes: new Map(Object.entries(nodes)), exits, begin, end };
}

function drawnBy({ nodes, begin, end }: Flow): Omit<Drawn, 'ok'> {
  return {
    nodes: Object.fromEntries(nodes.map(({ id, label, kind }) => [id, { label, kind }])),
    edges: nodes.flatMap(({ id, exits }) => exits.map(({ to, label }) => [id, to, label] as const)),
    begin,
    end,
  };
}

describe('the recorded charts', () => {
  it.each(cases)('$id', ({ source, expect: expected }) => {
    const chart = parseMermaid(source);
    const flow = chart.ok ? validate(chart.value) : chart;
    if (expected.ok) {
      if (!flow.ok) throw new Error(flow.fault.message);
      expect(shapeOf(drawnBy(flow.value))).toEqual(shapeOf(expected));
    } else {
      if (flow.ok) throw new Error('it was read');
      const code = { FlowParseError: 'flow_parse', FlowValidationError: 'flow_invalid' }[expected.error];
      const line = flow.fault.code === 'flow_parse' ? flow.fault.line : null;
      expect([flow.fault.code, line]).toEqual([code, expected.line]);
    }
  });
});
