/** A conversation between memory and store: restored from its pieces, and grown by one stored piece after the other. */

import { z } from 'zod';
import { fail, ok } from '../contract/fault.ts';
import type { AssistantMessage, Message } from '../contract/model.ts';
import type { SessionEvent, SessionId } from '../contract/session-event.ts';
import { isObject } from '../model/tool-args.ts';
import type { Piece } from './session-index.ts';
import type { SessionDeps } from './session-spec.ts';

export interface Talk {
  /** All that is stored, from the beginning. */
  readonly pieces: readonly Piece[];
  /** What is sent after the system message: all since the last compaction. */
  readonly messages: readonly Message[];
}

const call = z.strictObject({
  id: z.string(),
  name: z.string(),
  args: z.string(),
  flaw: z.enum(['truncated', 'not_json']).nullable(),
  extra: z.record(z.string(), z.json()).nullable(),
});

const stored = z.array(
  z.discriminatedUnion('role', [
    z.strictObject({ role: z.literal('system'), text: z.string() }),
    z.strictObject({ role: z.literal('user'), text: z.string() }),
    z.strictObject({
      role: z.literal('assistant'),
      text: z.string(),
      reasoning: z.string().nullable(),
      calls: z.array(call),
    }),
    z.strictObject({ role: z.literal('tool'), call: z.string(), text: z.string() }),
  ]),
);

/** Null when a stored text is gone or cannot be read. */
export async function restoreTalk({ index, blobs }: SessionDeps, id: SessionId): Promise<Talk | null> {
  const pieces = index.of(id);
  const from = pieces.findLastIndex(({ type }) => type === 'session.compacted');
  const messages: Message[] = [];
  for (const piece of pieces.slice(Math.max(0, from))) {
    const bytes = await blobs.getBlob(piece.messages);
    if (!bytes.ok || bytes.value === null) return null;
    const read = parse(new TextDecoder().decode(bytes.value));
    if (read === null) return null;
    messages.push(...read);
  }
  return { pieces, messages };
}

/** Messages whose text is in the store. */
export interface Sealed {
  readonly messages: readonly Message[];
  readonly address: string;
}

/**
 * Stores the text, without what must not be seen; null when the store fails, or nothing makes it short enough. What
 * comes back is what a restore reads.
 */
export async function seal(
  { blobs, mask }: SessionDeps,
  messages: readonly Message[],
): Promise<Sealed | null> {
  const clean = masked(bounded(messages), mask);
  if (bytesOf(clean) > MOST_BYTES) return null;
  const put = await blobs.putBlob(new TextEncoder().encode(JSON.stringify(clean)));
  return put.ok ? { messages: clean, address: put.value } : null;
}

type Common = Pick<SessionEvent, 'at' | 'session' | 'round' | 'messages'>;

/**
 * Stores one piece, durable when it resolves; null when it was refused. Its event is queued when this returns, so
 * that it shares the transaction of what was queued just before.
 */
export async function record(
  { say, index }: SessionDeps,
  grown: {
    readonly talk: Talk;
    readonly of: { readonly id: SessionId; readonly round: number };
    readonly sealed: Sealed;
    readonly make: (common: Common) => Piece;
  },
): Promise<Talk | null> {
  const { talk, of, sealed, make } = grown;
  const pieceAt = (at: number) => make({ at, session: of.id, round: of.round, messages: sealed.address });
  let piece = pieceAt(0);
  const why = await say.store((_, at) =>
    // Stopped, but slow to end, while its successor has begun: a result must not be stored twice.
    index.of(of.id).length > talk.pieces.length
      ? fail('The session has gone on without this step.')
      : ok((piece = pieceAt(at))),
  );
  if (why !== null) return null;
  const before = piece.type === 'session.compacted' ? [] : talk.messages;
  return { pieces: [...talk.pieces, piece], messages: [...before, ...sealed.messages] };
}

export function lastReply({ messages }: Talk): AssistantMessage | null {
  return messages.findLast((message) => message.role === 'assistant') ?? null;
}

function parse(text: string): readonly Message[] | null {
  try {
    const read = stored.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Text by text; then the whole, as the store does it: a mask that bites only there must not make it unreadable. */
function masked(messages: readonly Message[], mask: (text: string) => string): readonly Message[] {
  const clean = mapTexts(messages, mask);
  const json = JSON.stringify(clean);
  const again = mask(json);
  if (again === json) return clean;
  return parse(again) ?? mapTexts(clean, () => '[masked]');
}

/** A text of the store has a cap; nobody should need this, but a reply or many results at once may be too large. */
const MOST_BYTES = 900 * 1024;
const LEAST_CUT = 1_000;

function bounded(messages: readonly Message[]): readonly Message[] {
  let cut = messages;
  for (let most = MOST_BYTES / 4; bytesOf(cut) > MOST_BYTES && most >= LEAST_CUT; most /= 2) {
    cut = mapTexts(messages, (text) => shortened(text, Math.floor(most)));
  }
  return cut;
}

/** Head and tail, and how much is missing between. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

function mapTexts(messages: readonly Message[], change: (text: string) => string): readonly Message[] {
  return messages.map((message) => {
    if (message.role !== 'assistant') return { ...message, text: change(message.text) };
    const calls = message.calls.map((call) => ({ ...call, args: changedArgs(call, change) }));
    const reasoning = message.reasoning === null ? null : change(message.reasoning);
    return { ...message, text: change(message.text), reasoning, calls };
  });
}

/** What was one JSON object must still be one. */
function changedArgs(
  { args, flaw }: AssistantMessage['calls'][number],
  change: (text: string) => string,
): string {
  const changed = change(args);
  return flaw === null && !isObject(changed)
    ? JSON.stringify({ left_out: `${args.length} characters` })
    : changed;
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
