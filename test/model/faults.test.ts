/** Refusals and failures as providers send them, and what becomes of each. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastOf } from '../../src/contract/model.ts';
import { listModels } from '../../src/model/list-models.ts';
import { chunk, data, event, HANG, refuses, says, sends, stream } from '../support/wire-replies.ts';
import { startWireServer } from '../support/wire-server.ts';
import type { WireReply, WireServer } from '../support/wire-server.ts';
import { LIVE, request } from './model-cases.ts';
import { KEY, wireModel } from './wire-rig.ts';

/** The wire model's clock. */
const NOW = 1_000_000;

let server: WireServer;
beforeEach(async () => {
  server = await startWireServer();
});
afterEach(async () => {
  expect(server.open()).toBe(0);
  await server.close();
});

async function faultOf(reply: WireReply): Promise<object> {
  server.queue(reply);
  const end = await lastOf(wireModel(server).turn(request(), LIVE));
  expect(server.requests).toHaveLength(1);
  if (end.type !== 'failed') throw new Error(JSON.stringify(end));
  return { ...end.fault, billable: end.billable };
}

describe('a refusal', () => {
  it.each<[string, WireReply, object]>([
    ['401', refuses(401, { message: 'bad key' }), { code: 'auth' }],
    ['403', refuses(403, { message: 'not your model' }), { code: 'auth' }],
    ['402', refuses(402, { message: 'no credits' }), { code: 'quota', resetAt: null }],
    [
      '403 that is a quota, with its reset',
      refuses(403, { message: 'Usage limit reached for this billing cycle', resets_at: 2_000_000_000 }),
      { code: 'quota', resetAt: 2_000_000_000_000 },
    ],
    [
      '402 with a reset in seconds',
      refuses(402, { message: 'wait', resets_in_seconds: 60 }),
      { code: 'quota', resetAt: NOW + 60_000 },
    ],
    [
      '402 with a reset in a header',
      refuses(402, { message: 'wait' }, { 'x-ratelimit-reset': '6m0s' }),
      { code: 'quota', resetAt: NOW + 360_000 },
    ],
    [
      '429 that is a quota',
      refuses(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }),
      { code: 'quota', resetAt: null },
    ],
    [
      "429 in Google's shape and words",
      sends(
        429,
        'application/json',
        '[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}]',
      ),
      { code: 'rate', retryAfter: null, message: 'You exceeded your current quota' },
    ],
    ['429', refuses(429, { message: 'slow' }, { 'retry-after': '30' }), { code: 'rate', retryAfter: 30_000 }],
    [
      '429 in ms',
      refuses(429, { message: 'slow' }, { 'retry-after-ms': '1500' }),
      { code: 'rate', retryAfter: 1_500 },
    ],
    [
      '429 with a date',
      refuses(429, { message: 'slow' }, { 'retry-after': new Date(NOW + 90_000).toUTCString() }),
      { code: 'rate', retryAfter: 90_000 },
    ],
    [
      '429 with nonsense',
      refuses(429, { message: 'slow' }, { 'retry-after': 'soon' }),
      { code: 'rate', retryAfter: null },
    ],
    ['408', refuses(408, { message: 'too slow' }), { code: 'server' }],
    ['500', sends(500, 'text/html', '<h1>oops</h1>'), { code: 'server', message: '<h1>oops</h1>' }],
    [
      '503',
      refuses(503, { message: 'later' }, { 'retry-after': '5' }),
      { code: 'server', retryAfter: 5_000 },
    ],
    ['529', refuses(529, { message: 'overloaded' }), { code: 'server' }],
    [
      "404 in Ollama's shape",
      sends(404, 'application/json', '{"error":"model \\"m\\" not found"}'),
      { code: 'not_found' },
    ],
    [
      "400 in Fastify's shape, where the error is only its name",
      sends(
        400,
        'application/json',
        '{"statusCode":400,"error":"Bad Request","message":"body must NOT have additional properties"}',
      ),
      { code: 'bad_request', message: 'body must NOT have additional properties' },
    ],
    ['404 without a body', { status: 404, headers: {}, steps: [] }, { code: 'not_found' }],
    ['413', refuses(413, { message: 'entity too large' }), { code: 'context_length' }],
    [
      "400 too long, in vLLM's shape",
      sends(
        400,
        'application/json',
        '{"object":"error","message":"This model\'s maximum context length is 4096 tokens."}',
      ),
      { code: 'context_length' },
    ],
    [
      "400 too long, in llama.cpp's words",
      refuses(400, {
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      }),
      { code: 'context_length' },
    ],
    ['400 no tools', refuses(400, { message: 'm does not support tools' }), { code: 'no_tools' }],
    [
      "404 no tools, in OpenRouter's words",
      refuses(404, { message: 'No endpoints found that support tool use' }),
      { code: 'no_tools' },
    ],
    [
      "500 no tools, in llama.cpp's words",
      refuses(500, { message: 'tools param requires --jinja flag' }),
      { code: 'no_tools' },
    ],
    ['400', refuses(400, { message: 'temperature: wrong' }), { code: 'bad_request' }],
    [
      'a limit too large',
      refuses(400, { message: 'max_tokens is too large: 4096' }),
      { code: 'bad_request' },
    ],
    [
      '422 with details',
      sends(422, 'application/json', '{"detail":[{"loc":["body","n"]}]}'),
      { code: 'bad_request' },
    ],
    [
      'a redirect is not followed',
      sends(302, 'text/plain', '', { location: 'http://127.0.0.1:1/elsewhere' }),
      { code: 'not_found' },
    ],
    ['a page', sends(200, 'text/html', '<html>Welcome</html>'), { code: 'not_found' }],
    ['a reply that is no stream', sends(200, 'application/json', '{"choices":[]}'), { code: 'protocol' }],
  ])('%s', async (_title, reply, fault) => {
    expect(await faultOf(reply)).toMatchObject({ ...fault, billable: false });
  });

  it('never quotes the key', async () => {
    const fault = await faultOf(refuses(401, { message: `Incorrect API key: ${KEY}` }));
    expect(JSON.stringify(fault)).not.toContain(KEY);
    expect(fault).toMatchObject({ message: expect.stringContaining('Incorrect API key: [key]') as string });
  });

  it('keeps its words when the key is a placeholder that stands in them', async () => {
    server.queue(refuses(401, { message: 'Incorrect API key' }));
    const end = await lastOf(wireModel(server, { key: 'key' }).turn(request(), LIVE));
    expect(end).toMatchObject({
      fault: { message: `Incorrect API key. Check the key for ${server.baseUrl}.` },
    });
  });

  it.each<[object, string]>([
    [{ type: 'invalid_request_error', code: 'invalid_api_key' }, 'auth'],
    [{ type: 'authentication_error' }, 'auth'],
    [{ type: 'invalid_request_error', code: 'model_not_found' }, 'not_found'],
    [{ type: 'requests', code: 'rate_limit_exceeded' }, 'rate'],
    [{ type: 'insufficient_quota', code: 'insufficient_quota' }, 'quota'],
    [{ type: 'invalid_request_error', code: 'context_length_exceeded' }, 'context_length'],
    [{ type: 'invalid_request_error' }, 'bad_request'],
    [{ type: 'auth_error', code: '401' }, 'auth'],
  ])('that comes as the first event of a stream is one all the same: %j', async (labels, code) => {
    const reply = stream(data({ error: { message: 'No.', ...labels } }));
    expect(await faultOf(reply)).toMatchObject({ code, billable: false });
  });

  it('of 50 MB is cut short', async () => {
    const reply = refuses(500, { message: '' });
    const page = { ...reply, steps: [{ do: 'repeat' as const, text: 'x'.repeat(65_536), times: 800 }] };
    expect(await faultOf(page)).toMatchObject({ code: 'protocol' });
    expect(await server.requests[0]?.ended).toBe('closed');
  });
});

