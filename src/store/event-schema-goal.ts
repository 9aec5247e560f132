/** The stored form of the events of planning and of goals that a model works on. */

import { z } from 'zod';
import type { Brief } from '../contract/goal.ts';
import type { Report } from '../contract/tool.ts';
import {
  address,
  count,
  event,
  fence,
  milliseconds,
  mirrors,
  nodeId,
  positive,
  text,
  texts,
  tree,
} from './event-parts.ts';

const brief = mirrors<Brief>()(
  z.strictObject({
    criteria: z.array(z.strictObject({ text, gating: z.boolean() })),
    nonGoals: texts,
  }),
);

const report = mirrors<Report>()(
  z.strictObject({
    status: z.enum(['done', 'blocked', 'wait', 'note']),
    summary: text,
    evidence: texts,
    discovered: texts,
    wait: z
      .discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('time'), ms: milliseconds }),
        z.strictObject({ kind: z.literal('process'), pid: positive }),
      ])
      .nullable(),
  }),
);

export const goalEvents = [
  event('plan.refused', { epoch: count, faults: texts }),
  event('base.ended', { ...fence, tree }),
  event('brief.ended', { ...fence, brief: brief.nullable(), detail: text.nullable() }),
  event('round.ended', {
    ...fence,
    round: positive,
    outcome: z.enum(['claim', 'blocked', 'wait', 'none', 'loop', 'failed']),
    report: report.nullable(),
    tree: tree.nullable(),
    results: count,
    detail: text.nullable(),
  }),
  event('vote.ended', {
    ...fence,
    verification: positive,
    seat: positive,
    ballot: positive,
    tree,
    verdict: z.enum(['achieved', 'refuted', 'unverifiable', 'inconclusive']),
    gaps: texts,
    why: text,
    injection: text.nullable(),
  }),
  event('strategy.ended', { ...fence, round: positive, suggestion: text.nullable() }),
  event('wake.ended', { ...fence, round: positive }),
  event('effect.failed', {
    effect: text,
    why: z.enum(['provider', 'infra']),
    detail: text,
    resetAt: count.nullable(),
  }),
  event('node.parked', { node: nodeId, until: count, pid: positive.nullable(), detail: text }),
  event('node.kept', {
    node: nodeId,
    base: tree,
    tree,
    patch: address.nullable(),
    files: count,
    detail: text.nullable(),
  }),
] as const;
