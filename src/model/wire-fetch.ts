/**
 * `fetch` for the `openai` package, held to what was configured: no redirect is followed, no header goes out that
 * tells of this machine or comes from an environment variable the package reads by itself, no answer grows without end.
 */

/** Refused by us, not by the provider. A class, because only thrown things get through the package. */
export class WireRefusal extends Error {
  readonly code: 'not_found' | 'protocol';
  constructor(code: 'not_found' | 'protocol', message: string) {
    super(message);
    this.code = code;
  }
}

export interface WireFetchOptions {
  readonly baseUrl: string;
  /** Null: no authorization is sent. */
  readonly key: string | null;
  /** Of the answer; `text/event-stream` for replies. */
  readonly accept: string;
}

/** A line without end is no event; whole replies in one event have been seen, so it is not small. */
const MAX_LINE = 4 * 1024 * 1024;

/** Refusals and lists are read whole. */
const MAX_WHOLE = 8 * 1024 * 1024;

export function wireFetch(options: WireFetchOptions): typeof fetch {
  // As the package will write it: host in lower case, no default port.
  const ours = URL.canParse(options.baseUrl) ? new URL(options.baseUrl).href.replace(/\/+$/, '') : '';
  return async (input, init) => {
    // With an empty base URL the package would fall back on its vendor's.
    if (ours === '' || !addressOf(input).startsWith(`${ours}/`)) {
      throw new WireRefusal(
        'not_found',
        `"${options.baseUrl}" is no base URL. Set one like http://127.0.0.1:8080/v1.`,
      );
    }
    const given = new Headers(init?.headers);
    const headers = new Headers({ accept: options.accept, 'user-agent': 'goalgraph' });
    const type = given.get('content-type');
    if (type !== null) headers.set('content-type', type);
    if (options.key !== null) headers.set('authorization', `Bearer ${options.key}`);
    const response = await fetch(input, { ...init, headers, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) await refuseRedirect(response, options.baseUrl);
    const streams = response.ok && options.accept === 'text/event-stream';
    if (response.ok) await refuseType(response, options);
    const answer = capped(response, streams);
    return response.ok ? answer : plainRefusal(answer);
  };
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}

async function refuseRedirect(response: Response, baseUrl: string): Promise<never> {
  const to = response.headers.get('location') ?? 'nowhere';
  await response.body?.cancel();
  throw new WireRefusal(
    'not_found',
    `${baseUrl} redirects to ${to}. Set that address as the base URL if you trust it.`,
  );
}

/** A page in the place of an answer is the usual sign of a base URL without its `/v1`. */
async function refuseType(response: Response, { baseUrl, accept }: WireFetchOptions): Promise<void> {
  const type = response.headers.get('content-type') ?? accept;
  if (type.includes(accept)) return;
  await response.body?.cancel();
  const kind = type.split(';')[0] ?? type;
  throw new WireRefusal(
    kind === 'text/html' ? 'not_found' : 'protocol',
    `${baseUrl} answers with ${kind}, not ${accept}. Check the base URL; most end in /v1.`,
  );
}

const ENDLESS = 'The provider sends more without a line break than any reply has.';

/**
 * The package copies all it holds for each event in it, and for each piece that does not end one. Many small events
 * are cheap in small pieces, one long event in a few large ones.
 */
function pieceSize(unfinished: number): number {
  return Math.max(1024, unfinished >> 4);
}

function capped(response: Response, streams: boolean): Response {
  if (response.body === null) return response;
  let since = 0;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      for (let from = 0, to = 0; from < bytes.length; from = to) {
        to = streams ? from + pieceSize(since) : bytes.length;
        const piece = bytes.subarray(from, to);
        const lineBreak = streams ? piece.lastIndexOf(NEWLINE) : -1;
        since = lineBreak < 0 ? since + piece.length : piece.length - lineBreak - 1;
        if (since > (streams ? MAX_LINE : MAX_WHOLE)) {
          controller.error(new WireRefusal('protocol', ENDLESS));
          return;
        }
        controller.enqueue(piece);
      }
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(cap), { status, statusText, headers });
}

const NEWLINE = 0x0a;

/**
 * Refusals come in six shapes, and the package knows one: `{error: {…}}`. Others are `{error: "…"}` (Ollama),
 * `{error: "Bad Request", message}` (Fastify's), `[{error: {…}}]` (Google), `{message}` or `{detail}` (Mistral, vLLM),
 * and plain text.
 */
async function plainRefusal(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, statusText, headers } = response;
  return new Response(JSON.stringify({ error: errorOf(text) }), { status, statusText, headers });
}

function errorOf(text: string): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { message: text };
  }
  const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (typeof body !== 'object' || body === null) return { message: text };
  const { error } = body as { readonly error?: unknown };
  if (typeof error === 'object' && error !== null) return error;
  const { message, detail } = body as { readonly message?: unknown; readonly detail?: unknown };
  if (typeof error === 'string') return { message: typeof message === 'string' ? message : error };
  return { ...body, message: [message, detail].find((said) => typeof said === 'string') ?? text };
}
