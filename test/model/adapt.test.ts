/** What refusals teach, and that they teach it once. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../src/contract/model.ts';
import { PLAIN } from '../../src/model/quirks.ts';
import type { Quirks } from '../../src/model/quirks.ts';
import { refuses, says, sends } from '../support/wire-replies.ts';
import { startWireServer } from '../support/wire-server.ts';
import type { WireReply, WireRequest, WireServer } from '../support/wire-server.ts';
import { collect, LIVE, request } from './model-cases.ts';
import { wireModel } from './wire-rig.ts';

interface Body {
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stream_options?: unknown;
  readonly tool_choice?: unknown;
  readonly messages: readonly {
    readonly role: string;
    readonly reasoning_content?: string;
    readonly tool_calls?: unknown;
  }[];
}

const no = (message: string): WireReply => refuses(400, { message, type: 'invalid_request_error' });
const bodyOf = (asked: WireRequest) => asked.body as Body;

let server: WireServer;
beforeEach(async () => {
  server = await startWireServer();
});
afterEach(() => server.close());

/** A provider that refuses what it does not take. */
function takes(refusal: (body: Body) => WireReply | null): void {
  server.answerWith((asked) => refusal(bodyOf(asked)) ?? says('ok'));
}

async function twoTurns(asked: ModelRequest, quirks: Quirks = PLAIN): Promise<ModelEvent[][]> {
  const model = wireModel(server, { quirks });
  return [await collect(model.turn(asked, LIVE)), await collect(model.turn(asked, LIVE))];
}

const FORCED = request({ toolChoice: 'required' });
const LOOP = request({
  messages: [
    { role: 'user', text: 'Go.' },
    {
      role: 'assistant',
      text: '',
      reasoning: '',
      calls: [{ id: 'a', name: 'read', args: '{}', flaw: null, extra: null }],
    },
    { role: 'tool', call: 'a', text: 'A' },
  ],
});

describe('a refusal teaches', () => {
  it.each<[string, ModelRequest, Quirks, (body: Body) => WireReply | null, string]>([
    [
      'F-160 the other limit field',
      request(),
      PLAIN,
      (body) =>
        'max_tokens' in body
          ? no("'max_tokens' is not supported. Use 'max_completion_tokens' instead.")
          : null,
      'max_completion_tokens',
    ],
    [
      'F-160 and back, in the shape of Mistral',
      request(),
      { ...PLAIN, limitField: 'max_completion_tokens' },
      (body) =>
        'max_completion_tokens' in body
          ? sends(
              422,
              'application/json',
              '{"message":{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"]}]}}',
            )
          : null,
      'max_tokens',
    ],
    [
      'not to ask for usage',
      request(),
      PLAIN,
      (body) => ('stream_options' in body ? no('Unrecognized request argument: stream_options') : null),
      'no stream_options',
    ],
    [
      'F-157 that a call cannot be forced',
      FORCED,
      PLAIN,
      (body) => (body.tool_choice === 'auto' ? null : no('Thinking mode does not support this tool_choice')),
      'tool_choice auto',
    ],
    [
      'F-154 F-155 that reasoning goes back, and not empty',
      LOOP,
      PLAIN,
      ({ messages }) =>
        messages.every((one) => one.tool_calls === undefined || (one.reasoning_content ?? '') !== '')
          ? null
          : no(
              'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
            ),
      'reasoning sent back',
    ],
  ])('%s', async (_title, asked, quirks, refusal, to) => {
    takes(refusal);
    const [first, second] = await twoTurns(asked, quirks);
    expect(first?.[0]).toMatchObject({ type: 'adapted', to });
    expect(first?.at(-1)).toMatchObject({ type: 'done' });
    expect(second?.map(({ type }) => type)).toEqual(['text', 'done']);
    expect(server.requests).toHaveLength(3);
  });

  it('several things, one after the other', async () => {
    takes((body) => {
      if ('max_tokens' in body) return no('use max_completion_tokens');
      if ('stream_options' in body) return no('unknown field stream_options');
      return body.tool_choice === 'auto' ? null : no('tool_choice not supported');
    });
    const [first] = await twoTurns(FORCED);
    expect(first?.map(({ type }) => type)).toEqual(['adapted', 'adapted', 'adapted', 'text', 'done']);
  });

  it('F-157 nothing twice: what refuses both ways is asked twice a turn', async () => {
    takes(() => no('Use max_completion_tokens, or max_tokens, or neither.'));
    const [first, second] = await twoTurns(request());
    expect(first?.map(({ type }) => type)).toEqual(['adapted', 'failed']);
    expect(second?.at(-1)).toMatchObject({ type: 'failed', fault: { code: 'bad_request' } });
    expect(server.requests).toHaveLength(4);
  });

  it('turns that ran side by side, each for itself', async () => {
    takes((body) => ('max_tokens' in body ? no('use max_completion_tokens') : null));
    const model = wireModel(server);
    const ends = await Promise.all([1, 2, 3].map(() => collect(model.turn(request(), LIVE))));
    expect(ends.map((events) => events.at(-1)?.type)).toEqual(['done', 'done', 'done']);
    expect(server.requests.length).toBeLessThanOrEqual(6);
  });
});
