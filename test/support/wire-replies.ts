/** Replies of the wire server, as vendors send them. */

import type { WireReply, WireStep } from './wire-server.ts';

const SSE = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

export const WIRE_USAGE = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 5 },
};

/** A piece of a tool call; vendors leave out, repeat and mix all of it. */
export interface WireCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly type?: 'function';
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown };
  readonly extra_content?: unknown;
}

export interface WireDelta {
  readonly role?: 'assistant';
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly WireCall[];
}

export function chunk(delta: WireDelta, finish: string | null = null): object {
  return {
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

export function usageChunk(usage: object = WIRE_USAGE): object {
  return { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage };
}

export function data(value: unknown): WireStep {
  return { do: 'raw', text: event(value) };
}

export function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export const DONE: WireStep = { do: 'raw', text: 'data: [DONE]\n\n' };
export const KEEP_ALIVE: WireStep = { do: 'raw', text: ': keep-alive\n\n' };
export const CUT: WireStep = { do: 'cut' };
export const HANG: WireStep = { do: 'hang' };

/** A stream that ends as its steps say, and no sooner. */
export function stream(...steps: readonly WireStep[]): WireReply {
  return { status: 200, headers: SSE, steps };
}

/** A whole reply in these deltas. */
export function whole(
  deltas: readonly WireDelta[],
  finish = 'stop',
  usage: object | null = WIRE_USAGE,
): WireReply {
  return stream(
    ...deltas.map((delta) => data(chunk(delta))),
    data(chunk({}, finish)),
    ...(usage === null ? [] : [data(usageChunk(usage))]),
    DONE,
  );
}

export function says(text: string): WireReply {
  return whole([{ role: 'assistant', content: '' }, { content: text }]);
}

/** A refusal in the vendors' common form. */
export function refuses(
  status: number,
  error: { readonly message: string; readonly [key: string]: unknown },
  headers: Readonly<Record<string, string>> = {},
): WireReply {
  return sends(status, 'application/json', JSON.stringify({ error }), headers);
}

export function sends(
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): WireReply {
  return { status, headers: { 'content-type': type, ...headers }, steps: [{ do: 'raw', text }] };
}
