/** Parts of which the schemas of events are made. */

import { z } from 'zod';
import type { Price, Usage } from '../contract/budget.ts';
import type { RunEvent } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';

/** A type without its `readonly`s, which zod does not infer, and with its optional keys made visible. */
type Shape<T> = T extends readonly (infer U)[]
  ? readonly Shape<U>[]
  : T extends object
    ? { readonly [K in keyof T]-?: [Shape<T[K]>, Partial<Pick<T, K>> extends Pick<T, K> ? '?' : '!'] }
    : T;
type Same<A, B> = [Shape<A>] extends [Shape<B>] ? ([Shape<B>] extends [Shape<A>] ? true : false) : false;

/** Fails to compile when a schema and the contract's type of the same thing drift apart. */
export function mirrors<Contract>() {
  return <S extends z.ZodType>(schema: Same<z.output<S>, Contract> extends true ? S : never): S => schema;
}

export const count = z.int().nonnegative();
export const positive = z.int().positive();
export const milliseconds = z.number().nonnegative();
export const text = z.string();
export const texts = z.array(text);
export const hash = text.regex(/^[0-9a-f]{16}$/);
export const address = text.regex(/^[0-9a-f]{64}$/);
/** A snapshot: the name of a git tree. */
export const tree = text.regex(/^[0-9a-f]{40}$/);
export const nodeId = mirrors<NodeId>()(
  z.templateLiteral(['gn-', z.string().regex(/^(?:[0-9a-f]{16}|final)$/)]),
);

export const price = mirrors<Price>()(z.strictObject({ input: count, cached: count, output: count }));
export const usage = mirrors<Usage>()(z.strictObject({ input: count, cached: count, output: count }));

export const outcome = z.enum(['exit', 'signal', 'timeout', 'spawn', 'aborted']);
export const fence = { node: nodeId, epoch: count, attempt: positive };
export const ended = {
  outcome,
  exit: z.int().nullable(),
  detail: text.nullable(),
  ms: milliseconds,
  output: address.nullable(),
  bytes: count,
  tail: text,
};

export function event<T extends RunEvent['type'], Fields extends z.ZodRawShape>(type: T, fields: Fields) {
  return z.strictObject({ type: z.literal(type), at: count, ...fields });
}
