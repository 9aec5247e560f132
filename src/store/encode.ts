/** Events and texts on their way to the disk: checked, masked, serialised. */

import type { RunEvent } from '../contract/event.ts';
import type { Append, InboxAnswer } from '../contract/ports.ts';
import { sha256 } from '../os/hash.ts';
import { eventVersion } from './upcast.ts';

/** Takes the secrets out of a text. */
export type Mask = (text: string) => string;

export interface Encoding {
  /** Applied to every text that is stored; null when there is nothing to hide. */
  readonly mask: Mask | null;
  /** Bytes of the largest text that may be stored; whoever produces texts cuts them before. */
  readonly maxBlob: number;
}

export const PLAIN: Encoding = { mask: null, maxBlob: 1024 * 1024 };

export interface NewRow {
  readonly type: string;
  readonly at: number;
  readonly v: number;
  readonly body: string;
}

/**
 * Throws on a number that JSON cannot carry: it would turn a NaN limit into null, which is "no limit". The rest is
 * left to the compiler here and to the schema on reading, because checking it all takes a twentieth of a commit.
 */
export function encodeBatch(batch: Append, { mask }: Encoding): readonly NewRow[] {
  const first = batch.events[0];
  if (batch.expected === 0 && first !== undefined && first.type !== 'run.created') {
    throw new Error(`a stream begins with run.created, not with ${first.type}`);
  }
  return batch.events.map((event) => encode(event, mask));
}

function encode(event: RunEvent, mask: Mask | null): NewRow {
  const body = JSON.stringify(storable(event, mask));
  return { type: event.type, at: event.at, v: eventVersion(event.type), body };
}

/** Words, ids and hashes of ours: a mask has nothing to find in them. */
const OURS: ReadonlySet<string> = new Set([
  'type',
  'node',
  'id',
  'hash',
  'output',
  'tree',
  'base',
  'messages',
  'patch',
  'outcome',
  'why',
  'of',
]);

/** The value itself, or a copy if there was something to mask. Text by text: JSON would escape parts of a secret. */
function storable(value: object, mask: Mask | null): object {
  let copy: Record<string, unknown> | null = null;
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    const stored = storableItem(key, item, mask);
    if (stored === item) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    copy[key] = stored;
  }
  return copy ?? value;
}

function storableItem(key: string, item: unknown, mask: Mask | null): unknown {
  switch (typeof item) {
    case 'number':
      // Only the exit code of a process, and what is left after an overrun, may be negative.
      if (Number.isFinite(item) && (item >= 0 || key === 'exit' || key === 'left')) return item;
      throw new Error(`malformed event: ${key} is ${item}`);
    case 'string':
      return mask === null || OURS.has(key) ? item : mask(item);
    case 'object':
      return item === null ? null : storable(item, mask);
    default:
      return item;
  }
}

export function encodeAnswers({ answers = [] }: Append, { mask }: Encoding): readonly InboxAnswer[] {
  return mask === null ? answers : answers.map(({ id, answer }) => ({ id, answer: mask(answer) }));
}

export function encodeBlob(
  bytes: Uint8Array,
  { mask, maxBlob }: Encoding,
): { address: string; body: Buffer } {
  if (bytes.byteLength > maxBlob) throw new Error(`a text of ${bytes.byteLength} bytes is over the cap`);
  const body = mask === null ? Buffer.from(bytes) : maskBytes(bytes, mask);
  return { address: sha256(body), body };
}

/** Output need not be UTF-8: its bytes stay as they are, unless they hold a secret. */
function maskBytes(bytes: Uint8Array, mask: Mask): Buffer {
  const text = Buffer.from(bytes).toString('utf8');
  const masked = mask(text);
  return masked === text ? Buffer.from(bytes) : Buffer.from(masked, 'utf8');
}