describe('a stream', () => {
  it.each<[string, WireReply, object]>([
    ['of garbage', stream({ do: 'raw', text: 'data: \u0000\u0001{{{\n\n' }), { code: 'protocol' }],
    ['of other JSON', stream(data({ choices: 'none' })), { code: 'protocol' }],
    ['of nothing', stream(), { code: 'cut' }],
    ['of plain text', stream({ do: 'raw', text: 'hello\nworld\n' }), { code: 'cut' }],
    [
      'with an error in it',
      stream(data({ error: { message: 'lost', type: 'server_error' } })),
      { code: 'server' },
    ],
    [
      "with a gateway's error in it",
      stream(
        data(chunk({ content: 'x' })),
        data({ error: { code: 429, message: 'Provider returned error' } }),
      ),
      { code: 'rate' },
    ],
  ])('%s', async (_title, reply, fault) => {
    expect(await faultOf(reply)).toMatchObject({ ...fault, billable: true });
  });

  it.each([
    ['one line', { do: 'repeat' as const, text: 'x'.repeat(65_536), times: 800 }],
    ['text', { do: 'repeat' as const, text: event(chunk({ content: 'x'.repeat(8_192) })), times: 6_400 }],
    [
      'calls',
      {
        do: 'repeat' as const,
        text: event(chunk({ tool_calls: [{ function: { name: 'read', arguments: '{}' } }] })),
        times: 300_000,
      },
    ],
  ])('of 50 MB of %s is closed, in bounded memory', async (_title, step) => {
    const before = process.memoryUsage();
    let most = 0;
    server.queue(stream(step));
    const events = wireModel(server).turn(request(), LIVE);
    for await (const one of events) {
      const now = process.memoryUsage();
      most = Math.max(most, now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers);
      if (one.type === 'failed') expect(one.fault.code).toBe('protocol');
    }
    expect(await server.requests[0]?.ended).toBe('closed');
    expect(most).toBeLessThan(160 * 1024 * 1024);
  });
});

