/** Draws the statements of a D2 text: which boxes there are, and which arrows between them. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { never } from '../contract/never.ts';
import { newChart, type Chart } from './chart.ts';
import { labelFlaw, placeSpot, type Drawing, type Drawn } from './d2-drawing.ts';
import { drawEdges, finishEdges } from './d2-edges.ts';
import type { Key } from './d2-keys.ts';
import type { Spot } from './d2-spots.ts';
import type { Text } from './d2-strings.ts';
import type { NodeStatement, Statement, Value } from './d2-statement.ts';
import { faultAt, placeOf, type Source } from './d2-text.ts';
import { wordIndex, wordOf } from './d2-words.ts';

function drawAll(drawing: Drawing, scope: Spot, statements: readonly Statement[]): Drawn {
  for (const statement of statements) {
    const drawn = drawOne(drawing, scope, statement);
    if (!drawn.ok) return drawn;
  }
  return ok(null);
}

export function drawOne(drawing: Drawing, scope: Spot, statement: Statement): Drawn {
  switch (statement.type) {
    case 'node':
      return drawNode(drawing, scope, statement);
    case 'edges':
      return drawEdges(drawing, scope, statement);
    case 'foreign':
      return fail(statement.fault);
    default:
      return never(statement);
  }
}

function drawNode(drawing: Drawing, scope: Spot, { key, value }: NodeStatement): Drawn {
  const at = wordIndex(key.segments, scope.parent === null);
  if (at >= 0) return drawWord(drawing, scope, { key, at, value });
  const spot = placeSpot(drawing, { key, length: key.segments.length, scope });
  if (!spot.ok) return spot;
  if (value.text !== null) {
    const labelled = labelSpot(drawing, spot.value, value.text);
    if (!labelled.ok) return labelled;
  }
  return value.body === null ? ok(null) : drawAll(drawing, spot.value, value.body);
}

function labelSpot(drawing: Drawing, spot: Spot, text: Text): Drawn {
  const flaw = labelFlaw(drawing, text);
  if (flaw !== null) return fail(flaw);
  if (text.text.trim() === '') {
    spot.blankAt ??= text.from;
    return ok(null);
  }
  return drawing.labels.name(spot.id, text.text, placeOf(drawing.source, text.from));
}

interface WordStatement {
  readonly key: Key;
  /** Which of the key's segments is the word. */
  readonly at: number;
  readonly value: Value;
}

function drawWord(drawing: Drawing, scope: Spot, statement: WordStatement): Drawn {
  const { key, at, value } = statement;
  const { source } = drawing;
  const fault = wordFault(source, scope, statement);
  if (fault !== null) return fail(fault);
  const segment = key.segments[at];
  const word = segment === undefined ? null : wordOf(segment);
  if (word?.kind === 'label' && at === key.segments.length - 1) {
    if (value.text === null) return ok(null);
    const spot = placeSpot(drawing, { key, length: at, scope });
    return spot.ok ? labelSpot(drawing, spot.value, value.text) : spot;
  }
  return word?.word === 'shape' ? drawShape(drawing, scope, statement) : ok(null);
}

/** Shapes are ornament, but for those in which boxes and arrows mean something else. */
function drawShape(drawing: Drawing, scope: Spot, { key, at, value }: WordStatement): Drawn {
  const { text, from } = value.text ?? { text: '', from: key.from };
  const shape = text.toLowerCase();
  if (shape === 'sequence_diagram') {
    const message = 'The arrows of a sequence diagram are no ways to go. Draw a flow chart.';
    return fail(faultAt(drawing.source, from, message));
  }
  if (shape !== 'sql_table' && shape !== 'class') return ok(null);
  const spot = placeSpot(drawing, { key, length: at, scope });
  if (!spot.ok) return spot;
  spot.value.tableAt = from;
  return ok(null);
}

/** Why a word of the language cannot stand here. What it says about looks is of no interest. */
function wordFault(source: Source, scope: Spot, { key, at, value }: WordStatement): FlowParseFault | null {
  const segment = key.segments[at];
  const found = segment === undefined ? null : wordOf(segment);
  if (found === null) return null;
  const { word, kind } = found;
  const quote = `A node of that name must stand between quotes.`;
  if (value.colon === null && value.body === null) {
    return faultAt(source, key.from, `"${word}" is a word of the language and needs a value. ${quote}`);
  }
  const ofChart = at === 0 && scope.parent === null;
  switch (kind) {
    case 'label':
    case 'property':
      return ofChart
        ? faultAt(source, key.from, `"${word}" belongs to a node, and none is named. ${quote}`)
        : null;
    case 'layout':
    case 'style':
      return null;
    case 'holder':
      break;
    default:
      return never(kind);
  }
  if (!ofChart && word !== 'vars') {
    return faultAt(source, key.from, `"${word}" can stand only at the top of a chart. ${quote}`);
  }
  if (at === key.segments.length - 1 && value.text !== null) {
    return faultAt(
      source,
      value.text.from,
      `"${word}" is a word of the language and takes a block. ${quote}`,
    );
  }
  if (word !== 'classes' || !givesLabel(key, value)) return null;
  return faultAt(
    source,
    key.from,
    'A label that a class gives cannot be followed. Write it on the nodes themselves.',
  );
}

function givesLabel(key: Key, value: Value): boolean {
  if (key.segments.some((segment) => wordOf(segment)?.kind === 'label')) return true;
  return (value.body ?? []).some((inner) => inner.type === 'node' && givesLabel(inner.key, inner.value));
}

/** Boxes around others are no nodes: nobody can stand in them. */
export function finish(drawing: Drawing): Result<Chart, FlowParseFault> {
  const { source, spots, edges, labels } = drawing;
  if (drawing.variable !== null && source.hasVars) return fail(drawing.variable);
  const chart = newChart();
  for (const spot of spots) {
    if (spot.children !== null) {
      if (spot.tableAt === null) continue;
      const message = 'What stands in a table is a row, not a node. Take the shape out, or the rows.';
      return fail(faultAt(source, spot.tableAt, message));
    }
    const label = labels.nodes.get(spot.id)?.label ?? (spot.written === spot.id ? null : spot.written);
    const named =
      spot.blankAt === null
        ? chart.name(spot.id, label, placeOf(source, spot.from))
        : chart.name(spot.id, '', placeOf(source, spot.blankAt));
    if (!named.ok) return named;
  }
  const linked = finishEdges(source, edges, chart);
  return linked.ok ? ok(chart) : linked;
}
