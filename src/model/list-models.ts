/** What an endpoint serves. */

import { NotFoundError } from 'openai';
import { z } from 'zod';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { ModelFault } from '../contract/model.ts';
import { createClient } from './openai.ts';
import { wireFault } from './wire-fault.ts';

export interface ListOptions {
  readonly baseUrl: string;
  /** Null for servers that want none. */
  readonly key: string | null;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const list = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Names, sorted. Sends one request, and never throws. */
export async function listModels(options: ListOptions): Promise<Result<readonly string[], ModelFault>> {
  const { baseUrl, key, now, signal } = options;
  const isAborted = () => signal.aborted;
  if (isAborted()) return aborted();
  try {
    const client = createClient({ baseUrl, key, accept: 'application/json' });
    // Read as it comes: the package would take any JSON for a page, and follow its links to more.
    const answer: unknown = await client.get('/models', { signal });
    const parsed = list.safeParse(answer);
    if (!parsed.success) return fail({ code: 'protocol', message: `${baseUrl} gives no list of models.` });
    return ok(parsed.data.data.map(({ id }) => id).sort());
  } catch (error) {
    if (isAborted()) return aborted();
    const { fault } = wireFault(error, { baseUrl, model: 'none', key, now }, false);
    return fail(fault.code === 'not_found' && error instanceof NotFoundError ? notThere(baseUrl) : fault);
  }
}

/** By its status: nobody asked for a model, so what that says of one would mislead. */
function notThere(baseUrl: string): ModelFault {
  return {
    code: 'not_found',
    message: `${baseUrl}/models is not there. Check the base URL; most end in /v1. Some servers have no such list.`,
  };
}

function aborted(): Result<never, ModelFault> {
  return fail({ code: 'aborted', message: 'The request was aborted.' });
}
