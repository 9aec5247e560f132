/** The arrows of a D2 chart. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { never } from '../contract/never.ts';
import type { ChartBuilder } from './chart.ts';
import { labelFlaw, placeSpot, type Drawing, type Drawn, type Edge, type End } from './d2-drawing.ts';
import type { Arrow } from './d2-chain.ts';
import type { Key } from './d2-keys.ts';
import { spotAt, type Spot } from './d2-spots.ts';
import type { Text } from './d2-strings.ts';
import type { EdgeStatement, Statement } from './d2-statement.ts';
import { faultAt, type Source } from './d2-text.ts';
import { wordIndex, wordOf } from './d2-words.ts';

export function drawEdges(drawing: Drawing, scope: Spot, statement: EdgeStatement): Drawn {
  const { property, index, value } = statement;
  const { source } = drawing;
  if (property !== null) {
    const fault = propertyFault(source, property, statement);
    if (fault !== null) return fail(fault);
    if (!isLabel(property)) return ok(null);
  }
  if (index === '*' && property === null && value.text === null && onlyLooks(value.body ?? []))
    return ok(null);
  if (index === '*') {
    return fail(
      faultAt(
        source,
        statement.from,
        'A "*" stands for other arrows, and cannot be followed here. Write them out.',
      ),
    );
  }
  const edges =
    index === null
      ? newEdges(drawing, scope, statement)
      : knownEdges(drawing, scope, { ...statement, index });
  if (!edges.ok) return edges;
  if (value.colon !== null && value.text === null && value.body === null) {
    return fail(
      faultAt(source, value.colon, 'No label follows the colon. Write one, or take the colon out.'),
    );
  }
  // What stands behind a chain of new arrows is the label of its last one.
  const labelled = index === null ? edges.value.slice(-1) : edges.value;
  if (value.text !== null) {
    const flaw = labelEdges(drawing, labelled, value.text);
    if (flaw !== null) return fail(flaw);
  }
  return property === null ? drawBody(drawing, labelled, value.body ?? []) : ok(null);
}

function propertyFault(
  source: Source,
  property: Key,
  { index, value }: EdgeStatement,
): FlowParseFault | null {
  const first = property.segments[0];
  const word = first === undefined ? null : wordOf(first);
  if (word === null || word.kind === 'holder') {
    return property.flaw ?? faultAt(source, property.from, NO_NODES);
  }
  if (index === null && word.kind === 'label') {
    return faultAt(source, property.from, 'Say which arrow it is, as in "(a -> b)[0].label".');
  }
  if (value.colon !== null || value.body !== null) return null;
  return faultAt(source, property.from, `"${word.word}" needs a value.`);
}

const NO_NODES = 'An arrow holds no nodes: only its label or its looks can stand here.';

function isLabel({ segments }: Key): boolean {
  const [first] = segments;
  return segments.length === 1 && first !== undefined && wordOf(first)?.kind === 'label';
}

/** No node and no label among them. */
function onlyLooks(statements: readonly Statement[]): boolean {
  return statements.every(
    (statement) =>
      statement.type === 'node' && wordIndex(statement.key.segments, false) === 0 && !isLabel(statement.key),
  );
}

function newEdges(drawing: Drawing, scope: Spot, statement: EdgeStatement): Result<Edge[], FlowParseFault> {
  const ends = endsOf(statement, scope, (within, key) => placeNode(drawing, within, key));
  if (!ends.ok) return ends;
  const edges: Edge[] = [];
  for (const { kind, left, right } of arrowsOf(statement, ends.value)) {
    const edge: Edge = { left, right, kind, label: null };
    edges.push(edge);
    drawing.edges.push(edge);
  }
  return ok(edges);
}

/** Those that stand there already. */
function knownEdges(
  drawing: Drawing,
  scope: Spot,
  statement: EdgeStatement & { readonly index: number },
): Result<Edge[], FlowParseFault> {
  const { source } = drawing;
  const ends = endsOf(statement, scope, (within, key) =>
    spotAt(source, { key, length: key.segments.length, scope: within }, null),
  );
  if (!ends.ok) return ends;
  numberEdges(drawing);
  const edges: Edge[] = [];
  for (const { kind, from, left, right } of arrowsOf(statement, ends.value)) {
    const edge = siblings(drawing, { kind, left, right })[statement.index];
    if (edge === undefined) {
      const message = `No arrow of this kind with the number ${statement.index} stands before this line; the first has the number 0.`;
      return fail(faultAt(source, from, message));
    }
    edges.push(edge);
  }
  return ok(edges);
}

type SpotOf = (within: Spot, key: Key) => Result<Spot, FlowParseFault>;

function endsOf(
  statement: EdgeStatement,
  scope: Spot,
  spotOf: SpotOf,
): Result<readonly End[], FlowParseFault> {
  const base = statement.scope === null ? ok(scope) : spotOf(scope, statement.scope);
  if (!base.ok) return base;
  const ends: End[] = [];
  for (const key of statement.ends) {
    const spot = spotOf(base.value, key);
    if (!spot.ok) return spot;
    ends.push({ spot: spot.value, from: key.from });
  }
  return ok(ends);
}

