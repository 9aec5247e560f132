/** The wire server against plain `fetch`: what the tests of the adapter stand on. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CUT, DONE, data, HANG, refuses, says, stream } from '../support/wire-replies.ts';
import { startWireServer } from '../support/wire-server.ts';
import type { WireServer } from '../support/wire-server.ts';

let server: WireServer;
beforeEach(async () => {
  server = await startWireServer();
});
afterEach(() => server.close());

const post = (body: unknown, signal?: AbortSignal) =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });

describe('the wire server', () => {
  it('records each request and gives the replies in order', async () => {
    server.queue(says('one'), refuses(429, { message: 'slow down' }, { 'retry-after': '7' }));
    expect(await (await post({ n: 1 })).text()).toMatch(/^data: .*"one".*data: \[DONE\]\n\n$/s);
    const second = await post({ n: 2 });
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '7']);
    await second.text();
    expect((await post({ n: 3 })).status).toBe(599);
    expect(server.requests.map(({ body }) => body)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
    expect(await server.requests[0]?.ended).toBe('finished');
  });

  it('cuts a stream so that the client notices', async () => {
    server.queue(stream(data({ a: 1 }), CUT));
    await expect((await post({})).text()).rejects.toThrow('terminated');
  });

  it('hangs until the client goes, and sees it go', async () => {
    server.queue(stream(data({ a: 1 }), HANG));
    const abort = new AbortController();
    const response = await post({}, abort.signal);
    expect(server.open()).toBe(1);
    abort.abort();
    await expect(response.text()).rejects.toThrow('abort');
    expect(await (await server.arrived(1)).ended).toBe('closed');
    expect(server.open()).toBe(0);
  });

  it('drips byte by byte, and waits for the test', async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    server.queue(stream({ do: 'drip', text: 'ä' }, { do: 'wait', for: gate }, DONE));
    const reading = (await post({})).text();
    go();
    expect(await reading).toBe('ädata: [DONE]\n\n');
  });

  it('listens on loopback only', () => {
    expect(server.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  });
});