describe('1 MB of keep-alive comments', () => {
  it('are no reply, and no work either', async () => {
    const step = { do: 'repeat' as const, text: ': keep\n\n'.repeat(1_000), times: 125 };
    expect(await faultOf(stream(step))).toMatchObject({ code: 'cut' });
  }, 10_000);
});

describe('no server', () => {
  it('is a network fault that names the address', async () => {
    const gone = await startWireServer();
    await gone.close();
    const end = await lastOf(wireModel(gone).turn(request(), LIVE));
    expect(end).toMatchObject({ type: 'failed', fault: { code: 'network' }, billable: false });
    expect(end).toMatchObject({ fault: { message: expect.stringContaining(gone.baseUrl) as string } });
  });

  it('is not what is said of one that hangs up without an answer', async () => {
    server.answerWith(() => {
      throw new Error('hang up');
    });
    const end = await lastOf(wireModel(server).turn(request(), LIVE));
    expect(end).toMatchObject({ type: 'failed', fault: { code: 'network' }, billable: true });
    expect(end).toMatchObject({
      fault: { message: expect.stringContaining('closed the connection') as string },
    });
  });

  it('nor a base URL: nobody else is asked', async () => {
    const end = await lastOf(wireModel({ baseUrl: '' }).turn(request(), LIVE));
    expect(end).toMatchObject({ type: 'failed', fault: { code: 'not_found' }, billable: false });
  });

  it('nor a URL at all', async () => {
    const end = await lastOf(wireModel({ baseUrl: 'not a url' }).turn(request(), LIVE));
    expect(end).toMatchObject({ type: 'failed', fault: { code: 'network' } });
  });
});

describe('the list of models', () => {
  const list = (signal = LIVE) => listModels({ baseUrl: server.baseUrl, key: KEY, now: () => NOW, signal });

  it('is sorted names', async () => {
    server.queue(
      sends(
        200,
        'application/json',
        '{"object":"list","data":[{"id":"b"},{"id":"a","x":1}],"has_more":true}',
      ),
    );
    expect(await list()).toEqual({ ok: true, value: ['a', 'b'] });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models']);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it.each<[WireReply, string]>([
    [refuses(401, { message: 'no' }), 'auth'],
    [sends(200, 'text/html', '<html>'), 'not_found'],
    [sends(200, 'application/json', '[]'), 'protocol'],
    [sends(200, 'application/json', '{"data":[{}]}'), 'protocol'],
    [says('x'), 'protocol'],
  ])('fails as a value (%#)', async (reply, code) => {
    server.queue(reply);
    expect(await list()).toMatchObject({ ok: false, fault: { code } });
  });

  it('that is not there speaks of the base URL, and of no model', async () => {
    server.queue(sends(404, 'application/json', '{"message":"Route GET:/models not found"}'));
    const end = await list();
    expect(end).toMatchObject({ ok: false, fault: { code: 'not_found' } });
    expect(JSON.stringify(end)).toContain(`${server.baseUrl}/models is not there`);
  });

  it('can be aborted', async () => {
    const abort = new AbortController();
    server.queue({ status: 200, headers: { 'content-type': 'application/json' }, steps: [HANG] });
    const asking = list(abort.signal);
    await server.arrived(1);
    abort.abort();
    expect(await asking).toMatchObject({ ok: false, fault: { code: 'aborted' } });
    await server.requests[0]?.ended;
  });
});
