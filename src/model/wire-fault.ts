/** What went wrong with a request, out of what the `openai` package throws: one code, one sentence, no key. */

import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import type { ModelFault } from '../contract/model.ts';
import { resetAt, retryAfter } from './reset-time.ts';
import { WireRefusal } from './wire-fetch.ts';

export interface Asked {
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface WireFault {
  readonly fault: ModelFault;
  /** False when the provider has certainly not begun to answer. */
  readonly billable: boolean;
}

const MAX_MESSAGE = 500;

/** `begun`: the stream of the reply was there already. */
export function wireFault(error: unknown, asked: Asked, begun: boolean): WireFault {
  const fault = classify(error, asked, begun);
  const lost =
    fault.code === 'idle' || (fault.code === 'network' && !NEVER_SENT.has(codeOf(rootCause(error))));
  return { fault: { ...fault, message: clean(fault.message, asked.key) }, billable: begun || lost };
}

/** No connection was made. Any other loss may have come after the request was taken. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_INVALID_URL',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function classify(error: unknown, asked: Asked, begun: boolean): ModelFault {
  const cause = rootCause(error);
  // What our own reading refused may arrive wrapped in the words of the connection.
  if (cause instanceof WireRefusal) return { code: cause.code, message: cause.message };
  if (error instanceof APIConnectionError) return connection(error, cause, asked);
  if (error instanceof APIError) return answered(error as APIError, asked);
  if (error instanceof SyntaxError) {
    return { code: 'protocol', message: `${asked.baseUrl} has sent a chunk that is not JSON.` };
  }
  if (begun)
    return { code: 'cut', message: `The stream from ${asked.baseUrl} broke off (${reason(cause)}).` };
  return connection(error, cause, asked);
}

/** A connection there was. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whoever waits for headers longer than the system's client does has heard nothing for five minutes. */
const SYSTEM_TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function connection(error: unknown, cause: unknown, { baseUrl }: Asked): ModelFault {
  if (error instanceof APIConnectionTimeoutError || SYSTEM_TIMEOUTS.has(codeOf(cause))) {
    return { code: 'idle', message: `${baseUrl} has not answered.` };
  }
  const why = reason(cause);
  if (LOST.has(codeOf(cause))) {
    return { code: 'network', message: `${baseUrl} has closed the connection without an answer (${why}).` };
  }
  return {
    code: 'network',
    message: `${baseUrl} cannot be reached (${why}). Check the base URL and the network.`,
  };
}

/** The provider has answered with an error, as a status or within the stream. */
function answered(error: APIError, asked: Asked): ModelFault {
  const headers = error.headers;
  const body: unknown = error.error;
  const said = sayingOf(error.message.replace(/^\d{3} /, ''), body);
  const about = { status: statusOf(error), said, words: labels(error), body };
  const now = asked.now();
  if (isQuota(about)) {
    return { code: 'quota', message: said, resetAt: resetAt(headers, about.body, now) };
  }
  if (saysNoTools(said))
    return { code: 'no_tools', message: `${asked.model} cannot call tools here: ${said}` };
  if (saysTooLong(about)) return { code: 'context_length', message: said };
  switch (about.status) {
    case 401:
    case 403:
      return { code: 'auth', message: `${said}. Check the key for ${asked.baseUrl}.` };
    case 404:
      return {
        code: 'not_found',
        message: `${said}. Check the model (${asked.model}) and ${asked.baseUrl}.`,
      };
    case 413:
      return { code: 'context_length', message: said };
    case 429:
      return { code: 'rate', message: said, retryAfter: retryAfter(headers, now) };
    case undefined:
      // An error in the stream. Only the words tell whether it is worth another try.
      return /rate.?limit/i.test(`${about.words} ${said}`)
        ? { code: 'rate', message: said, retryAfter: null }
        : { code: 'server', message: said, retryAfter: null };
    default:
      return about.status >= 500 || [408, 409, 425].includes(about.status)
        ? { code: 'server', message: said, retryAfter: retryAfter(headers, now) }
        : { code: 'bad_request', message: said };
  }
}

/** Gateways put the status of the provider behind them into the error of the stream; others only its label. */
function statusOf(error: APIError): number | undefined {
  if (error.status !== undefined) return error.status;
  const code = Number(error.code);
  if (code >= 400 && code < 600) return code;
  const words = labels(error);
  return LABELS.find(([label]) => label.test(words))?.[1];
}

/** The first that fits counts: most refusals are an `invalid_request_error` as well. */
const LABELS: readonly (readonly [RegExp, number])[] = [
  [/invalid_api_key|authentication_error/i, 401],
  [/model_not_found|not_found_error/i, 404],
  [/rate.?limit/i, 429],
  [/invalid_request_error/i, 400],
];

/** Gateways say "Provider returned error" and keep what it was beside it. */
function sayingOf(said: string, body: unknown): string {
  const raw = (body as { readonly metadata?: { readonly raw?: unknown } } | null | undefined)?.metadata?.raw;
  return typeof raw === 'string' ? `${said}: ${raw}` : said;
}

interface Answer {
  readonly status: number | undefined;
  readonly said: string;
  /** Code and type, as the provider labels the error. */
  readonly words: string;
  readonly body: unknown;
}

const PAID_OUT =
  /insufficient[_ ](quota|balance|credit|funds)|credit_balance|exceeded_current_quota|billing_/i;

/** "You exceeded your current quota" alone will not do: Google says it of the requests of a minute. */
function isQuota({ status, said, words }: Answer): boolean {
  if (status === 402) return true;
  if (status === 403)
    return PAID_OUT.test(`${words} ${said}`) || /quota|credit|usage limit|billing/i.test(said);
  return (status === 429 || status === 400 || status === undefined) && PAID_OUT.test(`${words} ${said}`);
}

function saysNoTools(said: string): boolean {
  return (
    /(does not|doesn't|not) support (the )?(use of )?(tools?|functions?)\b(?!.?choice)/i.test(said) ||
    /no endpoints found that support tool use|requires --(jinja|enable-auto-tool-choice)|requires --jinja/i.test(
      said,
    )
  );
}

function saysTooLong({ status, said, words }: Answer): boolean {
  if (status !== undefined && ![400, 413, 422, 500].includes(status)) return false;
  return (
    /context_length_exceeded|exceed_context_size/i.test(words) ||
    /context (length|window|size)|maximum context|prompt is too long|input is too long|exceeded model token limit|input token count/i.test(
      said,
    )
  );
}

function labels(error: { readonly code?: unknown; readonly type?: unknown }): string {
  return [error.code, error.type].filter((label) => typeof label === 'string').join(' ');
}

function rootCause(error: unknown): unknown {
  let found = error;
  for (let depth = 0; depth < 8 && found instanceof Error && found.cause instanceof Error; depth++) {
    found = found.cause;
  }
  return found;
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

function reason(error: unknown): string {
  const code = codeOf(error);
  if (code !== '') return code;
  return error instanceof Error ? error.message : 'no reason given';
}

/** A shorter one is a placeholder (`none`, `x`), and stands in words that say what is wrong. */
const SHORTEST_KEY = 8;

/** Some providers quote the key they refuse. */
function clean(message: string, key: string | null): string {
  const masked = key === null || key.length < SHORTEST_KEY ? message : message.replaceAll(key, '[key]');
  const line = masked.replace(/\s+/g, ' ').trim().replace('..', '.');
  return line.length <= MAX_MESSAGE ? line : `${line.slice(0, MAX_MESSAGE)} …`;
}
