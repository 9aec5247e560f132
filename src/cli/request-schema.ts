/** What may stand in the inbox, for parsing what another process wrote there. */

import { z } from 'zod';
import type { Request } from '../contract/request.ts';

const count = z.int().min(0).nullable();
const node = z.string().min(1).max(200);

const schema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('pause'), by: z.string().max(200) }),
  z.strictObject({
    type: z.literal('resume'),
    add: z.strictObject({ tokens: count, cost: count, maxTime: count, until: count, moves: count }),
    concurrency: z.int().min(1).max(64).nullable(),
    // Whoever drives a run has its models open.
    models: z.null(),
  }),
  z.strictObject({ type: z.literal('choose'), branch: z.string().max(2_000), step: z.string().nullable() }),
  z.strictObject({ type: z.literal('retry'), node }),
  z.strictObject({ type: z.literal('skip'), node }),
  z.strictObject({
    type: z.literal('edit'),
    node,
    spec: z.string().nullable(),
    run: z.string().nullable(),
    checks: z.array(z.string()).nullable(),
  }),
  z.strictObject({ type: z.literal('approve') }),
  z.strictObject({ type: z.literal('clear') }),
]) satisfies z.ZodType<Request>;

/** Null when the text is no request of this version. */
export function parseRequest(text: string): Request | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
