/** What a drawing is made of, and what nodes and edges of it have in common. */

import type { Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { newChart, type ChartBuilder } from './chart.ts';
import type { ArrowKind } from './d2-chain.ts';
import { spotAt, type Path, type Spot } from './d2-spots.ts';
import type { Text } from './d2-strings.ts';
import { faultAt, type Source } from './d2-text.ts';

export type Drawn = Result<null, FlowParseFault>;

export interface Drawing {
  readonly source: Source;
  /** In the order of their first mention, boxes around others included. */
  readonly spots: Spot[];
  /** In the order in which they are drawn. */
  readonly edges: Edge[];
  /** The same by kind, left and right, for those that speak of them once more. */
  readonly between: Map<ArrowKind, Map<Spot, Map<Spot, Edge[]>>>;
  /** How many of the edges stand there so far. */
  numbered: number;
  /** Knows the boxes that have labels. */
  readonly labels: ChartBuilder;
  /** The first label that is none if the chart has variables, which is known when all of it was read. */
  variable: FlowParseFault | null;
}

export function newDrawing(source: Source): Drawing {
  return {
    source,
    spots: [],
    edges: [],
    between: new Map(),
    numbered: 0,
    labels: newChart(),
    variable: null,
  };
}

export interface Edge {
  /** Left and right as they are written, which is not always the way to go. */
  readonly left: End;
  readonly right: End;
  readonly kind: ArrowKind;
  label: string | null;
}

export interface End {
  readonly spot: Spot;
  /** Offset of its name at this arrow. */
  readonly from: number;
}

/** The box that a path names, which is there from now on. */
export function placeSpot({ source, spots }: Drawing, path: Path): Result<Spot, FlowParseFault> {
  return spotAt(source, path, (spot) => {
    spots.push(spot);
  });
}

/** Why this text is no label. */
export function labelFlaw(drawing: Drawing, text: Text): FlowParseFault | null {
  if (text.onlyWithVars) {
    drawing.variable ??= text.flaw;
    return null;
  }
  if (text.flaw !== null) return text.flaw;
  if (!text.plain || !TAKES_AWAY.has(text.text.toLowerCase())) return null;
  const message = `The word "${text.text}" takes away what is drawn elsewhere, and cannot be followed. Take that out instead, or put the word between quotes.`;
  return faultAt(drawing.source, text.from, message);
}

const TAKES_AWAY: ReadonlySet<string> = new Set(['null', 'suspend', 'unsuspend']);
