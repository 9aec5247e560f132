/**
 * The stored form of every event, newest version. Strict on purpose: an unknown key, a NaN that JSON turned into
 * null, or a negative limit is refused, because a fold that guesses would go on from a wrong state.
 */

import { z } from 'zod';
import type { RunEvent } from '../contract/event.ts';
import type { Limits } from '../contract/limits.ts';
import type { NodeId } from '../contract/ids.ts';
import type { Plan } from '../contract/plan.ts';

/** A type without its `readonly`s, which zod does not infer, and with its optional keys made visible. */
type Shape<T> = T extends readonly (infer U)[]
  ? readonly Shape<U>[]
  : T extends object
    ? { readonly [K in keyof T]-?: [Shape<T[K]>, Partial<Pick<T, K>> extends Pick<T, K> ? '?' : '!'] }
    : T;
type Same<A, B> = [Shape<A>] extends [Shape<B>] ? ([Shape<B>] extends [Shape<A>] ? true : false) : false;

/** Fails to compile when a schema and the contract's type of the same thing drift apart. */
function mirrors<Contract>() {
  return <S extends z.ZodType>(schema: Same<z.output<S>, Contract> extends true ? S : never): S => schema;
}

const count = z.int().nonnegative();
const positive = z.int().positive();
const milliseconds = z.number().nonnegative();
const text = z.string();
const texts = z.array(text);
const hash = text.regex(/^[0-9a-f]{16}$/);
const address = text.regex(/^[0-9a-f]{64}$/);
const nodeId = mirrors<NodeId>()(z.templateLiteral(['gn-', z.string().regex(/^(?:[0-9a-f]{16}|final)$/)]));

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

const outcome = z.enum(['exit', 'signal', 'timeout', 'spawn', 'aborted']);
const fence = { node: nodeId, epoch: count, attempt: positive };
const ended = {
  outcome,
  exit: z.int().nullable(),
  detail: text.nullable(),
  ms: milliseconds,
  output: address.nullable(),
  bytes: count,
  tail: text,
};

function event<T extends RunEvent['type'], Fields extends z.ZodRawShape>(type: T, fields: Fields) {
  return z.strictObject({ type: z.literal(type), at: count, ...fields });
}

export const runEvent = mirrors<RunEvent>()(
  z.discriminatedUnion('type', [
    event('run.created', {
      run: text.min(1),
      machine: z.literal(1),
      plan,
      workspace: text,
      concurrency: positive,
      limits,
    }),
    event('run.restored', {}),
    event('run.paused', {
      why: z.enum(['user', 'deadline', 'budget', 'infra', 'stuck']),
      detail: text.nullable(),
    }),
    event('run.resumed', { limits, concurrency: positive }),
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
    }),
    event('node.achieved', { node: nodeId }),
    event('node.failed', {
      node: nodeId,
      why: z.enum(['exit', 'check_red', 'timeout']),
      detail: text,
      red: z.array(nodeId),
    }),
    event('node.blocked', { node: nodeId, why: z.enum(['cut', 'infra']), detail: text }),
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
  ]),
);
