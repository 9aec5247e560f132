/** Reads a flow chart written in D2. What the language can say and nobody can follow is a fault, never left out. */

import { fail, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import type { Chart } from './chart.ts';
import { drawOne, finish } from './d2-draw.ts';
import { newDrawing } from './d2-drawing.ts';
import { rootSpot } from './d2-spots.ts';
import { readStatements } from './d2-syntax.ts';
import { newSource } from './d2-text.ts';

export function parseD2(text: string): Result<Chart, FlowParseFault> {
  const source = newSource(text);
  const drawing = newDrawing(source);
  const root = rootSpot();
  const fault = readStatements(source, (statement) => {
    const drawn = drawOne(drawing, root, statement);
    return drawn.ok ? null : drawn.fault;
  });
  return fault === null ? finish(drawing) : fail(fault);
}
