/**
 * The port to a language model: one streamed turn. Tokens are raw tokens as billed; times are milliseconds.
 * Messages, tools and replies are plain JSON, so that a session can be stored turn by turn and sent again.
 */

import type { Usage } from './budget.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A tool call as the model wrote it. One with a flaw must not run: its result says what was wrong with it. */
export interface ToolCall {
  /** Unique within its message only: some vendors use the same ids again in the next round. */
  readonly id: string;
  readonly name: string;
  /** JSON text of one object when there is no flaw; else what came, verbatim. */
  readonly args: string;
  /** `truncated`: the reply ended inside the arguments. `not_json`: they are no JSON object. */
  readonly flaw: null | 'truncated' | 'not_json';
  /** What the vendor attached to the call and wants back unchanged (Gemini: a signature of its thoughts). */
  readonly extra: JsonObject | null;
}

export interface SystemMessage {
  readonly role: 'system';
  readonly text: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  /** Empty when it said nothing. */
  readonly text: string;
  /** Null when none was shown. Kept, because some vendors refuse a history of tool calls without it. */
  readonly reasoning: string | null;
  readonly calls: readonly ToolCall[];
}

/** Answers one call of the nearest assistant message before it; each call must have its answer. */
export interface ToolMessage {
  readonly role: 'tool';
  /** Id of the call. */
  readonly call: string;
  readonly text: string;
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments: an object. */
  readonly parameters: JsonObject;
}

/** `required`: any tool, but one. A wish: a model that cannot be forced is asked with `auto`, and `adapted` says so. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** Names a turn for scripts and records. It never leaves the process. */
export interface TurnKey {
  readonly role: string;
  /** Slug; empty for turns that belong to no node. */
  readonly node: string;
  /** Each counts from 1. */
  readonly round: number;
  readonly turn: number;
  /** Place on a panel; 1 for everyone else. */
  readonly seat: number;
}

export interface ModelRequest {
  readonly key: TurnKey;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Of no meaning without tools. */
  readonly toolChoice: ToolChoice;
  /** Tokens, reasoning included. */
  readonly maxOutput: number;
}

export interface ModelUsage extends Usage {
  /** Those of `output` that were reasoning; 0 when the vendor does not tell. */
  readonly reasoning: number;
}

/** `tools`: it ended with calls. `length`: it hit a limit; the last call may be flawed. `filter`: the vendor cut it. */
export type Finish = 'stop' | 'tools' | 'length' | 'filter';

interface Failed {
  /** One or two sentences for a person; holds no key. */
  readonly message: string;
}

export type ModelFault = Failed &
  (
    | {
        readonly code:
          /** The key is missing, wrong, or may not do this. */
          | 'auth'
          /** No such model, or the base URL is wrong. */
          | 'not_found'
          /** The request does not fit the model's window. */
          | 'context_length'
          /** The model cannot call tools. */
          | 'no_tools'
          /** The provider refuses the request as it stands; the same again would be refused again. */
          | 'bad_request'
          /** No answer: name, connection or TLS. */
          | 'network'
          /** The stream broke off before the reply had ended. */
          | 'cut'
          /** No content for too long; keep-alive signs do not count. */
          | 'idle'
          /** The signal of the turn. */
          | 'aborted'
          /** The answer is none that we can read, or larger than any reply. */
          | 'protocol'
          /** Whoever was asked before the request did not let it go: nothing was sent. */
          | 'refused';
      }
    /** Paid-for use is used up. `resetAt`: milliseconds since the epoch, null when the provider does not say. */
    | { readonly code: 'quota'; readonly resetAt: number | null }
    /** Too many requests just now. `retryAfter`: milliseconds from the answer, null when not said. */
    | { readonly code: 'rate'; readonly retryAfter: number | null }
    /** The provider's own trouble: 5xx, 408, or an error in the stream. */
    | { readonly code: 'server'; readonly retryAfter: number | null }
  );

export type ModelFaultCode = ModelFault['code'];

export interface ModelDone {
  readonly type: 'done';
  readonly message: AssistantMessage;
  readonly finish: Finish;
  /** Null when the provider reported none. */
  readonly usage: ModelUsage | null;
}

export interface ModelFailed {
  readonly type: 'failed';
  readonly fault: ModelFault;
  /** False when the request was certainly not answered with tokens: nothing sent, or refused before the first. */
  readonly billable: boolean;
}

export type ModelFinal = ModelDone | ModelFailed;

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A tool call has begun; its arguments come with `done`. */
  | { readonly type: 'calling'; readonly name: string }
  /** The provider refused a part of the request, which was sent again without it; this is remembered. */
  | { readonly type: 'adapted'; readonly to: string; readonly message: string }
  /** What this turn has emitted so far is void: it is tried again at `at` (milliseconds since the epoch) or later. */
  | { readonly type: 'retrying'; readonly fault: ModelFault; readonly attempt: number; readonly at: number }
  | ModelFinal;

/**
 * A model. `turn` streams one reply and ends in exactly one `done` or `failed`, after which nothing follows. Neither
 * the call nor the iteration throws for anything a provider, a network or a caller's abort can do. When the signal
 * fires, or the caller stops iterating, the connection is closed.
 */
export interface Model {
  /** For people and records: as the user named it. */
  readonly name: string;
  turn(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** The last event of a turn: what is left when nobody looks at the stream. */
export async function lastOf(turn: AsyncIterable<ModelEvent>): Promise<ModelFinal> {
  let last: ModelEvent | null = null;
  for await (const event of turn) last = event;
  if (last?.type === 'done' || last?.type === 'failed') return last;
  throw new Error('a turn of a model has ended without a final event');
}
