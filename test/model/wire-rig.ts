/** The adapter in front of the wire server. */

import type { ModelFaultCode } from '../../src/contract/model.ts';
import { openAiModel } from '../../src/model/openai.ts';
import type { OpenAiOptions } from '../../src/model/openai.ts';
import { PLAIN } from '../../src/model/quirks.ts';
import {
  chunk,
  CUT,
  data,
  DONE,
  refuses,
  sends,
  stream,
  usageChunk,
  whole,
} from '../support/wire-replies.ts';
import type { WireDelta } from '../support/wire-replies.ts';
import { startWireServer } from '../support/wire-server.ts';
import type { WireReply, WireServer } from '../support/wire-server.ts';
import { handClock } from './hand-clock.ts';
import type { ModelRig, Reply } from './model-cases.ts';

export const KEY = 'sk-wire-test-0123456789';

export function wireModel(server: Pick<WireServer, 'baseUrl'>, over: Partial<OpenAiOptions> = {}) {
  return openAiModel({
    name: 'wire/m',
    model: 'm',
    baseUrl: server.baseUrl,
    key: KEY,
    quirks: PLAIN,
    clock: handClock(1_000_000),
    ...over,
  });
}

export const wireRig: ModelRig = async (replies) => {
  const server = await startWireServer();
  server.queue(...replies.map(toWire));
  return { model: wireModel(server), close: () => server.close() };
};

function toWire(reply: Reply): WireReply {
  if ('fail' in reply) return FAILURES[reply.fail] ?? sends(599, 'text/plain', 'no such failure');
  const deltas: WireDelta[] = [];
  if (reply.reasoning !== undefined) deltas.push({ reasoning_content: reply.reasoning });
  for (const piece of reply.text ?? '') deltas.push({ content: piece });
  (reply.calls ?? []).forEach(({ name, args }, index) => {
    deltas.push({
      tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name, arguments: '' } }],
    });
    for (const piece of args) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
  });
  const usage = reply.usage;
  if (usage === null || usage === undefined) return whole(deltas, FINISH[reply.finish ?? 'stop'], null);
  return stream(
    ...deltas.map((delta) => data(chunk(delta))),
    data(chunk({}, FINISH[reply.finish ?? 'stop'])),
    data(
      usageChunk({
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        prompt_tokens_details: { cached_tokens: usage.cached },
        completion_tokens_details: { reasoning_tokens: usage.reasoning },
      }),
    ),
    DONE,
  );
}

const FINISH = { stop: 'stop', length: 'length', filter: 'content_filter' };

const FAILURES: Partial<Record<ModelFaultCode, WireReply>> = {
  auth: refuses(401, { message: 'Incorrect API key' }),
  quota: refuses(402, { message: 'Insufficient credits' }),
  rate: refuses(429, { message: 'Slow down' }),
  not_found: refuses(404, { message: 'No such model' }),
  context_length: refuses(400, { message: 'Too long', code: 'context_length_exceeded' }),
  no_tools: refuses(400, { message: 'registry.example/m does not support tools' }),
  bad_request: refuses(400, { message: 'Bad temperature' }),
  server: refuses(503, { message: 'Overloaded' }),
  cut: stream(data(chunk({ content: 'half' })), CUT),
  protocol: stream({ do: 'raw', text: 'data: {"choices":\n\n' }),
};
