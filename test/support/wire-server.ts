/**
 * An OpenAI-compatible provider on loopback: real HTTP, real server-sent events, and every misbehaviour on demand. It
 * speaks bytes and knows nothing of the code under test. Replies are data: see `wire-replies.ts`.
 */

import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turnOfLoop } from 'node:timers/promises';

export type WireStep =
  /** Written as it stands, in one piece. */
  | { readonly do: 'raw'; readonly text: string }
  /** Byte by byte, each in its own turn of the event loop. */
  | { readonly do: 'drip'; readonly text: string }
  /** The same text over and over, as fast as the other side reads. */
  | { readonly do: 'repeat'; readonly text: string; readonly times: number }
  /** Goes on when the test lets it. */
  | { readonly do: 'wait'; readonly for: Promise<unknown> }
  /** Says nothing any more, and keeps the connection. */
  | { readonly do: 'hang' }
  /** Breaks the connection: no last chunk, nothing. */
  | { readonly do: 'cut' };

export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly steps: readonly WireStep[];
}

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed; null without a body. */
  readonly body: unknown;
  /** Settles when the exchange is over: answered to the end, or the connection closed before. */
  readonly ended: Promise<'finished' | 'closed'>;
}

export interface WireServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** All requests so far, in order of arrival. */
  readonly requests: readonly WireRequest[];
  /** Replies to the next requests, in order; a request without one is answered with status 599. */
  queue(...replies: readonly WireReply[]): void;
  /** Decides instead of the queue. */
  answerWith(decide: (request: WireRequest, nth: number) => WireReply): void;
  /** Resolves to request number `nth` (from 1) when it has arrived. */
  arrived(nth: number): Promise<WireRequest>;
  /** Exchanges under way. */
  open(): number;
  close(): Promise<void>;
}

export async function startWireServer(): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const replies: WireReply[] = [];
  const waiting: { readonly nth: number; readonly tell: (request: WireRequest) => void }[] = [];
  let decide = (_request: WireRequest, _nth: number): WireReply => replies.shift() ?? NOTHING_LEFT;
  let open = 0;

  async function exchange(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    open += 1;
    const ended = new Promise<'finished' | 'closed'>((resolve) => {
      response.once('close', () => {
        open -= 1;
        resolve(response.writableFinished ? 'finished' : 'closed');
      });
    });
    const request: WireRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: await readBody(incoming),
      ended,
    };
    const nth = requests.push(request);
    for (const { tell } of waiting.filter((one) => one.nth === nth)) tell(request);
    await play(decide(request, nth), response);
  }

  const server = createServer((incoming, response) => {
    // A client that goes away in the middle is no fault of the server.
    exchange(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    queue: (...more) => void replies.push(...more),
    answerWith: (how) => {
      decide = how;
    },
    arrived(nth) {
      const there = requests[nth - 1];
      if (there !== undefined) return Promise.resolve(there);
      return new Promise((tell) => waiting.push({ nth, tell }));
    },
    open: () => open,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const NOTHING_LEFT: WireReply = {
  status: 599,
  headers: { 'content-type': 'application/json' },
  steps: [{ do: 'raw', text: '{"error":{"message":"the test has queued no reply for this request"}}' }],
};

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? null : (JSON.parse(text) as unknown);
}

async function play(reply: WireReply, response: ServerResponse): Promise<void> {
  response.writeHead(reply.status, reply.headers);
  response.flushHeaders();
  for (const step of reply.steps) {
    switch (step.do) {
      case 'raw':
        await write(response, step.text);
        break;
      case 'drip':
        for (const byte of Buffer.from(step.text)) {
          await write(response, Buffer.of(byte));
          await turnOfLoop();
        }
        break;
      case 'repeat':
        for (let i = 0; i < step.times && !response.destroyed; i++) await write(response, step.text);
        break;
      case 'wait':
        await step.for;
        break;
      case 'hang':
        return;
      case 'cut':
        response.destroy();
        return;
    }
  }
  response.end();
}

/** Waits until the other side has room, or is gone. */
async function write(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  if (response.destroyed || response.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
