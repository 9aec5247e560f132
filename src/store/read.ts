/** Stored rows to events. What cannot be read is a fault that names its place; nothing is skipped or guessed. */

import type { RunEvent } from '../contract/event.ts';
import { fail, ok } from '../contract/fault.ts';
import type { Fault, Result } from '../contract/fault.ts';
import type { StoredEvent } from '../contract/ports.ts';
import { runEvent } from './event-schema.ts';
import { upcast } from './upcast.ts';

export interface EventRow {
  readonly version: number;
  readonly type: string;
  readonly v: number;
  readonly body: string;
}

/** Reads the rows of one stream, oldest first, that follow version `after`. */
export function readRows(
  run: string,
  after: number,
  rows: Iterable<EventRow>,
): Result<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  let last = after;
  for (const row of rows) {
    last += 1;
    if (row.version !== last) return fail(unreadable(run, last, 'is missing'));
    const event = readRow(run, row);
    if (!event.ok) return event;
    events.push({ version: row.version, event: event.value });
  }
  return ok(events);
}

export function readRow(run: string, row: EventRow): Result<RunEvent> {
  const body = parse(row.body);
  if (!isObject(body)) return fail(unreadable(run, row.version, 'is not a JSON object'));
  const newest = upcast({ type: row.type, v: row.v, body });
  if (!newest.ok) return fail(unreadable(run, row.version, newest.fault));
  const event = asEvent(newest.value);
  if (!event.ok) return fail(unreadable(run, row.version, `("${row.type}") is malformed: ${event.fault}`));
  if (event.value.type !== row.type) {
    return fail(unreadable(run, row.version, `is stored as "${row.type}" but says "${event.value.type}"`));
  }
  return event;
}

/** The failure names the first wrong field. */
export function asEvent(value: unknown): Result<RunEvent, string> {
  const checked = runEvent.safeParse(value);
  // The value itself and not zod's copy: its keys keep the order in which they were written.
  if (checked.success) return ok(value as RunEvent);
  const issue = checked.error.issues[0];
  return fail(issue === undefined ? 'unknown' : `${issue.path.join('.') || 'event'}: ${issue.message}`);
}

function unreadable(run: string, version: number, why: string): Fault {
  return {
    code: 'journal',
    message:
      `Event ${version} of run ${run} ${why}. Nothing was changed. ` +
      `Use the goalgraph that wrote this journal, or a newer one.`,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
