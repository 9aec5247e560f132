/** When a provider says that it may be asked again: in headers, in the body, in five notations. */

interface Headers {
  get(name: string): string | null;
}

const SECOND = 1_000;

/** A century: what is later is no time. */
const MAX_WAIT = 36_525 * 24 * 3600 * SECOND;

/** Milliseconds from now; null when not said. */
export function retryAfter(headers: Headers | undefined, now: number): number | null {
  const ms = decimal(headers?.get('retry-after-ms'));
  if (ms !== null) return wait(ms);
  const said = headers?.get('retry-after') ?? null;
  if (said === null) return null;
  const seconds = decimal(said);
  if (seconds !== null) return wait(seconds * SECOND);
  const date = Date.parse(said);
  return Number.isNaN(date) ? null : wait(Math.max(0, date - now));
}

/** Milliseconds since the epoch; null when not said. `body` is the provider's error object. */
export function resetAt(headers: Headers | undefined, body: unknown, now: number): number | null {
  const after = retryAfter(headers, now);
  if (after !== null) return now + after;
  const said = headers?.get('x-ratelimit-reset') ?? null;
  const moment = said === null ? null : (instant(decimal(said), now) ?? instant(duration(said), now));
  return moment ?? inBody(body, now);
}

function inBody(body: unknown, now: number): number | null {
  if (typeof body !== 'object' || body === null) return null;
  const fields = body as Readonly<Record<string, unknown>>;
  for (const key of ['resets_at', 'reset_at']) {
    const value = fields[key];
    const at = typeof value === 'string' ? Date.parse(value) : value;
    if (typeof at === 'number' && !Number.isNaN(at)) return instant(at, now);
  }
  const seconds = fields['resets_in_seconds'];
  if (typeof seconds === 'number') return instant(seconds, now);
  // OpenRouter puts the headers of the provider behind it into the body.
  const headers = (fields['metadata'] as { readonly headers?: Readonly<Record<string, unknown>> } | undefined)
    ?.headers;
  const nested = headers?.['X-RateLimit-Reset'];
  return typeof nested === 'string' ? instant(decimal(nested), now) : null;
}

/** A number is a time in milliseconds, a time in seconds, or seconds from now, by its size. */
function instant(value: number | null, now: number): number | null {
  if (value === null || value < 0) return null;
  const at = value > 1e11 ? value : value > 1e9 ? value * SECOND : now + value * SECOND;
  return Math.abs(at - now) > MAX_WAIT ? null : Math.round(at);
}

function wait(ms: number): number | null {
  return ms >= 0 && ms <= MAX_WAIT ? Math.ceil(ms) : null;
}

function decimal(text: string | null | undefined): number | null {
  return text != null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

const PARTS = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/;

/** Seconds of `6m0s`, `1h2m`, `1.5s`, `120ms`. */
function duration(text: string): number | null {
  const match = PARTS.exec(text.trim());
  if (match === null || text.trim() === '') return null;
  const [h = 0, m = 0, s = 0, ms = 0] = match.slice(1).map((part: string | undefined) => Number(part ?? 0));
  return h * 3600 + m * 60 + s + ms / SECOND;
}
