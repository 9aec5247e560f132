/** The stored form of the ledger's events. */

import { z } from 'zod';
import { count, event, positive, price, text, usage } from './event-parts.ts';

const amount = z.strictObject({ tokens: count, cost: count });

const request = {
  id: positive,
  call: text,
  role: text,
  model: text,
  final: z.boolean(),
  input: z.strictObject({ known: count, fresh: count }),
  maxOutput: count,
  floor: count,
  price: price.nullable(),
};

const hold = z.strictObject({ input: count, output: count, cost: count });

export const budgetEvents = [
  event('budget.reserved', { ...request, hold, granted: positive }),
  event('budget.waiting', request),
  event('budget.tripped', {
    id: positive,
    call: text,
    role: text,
    model: text,
    final: z.boolean(),
    by: z.enum(['tokens', 'cost']),
    need: count,
    // Below zero after an overrun.
    left: z.int(),
    standing: count,
  }),
  event('budget.charged', {
    id: positive,
    usage,
    cost: count,
    estimated: z.boolean(),
    overrun: amount.nullable(),
    factor: positive,
  }),
  event('budget.released', { id: positive }),
  event('budget.added', { tokens: count.nullable(), cost: count.nullable(), standing: amount }),
] as const;
