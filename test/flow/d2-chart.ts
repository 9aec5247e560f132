/** What the tests of D2 charts look at. */

import { parseD2 } from '../../src/flow/d2.ts';
import type { Chart } from '../../src/flow/chart.ts';

export function chartOf(source: string): Chart {
  const chart = parseD2(source);
  if (!chart.ok) throw new Error(`line ${chart.fault.line}: ${chart.fault.message}`);
  return chart.value;
}

/** Every node as `id`, or `id: label` when it has one. */
export function nodesOf(chart: Chart): readonly string[] {
  return [...chart.nodes.values()].map(({ id, label }) => (label === null ? id : `${id}: ${label}`));
}

/** Every arrow as `a -> b`, or `a -> b: label`, those of one node together. */
export function arrowsOf(chart: Chart): readonly string[] {
  return [...chart.exits].flatMap(([from, exits]) =>
    exits.map(({ to, label }) => `${from} -> ${to}${label === null ? '' : `: ${label}`}`),
  );
}

/** `line:column` of the fault, or what was drawn instead. */
export function placeOf(source: string): string {
  const chart = parseD2(source);
  if (!chart.ok) return `${chart.fault.line}:${chart.fault.column}`;
  return `no fault, but ${[...nodesOf(chart.value), ...arrowsOf(chart.value)].join(' / ')}`;
}
