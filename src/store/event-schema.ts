/**
 * The stored form of every event, newest version. Strict on purpose: an unknown key, a NaN that JSON turned into
 * null, or a negative limit is refused, because a fold that guesses would go on from a wrong state.
 */

import { z } from 'zod';
import type { RunEvent } from '../contract/event.ts';
import type { Limits } from '../contract/limits.ts';
import type { Plan } from '../contract/plan.ts';
import type { ModelSettings } from '../contract/settings.ts';
import { budgetEvents } from './event-schema-budget.ts';
import { flowEvents, flowRun } from './event-schema-flow.ts';
import { goalEvents } from './event-schema-goal.ts';
import { sessionEvents } from './event-schema-session.ts';
import {
  count,
  ended,
  event,
  fence,
  hash,
  milliseconds,
  mirrors,
  nodeId,
  outcome,
  positive,
  price,
  text,
  texts,
} from './event-parts.ts';

const check = z.strictObject({ run: text, once: z.boolean() });

const planNode = z.strictObject({
  id: nodeId,
  slug: text,
  title: text,
  spec: text,
  deps: z.array(nodeId),
  scope: texts,
  checks: z.array(check),
  run: text.nullable(),
  timeout: milliseconds.nullable(),
  retries: count,
  onCut: z.enum(['rerun', 'block']),
  frozen: texts,
  budget: count.nullable(),
});

const plan = mirrors<Plan>()(
  z.strictObject({
    version: positive,
    hash,
    objective: text,
    checks: z.array(check),
    workspace: text.nullable(),
    nodes: z.array(planNode),
  }),
);

const limits = mirrors<Limits>()(
  z.strictObject({
    tokens: count.nullable(),
    cost: count.nullable(),
    maxTime: milliseconds.nullable(),
    until: count.nullable(),
  }),
);

const models = mirrors<ModelSettings>()(
  z.strictObject({
    worker: text,
    verifier: text,
    baseUrl: text.nullable(),
    prices: z.strictObject({ worker: price.nullable(), verifier: price.nullable() }),
    panel: z.strictObject({ node: count, final: count }),
    caps: z.strictObject({ rounds: positive, verifications: positive, turns: positive }),
    sandbox: z.enum(['auto', 'off', 'required']),
    allowNet: z.boolean(),
  }),
);

export const runEvent = mirrors<RunEvent>()(
  z.discriminatedUnion('type', [
    event('run.created', {
      run: text.min(1),
      machine: z.literal(1),
      objective: text,
      plan: plan.nullable(),
      models: models.nullable(),
      flow: flowRun.nullable(),
      approve: z.boolean(),
      workspace: text,
      concurrency: positive,
      limits,
    }),
    event('run.restored', {}),
    event('run.paused', {
      why: z.enum(['user', 'deadline', 'budget', 'moves', 'provider', 'infra', 'stuck']),
      detail: text.nullable(),
      resetAt: count.nullable(),
    }),
    event('run.resumed', { limits, concurrency: positive, models: models.nullable(), moves: count }),
    event('run.planned', { epoch: count, plan, warnings: texts }),
    event('run.approved', {}),
    event('run.completed', {}),
    event('run.cleared', {}),
    event('node.started', { ...fence, rerun: z.boolean() }),
    event('work.ended', { ...fence, ...ended, rerun: z.boolean() }),
    event('check.ended', {
      ...fence,
      ...ended,
      check: count,
      tree: text.nullable(),
      reused: z.boolean(),
      restored: texts,
    }),
    event('node.achieved', { node: nodeId }),
    event('node.failed', {
      node: nodeId,
      why: z.enum(['exit', 'check_red', 'timeout', 'no_progress', 'cap', 'turns']),
      detail: text,
      red: z.array(nodeId),
    }),
    event('node.blocked', {
      node: nodeId,
      why: z.enum(['cut', 'infra', 'claimed', 'unverifiable']),
      detail: text,
    }),
    event('node.retried', { node: nodeId }),
    event('node.skipped', { node: nodeId }),
    event('node.edited', {
      node: nodeId,
      version: positive,
      hash,
      spec: text.nullable(),
      run: text.nullable(),
      checks: texts.nullable(),
    }),
    event('late', {
      ...fence,
      of: z.enum(['work.ended', 'check.ended']),
      check: count.nullable(),
      outcome,
      ms: milliseconds,
    }),
    ...flowEvents,
    ...goalEvents,
    ...sessionEvents,
    ...budgetEvents,
  ]),
);
