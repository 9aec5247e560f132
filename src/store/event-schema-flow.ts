/** The stored form of flows and their events. */

import { z } from 'zod';
import type { FlowRun } from '../contract/flow.ts';
import { count, event, fence, mirrors, nodeId, positive, text, tree } from './event-parts.ts';

export const flowRun = mirrors<FlowRun>()(
  z.strictObject({
    name: text.min(1),
    flow: z.strictObject({
      nodes: z.array(
        z.strictObject({
          id: text,
          label: text,
          kind: z.enum(['begin', 'end', 'task', 'decision']),
          exits: z.array(z.strictObject({ to: text, label: text.nullable() })),
        }),
      ),
      begin: text,
      end: text,
    }),
    args: text,
    maxMoves: count.nullable(),
  }),
);

export const flowEvents = [
  event('move.ended', {
    ...fence,
    move: positive,
    step: text,
    outcome: z.enum(['said', 'short', 'failed']),
    choice: text.nullable(),
    tree: tree.nullable(),
    detail: text.nullable(),
  }),
  event('flow.chosen', { node: nodeId, step: text, branch: text, move: count }),
] as const;