interface DrawnArrow extends Arrow {
  readonly left: End;
  readonly right: End;
}

function arrowsOf({ arrows }: EdgeStatement, ends: readonly End[]): readonly DrawnArrow[] {
  const drawn: DrawnArrow[] = [];
  for (const [i, { kind, from }] of arrows.entries()) {
    const left = ends[i];
    const right = ends[i + 1];
    if (left !== undefined && right !== undefined) drawn.push({ kind, from, left, right });
  }
  return drawn;
}

function placeNode(drawing: Drawing, scope: Spot, key: Key): Result<Spot, FlowParseFault> {
  const { source } = drawing;
  const fault = endFault(source, scope, key);
  return fault === null ? placeSpot(drawing, { key, length: key.segments.length, scope }) : fail(fault);
}

function endFault(source: Source, scope: Spot, { segments, from, flaw }: Key): FlowParseFault | null {
  if (flaw !== null) return flaw;
  const word = segments[wordIndex(segments, scope.parent === null)];
  if (word !== undefined) {
    const message = `"${word.text}" is a word of the language, and no arrow leads to it. Put it between quotes if it is a node.`;
    return faultAt(source, from, message);
  }
  if (segments.some(({ text, quoted }) => quoted || text !== '_')) return null;
  return faultAt(
    source,
    from,
    'The "_" is the block around this one, and nobody can stand in it. Draw to a node within.',
  );
}

/** Only charts that speak of an arrow once more have need of it. */
function numberEdges(drawing: Drawing): void {
  for (const edge of drawing.edges.slice(drawing.numbered)) siblings(drawing, edge).push(edge);
  drawing.numbered = drawing.edges.length;
}

/** Those of the same kind between the same two. */
function siblings(
  { between }: Drawing,
  { kind, left, right }: Pick<Edge, 'kind' | 'left' | 'right'>,
): Edge[] {
  const ofKind = between.get(kind) ?? new Map<Spot, Map<Spot, Edge[]>>();
  between.set(kind, ofKind);
  const ofLeft = ofKind.get(left.spot) ?? new Map<Spot, Edge[]>();
  ofKind.set(left.spot, ofLeft);
  const edges = ofLeft.get(right.spot) ?? [];
  ofLeft.set(right.spot, edges);
  return edges;
}

function labelEdges(drawing: Drawing, edges: readonly Edge[], text: Text): FlowParseFault | null {
  const flaw = labelFlaw(drawing, text);
  if (flaw !== null) return flaw;
  const label = text.text.trim() === '' ? null : text.text.trim();
  for (const edge of edges) {
    if (edge.label !== null && edge.label !== label) {
      return faultAt(drawing.source, text.from, 'This arrow has another label already. Keep one of the two.');
    }
    edge.label = label;
  }
  return null;
}

function drawBody(drawing: Drawing, edges: readonly Edge[], statements: readonly Statement[]): Drawn {
  const { source } = drawing;
  for (const statement of statements) {
    if (statement.type === 'foreign') return fail(statement.fault);
    if (statement.type === 'edges') return fail(faultAt(source, statement.from, NO_NODES));
    if (wordIndex(statement.key.segments, false) !== 0) {
      return fail(faultAt(source, statement.key.from, NO_NODES));
    }
    const { value } = statement;
    if (value.colon === null && value.body === null) {
      return fail(faultAt(source, statement.key.from, 'A value is expected behind this word.'));
    }
    if (!isLabel(statement.key) || value.text === null) continue;
    const flaw = labelEdges(drawing, edges, value.text);
    if (flaw !== null) return fail(flaw);
  }
  return ok(null);
}

/** Every box is known now, so it is known which ones hold others. */
export function finishEdges(source: Source, edges: readonly Edge[], chart: ChartBuilder): Drawn {
  for (const { left, right } of edges) {
    for (const { spot, from } of [left, right]) {
      if (spot.children === null) continue;
      const message = `The box "${spot.id}" holds nodes, and nobody can stand in the box itself. Draw the arrow to a node within, such as ${firstWithin(spot)}.`;
      return fail(faultAt(source, from, message));
    }
  }
  for (const edge of edges) link(edge, chart);
  return ok(null);
}

function firstWithin(spot: Spot): string {
  let inner = spot;
  for (;;) {
    const [first] = inner.children?.values() ?? [];
    if (first === undefined) return `"${inner.id}"`;
    inner = first;
  }
}

function link({ left, right, kind, label }: Edge, chart: ChartBuilder): void {
  switch (kind) {
    case 'to':
    case 'none':
      // A line without a head is followed as it is written.
      chart.link(left.spot.id, right.spot.id, label);
      return;
    case 'from':
      chart.link(right.spot.id, left.spot.id, label);
      return;
    case 'both':
      // Whoever draws that means that one can go either way.
      chart.link(left.spot.id, right.spot.id, label);
      chart.link(right.spot.id, left.spot.id, label);
      return;
    default:
      never(kind);
  }
}
