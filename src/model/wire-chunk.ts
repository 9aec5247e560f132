/** One chunk of a streamed chat completion, read leniently where vendors differ and strictly where it counts. */

import { z } from 'zod';
import type { ModelUsage } from '../contract/model.ts';

const text = z.string().nullish();

/** Objects in the place of the JSON text of one, from some local servers. */
const args = z
  .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
  .nullish();

const callDelta = z.object({
  index: z.number().int().nullish().catch(null),
  id: text,
  function: z.object({ name: text, arguments: args }).nullish(),
  extra_content: z.record(z.string(), z.json()).nullish().catch(null),
});

const delta = z.object({
  content: text,
  reasoning_content: text,
  reasoning: text.catch(null),
  refusal: text,
  /** A single one in the place of a list, from a gateway. */
  tool_calls: z.union([z.array(callDelta), callDelta.transform((one) => [one])]).nullish(),
});

const tokens = z.number().int().min(0);
const details = z.record(z.string(), z.unknown()).nullish().catch(null);

const usage = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  prompt_tokens_details: details,
  completion_tokens_details: details,
  /** DeepSeek's and Moonshot's own places for the cached share. */
  prompt_cache_hit_tokens: tokens.nullish().catch(null),
  cached_tokens: tokens.nullish().catch(null),
});

const chunk = z.object({
  choices: z
    .array(z.object({ index: z.number().nullish(), delta: delta.nullish(), finish_reason: text }))
    .nullish(),
  usage: usage.nullish().catch(null),
  /** Groq's place for the usage of a stream. */
  x_groq: z.object({ usage: usage.nullish() }).nullish().catch(null),
});

export type CallDelta = z.infer<typeof callDelta>;

/** What one chunk adds to the reply. */
export interface Piece {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CallDelta[];
  readonly finish: string | null;
  readonly usage: ModelUsage | null;
}

/** Null when it is no chunk at all. */
export function readChunk(value: unknown): Piece | null {
  const parsed = chunk.safeParse(value);
  if (!parsed.success) return null;
  const { choices, usage: reported, x_groq: groq } = parsed.data;
  // We ask for one choice, and gateways that translate number its pieces instead.
  const choice = choices?.find(({ index }) => (index ?? 0) === 0) ?? choices?.[0];
  const said = choice?.delta;
  const finish = choice?.finish_reason;
  const usage = reported ?? groq?.usage ?? null;
  return {
    text: said?.content ?? said?.refusal ?? '',
    reasoning: said?.reasoning_content ?? said?.reasoning ?? '',
    calls: said?.tool_calls ?? [],
    finish: finish === undefined || finish === '' ? null : finish,
    // Gateways that were told nothing write zeros, and no request has none.
    usage: usage === null || isZero(usage) ? null : readUsage(usage),
  };
}

function isZero({ prompt_tokens: input, completion_tokens: output }: z.infer<typeof usage>): boolean {
  return input === 0 && output === 0;
}

/** A price the provider puts beside the tokens is not looked at: some send 0 (F-29). */
function readUsage(reported: z.infer<typeof usage>): ModelUsage {
  const input = reported.prompt_tokens;
  const cached =
    number(reported.prompt_tokens_details, 'cached_tokens') ??
    reported.prompt_cache_hit_tokens ??
    reported.cached_tokens ??
    0;
  const output = reported.completion_tokens;
  const reasoning = number(reported.completion_tokens_details, 'reasoning_tokens') ?? 0;
  return { input, cached: Math.min(cached, input), output, reasoning: Math.min(reasoning, output) };
}

function number(from: Readonly<Record<string, unknown>> | null | undefined, key: string): number | null {
  const value = from?.[key];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
