/** What every implementation of the `Model` port must do. */

import { describe, expect, it } from 'vitest';
import { lastOf } from '../../src/contract/model.ts';
import type {
  Model,
  ModelEvent,
  ModelFaultCode,
  ModelRequest,
  ModelUsage,
} from '../../src/contract/model.ts';

/** One answer of a model, in no vendor's words. */
export type Reply =
  | {
      readonly text?: string;
      readonly reasoning?: string;
      readonly calls?: readonly { readonly name: string; readonly args: string }[];
      readonly finish?: 'stop' | 'length' | 'filter';
      readonly usage?: ModelUsage | null;
    }
  | { readonly fail: ModelFaultCode };

/** Makes a model that gives these replies to turns 1, 2, … of `request`. */
export type ModelRig = (
  replies: readonly Reply[],
) => Promise<{ readonly model: Model; readonly close: () => Promise<void> }>;

export function request(over: Partial<ModelRequest> = {}, turn = 1): ModelRequest {
  return {
    key: { role: 'worker', node: 'a', round: 1, turn, seat: 1 },
    messages: [
      { role: 'system', text: 'You test.' },
      { role: 'user', text: 'Go.' },
    ],
    tools: [
      {
        name: 'read',
        description: 'Reads a file.',
        parameters: { type: 'object', properties: { path: { type: 'string' } } },
      },
    ],
    toolChoice: 'auto',
    maxOutput: 4096,
    ...over,
  };
}

export const LIVE = new AbortController().signal;
export const USAGE: ModelUsage = { input: 100, cached: 40, output: 20, reasoning: 5 };

export async function collect(turn: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

export function modelCases(name: string, rig: ModelRig): void {
  async function play<T>(replies: readonly Reply[], use: (model: Model) => Promise<T>): Promise<T> {
    const { model, close } = await rig(replies);
    try {
      return await use(model);
    } finally {
      await close();
    }
  }

  describe(`${name} as a model`, () => {
    it('streams text and ends in one final event', async () => {
      const events = await play([{ text: 'Hello, wörld', usage: USAGE }], (model) =>
        collect(model.turn(request(), LIVE)),
      );
      const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
      expect(text).toBe('Hello, wörld');
      expect(events.at(-1)).toEqual({
        type: 'done',
        message: { role: 'assistant', text: 'Hello, wörld', reasoning: null, calls: [] },
        finish: 'stop',
        usage: USAGE,
      });
      expect(events.filter(({ type }) => type === 'done' || type === 'failed')).toHaveLength(1);
    });

    it('keeps reasoning apart from text', async () => {
      const end = await play([{ reasoning: 'hm', text: 'yes', usage: USAGE }], (model) =>
        lastOf(model.turn(request(), LIVE)),
      );
      expect(end).toMatchObject({ type: 'done', message: { text: 'yes', reasoning: 'hm' } });
    });

    it('gives whole tool calls with ids of their own', async () => {
      const calls = [
        { name: 'read', args: '{"path":"a"}' },
        { name: 'read', args: '{"path":"b"}' },
      ];
      const events = await play([{ calls }], (model) => collect(model.turn(request(), LIVE)));
      const end = events.at(-1);
      if (end?.type !== 'done') throw new Error(JSON.stringify(end));
      expect(end.finish).toBe('tools');
      expect(end.message.calls).toMatchObject(calls.map((call) => ({ ...call, flaw: null })));
      expect(new Set(end.message.calls.map(({ id }) => id)).size).toBe(2);
      expect(events.filter(({ type }) => type === 'calling')).toHaveLength(2);
    });

    it('F-170 marks a call that the limit cut, so that it does not run', async () => {
      const calls = [{ name: 'write', args: '{"path":"a","content":"ha' }];
      const end = await play([{ calls, finish: 'length' }], (model) => lastOf(model.turn(request(), LIVE)));
      expect(end).toMatchObject({
        finish: 'length',
        message: { calls: [{ args: '{"path":"a","content":"ha', flaw: 'truncated' }] },
      });
    });

    it('keeps arguments that are not JSON, as text', async () => {
      const calls = [{ name: 'read', args: 'path=a' }];
      const end = await play([{ calls }], (model) => lastOf(model.turn(request(), LIVE)));
      expect(end).toMatchObject({ message: { calls: [{ args: 'path=a', flaw: 'not_json' }] } });
    });

    it('F-28 says so when no usage was reported', async () => {
      const end = await play([{ text: 'x', usage: null }], (model) => lastOf(model.turn(request(), LIVE)));
      expect(end).toMatchObject({ type: 'done', usage: null });
    });

    it('answers each turn by its own reply', async () => {
      const ends = await play([{ text: 'one' }, { text: 'two' }], async (model) => [
        await lastOf(model.turn(request({}, 1), LIVE)),
        await lastOf(model.turn(request({}, 2), LIVE)),
      ]);
      expect(ends).toMatchObject([{ message: { text: 'one' } }, { message: { text: 'two' } }]);
    });

    it.each<[ModelFaultCode, boolean]>([
      ['auth', false],
      ['quota', false],
      ['rate', false],
      ['not_found', false],
      ['context_length', false],
      ['no_tools', false],
      ['bad_request', false],
      ['server', false],
      ['cut', true],
      ['protocol', true],
    ])('fails with %s as a value', async (code, billable) => {
      const events = await play([{ fail: code }], (model) => collect(model.turn(request(), LIVE)));
      expect(events.at(-1)).toMatchObject({ type: 'failed', fault: { code }, billable });
      expect(events.filter(({ type }) => type === 'done' || type === 'failed')).toHaveLength(1);
    });

    it('sends nothing when the signal has fired already', async () => {
      const end = await play([{ text: 'x' }], (model) => lastOf(model.turn(request(), AbortSignal.abort())));
      expect(end).toMatchObject({ type: 'failed', fault: { code: 'aborted' }, billable: false });
    });

    it('ends as aborted when the signal fires in the middle', async () => {
      const abort = new AbortController();
      const events = await play([{ reasoning: 'a', text: 'b' }], async (model) => {
        const seen: ModelEvent[] = [];
        for await (const event of model.turn(request(), abort.signal)) {
          seen.push(event);
          abort.abort();
        }
        return seen;
      });
      expect(events.at(-1)).toMatchObject({ type: 'failed', fault: { code: 'aborted' }, billable: true });
    });

    it('may be left in the middle', async () => {
      await play([{ text: 'x' }], async (model) => {
        for await (const event of model.turn(request(), LIVE)) {
          expect(event.type).toBe('text');
          break;
        }
      });
    });
  });
}
