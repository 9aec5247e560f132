/** One request and its streamed reply: every way in which it can end, as a value. */

import type OpenAI from 'openai';
import type { ModelEvent, ModelFailed, ModelFault, ModelFinal } from '../contract/model.ts';
import type { Clock } from '../contract/ports.ts';
import { watchIdle } from './idle-watch.ts';
import type { IdleWatch } from './idle-watch.ts';
import { gatherReply } from './reply.ts';
import type { Reply } from './reply.ts';
import { readChunk } from './wire-chunk.ts';
import type { CallDelta } from './wire-chunk.ts';
import { wireFault } from './wire-fault.ts';
import type { Asked } from './wire-fault.ts';

export interface StreamOptions {
  readonly client: OpenAI;
  readonly body: OpenAI.ChatCompletionCreateParamsStreaming;
  readonly asked: Asked;
  readonly clock: Clock;
  /** Milliseconds without content after which the request is given up. */
  readonly idle: number;
  readonly signal: AbortSignal;
}

/** Characters of one reply. No model writes this much, and a broken one must not fill the memory. */
const MAX_REPLY = 8 * 1024 * 1024;

/** Milliseconds of one reply, however lively: what never ends must not be waited for. */
const MAX_TIME = 60 * 60_000;

/** Milliseconds that usage and the end of the stream may take once the reply is over. */
const LINGER = 10_000;

/** Emits what the reply shows, and returns its end. */
export async function* streamReply(options: StreamOptions): AsyncGenerator<ModelEvent, ModelFinal> {
  if (options.signal.aborted) return failed(ABORTED, false);
  const watch = watchIdle(options.clock, { idle: options.idle, whole: MAX_TIME }, options.signal);
  const reply = gatherReply();
  try {
    const fault = yield* read(options, watch, reply);
    return conclude(options, { watch, reply, fault });
  } finally {
    watch.close();
  }
}

/** Returns what went wrong; null at the end of the stream, whatever it was. */
async function* read(
  options: StreamOptions,
  watch: IdleWatch,
  reply: Reply,
): AsyncGenerator<ModelEvent, ModelFailed | null> {
  let begun = false;
  let chunks = 0;
  try {
    const stream = await options.client.chat.completions.create(options.body, { signal: watch.signal });
    begun = true;
    for await (const chunk of stream) {
      if (watch.why() !== null) return null;
      chunks += 1;
      const piece = readChunk(chunk);
      if (piece === null) return failed(unreadable(options.asked), true);
      const events = reply.add(piece);
      if (reply.size() > MAX_REPLY) return failed(tooLarge(options.asked), true);
      if (events.length > 0 || hasArguments(piece.calls)) {
        watch.pause();
        yield* events;
        watch.content();
      }
      if (reply.ended()) watch.linger(LINGER);
    }
    return null;
  } catch (error) {
    const { fault, billable } = wireFault(error, options.asked, begun);
    // Some refuse within the stream what others refuse by status.
    return failed(fault, billable && !(chunks === 0 && REFUSALS.has(fault.code)));
  }
}

const REFUSALS: ReadonlySet<ModelFault['code']> = new Set([
  'auth',
  'quota',
  'rate',
  'not_found',
  'no_tools',
  'context_length',
  'bad_request',
]);

function hasArguments(calls: readonly CallDelta[]): boolean {
  return calls.some((call) => (call.function?.arguments ?? '') !== '');
}

interface End {
  readonly watch: IdleWatch;
  readonly reply: Reply;
  readonly fault: ModelFailed | null;
}

function conclude(options: StreamOptions, { watch, reply, fault }: End): ModelFinal {
  const { baseUrl } = options.asked;
  const why = watch.why();
  if (why === 'aborted') return failed(ABORTED, true);
  if (reply.broken()) return failed(gaveUp(baseUrl), true);
  // Whatever happens to the connection after the provider has said that the reply is over: it is over.
  if (reply.ended()) return reply.done();
  if (why === 'idle') return failed(silent(baseUrl, options.idle), true);
  if (why === 'endless') return failed(endless(baseUrl), true);
  return fault ?? failed(brokenOff(baseUrl), true);
}

const ABORTED: ModelFault = { code: 'aborted', message: 'The request was aborted.' };

function failed(fault: ModelFault, billable: boolean): ModelFailed {
  return { type: 'failed', fault, billable };
}

function unreadable({ baseUrl }: Asked): ModelFault {
  return { code: 'protocol', message: `${baseUrl} has sent a chunk that is none of a chat completion.` };
}

function tooLarge({ baseUrl }: Asked): ModelFault {
  return { code: 'protocol', message: `${baseUrl} has sent a reply of more than ${MAX_REPLY} characters.` };
}

function gaveUp(baseUrl: string): ModelFault {
  return { code: 'server', message: `${baseUrl} has ended the reply with an error.`, retryAfter: null };
}

function silent(baseUrl: string, idle: number): ModelFault {
  return { code: 'idle', message: `${baseUrl} has sent no content for ${Math.round(idle / 1000)} s.` };
}

function endless(baseUrl: string): ModelFault {
  return { code: 'idle', message: `${baseUrl} has not ended its reply in ${MAX_TIME / 60_000} min.` };
}

function brokenOff(baseUrl: string): ModelFault {
  return { code: 'cut', message: `The stream from ${baseUrl} ended before the reply did.` };
}
