/** The messages of a session as they are stored: read for people, so that a text that is gone is said, not a fault. */

import { z } from 'zod';
import type { Message } from '../../contract/model.ts';
import type { EventLog } from '../../contract/ports.ts';
import { fail, ok, type Result } from '../../contract/fault.ts';

const stored = z.array(
  z.discriminatedUnion('role', [
    z.object({ role: z.literal('system'), text: z.string() }),
    z.object({ role: z.literal('user'), text: z.string() }),
    z.object({
      role: z.literal('assistant'),
      text: z.string(),
      reasoning: z.string().nullable(),
      calls: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          args: z.string(),
          flaw: z.enum(['truncated', 'not_json']).nullable(),
          extra: z.record(z.string(), z.json()).nullable(),
        }),
      ),
    }),
    z.object({ role: z.literal('tool'), call: z.string(), text: z.string() }),
  ]),
);

/** The fault is a line for a person. */
export async function readMessages(
  log: Pick<EventLog, 'getBlob'>,
  address: string,
): Promise<Result<readonly Message[], string>> {
  const text = await readText(log, address);
  if (!text.ok) return text;
  try {
    const read = stored.safeParse(JSON.parse(text.value));
    return read.success ? ok(read.data) : fail('its text is none that can be read');
  } catch {
    return fail('its text is none that can be read');
  }
}

export async function readText(
  log: Pick<EventLog, 'getBlob'>,
  address: string,
): Promise<Result<string, string>> {
  const blob = await log.getBlob(address);
  if (!blob.ok) return fail(`its text cannot be read: ${blob.fault.message}`);
  if (blob.value === null) return fail('its text is no longer kept');
  return ok(new TextDecoder().decode(blob.value));
}
