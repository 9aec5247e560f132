/**
 * What a refusal teaches: a part of the request that this provider does not take. Each lesson is learned once, so
 * that a provider which refuses everything is asked a handful of times and no more.
 */

import type { ModelRequest } from '../contract/model.ts';
import { REASONING_REQUIRED } from './quirks.ts';
import type { Quirks } from './quirks.ts';

export interface Lesson {
  /** Which part of the request. */
  readonly about: 'limit' | 'usage' | 'choice' | 'reasoning';
  /** For people: what is sent from now on. */
  readonly to: string;
  readonly change: Partial<Quirks>;
}

/** Null when the refusal teaches nothing about what was sent. */
export function learn(message: string, sent: Quirks, request: ModelRequest): Lesson | null {
  return (
    limit(message, sent) ?? usage(message, sent) ?? choice(message, sent, request) ?? reasoning(message, sent)
  );
}

const UNKNOWN = /unsupported|not supported|unrecognized|unknown|unexpected|extra|not permitted|not allowed/i;

/** A refusal that names the other field, or does not know the one that was sent. A mere "too large" is neither. */
function limit(message: string, { limitField }: Quirks): Lesson | null {
  const other = limitField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const isAbout = names(message, other) || (names(message, limitField) && UNKNOWN.test(message));
  return isAbout ? { about: 'limit', to: other, change: { limitField: other } } : null;
}

function names(message: string, field: string): boolean {
  return new RegExp(`\\b${field}\\b`).test(message);
}

function usage(message: string, { askUsage }: Quirks): Lesson | null {
  if (!askUsage || !/stream_options|include_usage/i.test(message)) return null;
  return { about: 'usage', to: 'no stream_options', change: { askUsage: false } };
}

function choice(message: string, { forcedTools }: Quirks, request: ModelRequest): Lesson | null {
  if (!forcedTools || !isForced(request) || !/tool[_ ]choice/i.test(message)) return null;
  return { about: 'choice', to: 'tool_choice auto', change: { forcedTools: false } };
}

/** Moonshot: "reasoning_content is missing …". DeepSeek: "The reasoning_content … must be passed back". */
function reasoning(message: string, { replay }: Quirks): Lesson | null {
  if (replay?.placeholder != null || !/reasoning_content/.test(message) || UNKNOWN.test(message)) return null;
  return { about: 'reasoning', to: 'reasoning sent back', change: { replay: REASONING_REQUIRED } };
}

export function isForced({ tools, toolChoice }: ModelRequest): boolean {
  return tools.length > 0 && toolChoice !== 'auto' && toolChoice !== 'none';
}
