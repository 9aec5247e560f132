/**
 * Any server that speaks OpenAI's chat completions, through the `openai` package. The package only builds requests
 * and reads events: retries, time-outs and what is sent to whom are ours.
 */

import OpenAI from 'openai';
import type { JsonObject, Model, ModelEvent, ModelRequest } from '../contract/model.ts';
import type { Clock } from '../contract/ports.ts';
import { learn } from './adapt.ts';
import type { Quirks } from './quirks.ts';
import { streamReply } from './stream-reply.ts';
import { wireFetch } from './wire-fetch.ts';
import { wireBody } from './wire-request.ts';

export interface OpenAiOptions {
  /** For people and records. */
  readonly name: string;
  /** As the provider calls it. */
  readonly model: string;
  readonly baseUrl: string;
  /** Null for servers that want none. */
  readonly key: string | null;
  readonly quirks: Quirks;
  readonly clock: Clock;
  /** Milliseconds without content after which a request is given up. */
  readonly idle?: number;
}

/** Below the five minutes after which the system's own client gives up. */
const IDLE = 240_000;

export function openAiModel(options: OpenAiOptions): Model {
  const { name, model, baseUrl, key, clock, idle = IDLE } = options;
  const client = createClient({ baseUrl, key, accept: 'text/event-stream' });
  // What refusals teach is kept as long as this object lives, and shared by all its turns.
  let quirks = options.quirks;

  async function* turn(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const learned = new Set<string>();
    for (;;) {
      const sent = quirks;
      const body = asParams(wireBody(model, request, sent));
      const asked = { baseUrl, model, key, now: () => clock.now() };
      const end = yield* streamReply({ client, body, asked, clock, idle, signal });
      const refusal =
        end.type === 'failed' && end.fault.code === 'bad_request' && !end.billable ? end.fault : null;
      const lesson = refusal === null ? null : learn(refusal.message, sent, request);
      // Each lesson once a turn: a provider that refuses both ways is not asked for ever.
      if (refusal === null || lesson === null || learned.has(lesson.about)) return yield* [end];
      learned.add(lesson.about);
      quirks = { ...quirks, ...lesson.change };
      yield { type: 'adapted', to: lesson.to, message: refusal.message };
    }
  }
  return { name, turn };
}

interface ClientOptions {
  readonly baseUrl: string;
  readonly key: string | null;
  readonly accept: string;
}

/** Longer than any reply takes to begin: our own time-out decides. Node's timers take 31 bits. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** Everything the package would read from the environment by itself is given, or never sent. */
export function createClient(options: ClientOptions): OpenAI {
  return new OpenAI({
    baseURL: options.baseUrl,
    apiKey: options.key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT,
    logLevel: 'off',
    fetch: wireFetch(options),
  });
}

/** The body is ours, and has fields of vendors the package's types do not know. */
function asParams(body: JsonObject): OpenAI.ChatCompletionCreateParamsStreaming {
  return body as unknown as OpenAI.ChatCompletionCreateParamsStreaming;
}
