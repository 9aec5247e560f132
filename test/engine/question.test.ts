/** Questions about a run: looked into, answered, and never dearer than their own account. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Amount } from '../../src/contract/budget.ts';
import { ok } from '../../src/contract/fault.ts';
import type { ModelFinal, ModelRequest } from '../../src/contract/model.ts';
import type { CeilingAnswer, Ceilings } from '../../src/contract/ports.ts';
import type { Tool } from '../../src/contract/tool.ts';
import { openAccount, type Account } from '../../src/engine/account.ts';
import { answerQuestion, type Asking, type QuestionEnd } from '../../src/engine/question.ts';
import { createBackOff } from '../../src/model/back-off.ts';
import { defineTool } from '../../src/tool/define.ts';
import { handClock, settle } from '../model/hand-clock.ts';
import { call, replies } from './session-rig.ts';

const SECRET = 'hunter2-hunter2';

const LOOK: Tool = defineTool({
  name: 'look',
  description: 'Looks.',
  schema: z.strictObject({ at: z.string() }),
  run: ({ at }) => Promise.resolve(ok({ forModel: `${at}: ${SECRET}`, forPerson: 'looked' })),
});

type Answering = (request: ModelRequest, nth: number) => ModelFinal;

interface One {
  readonly asked: ModelRequest[];
  readonly account: Account;
  readonly ask: (question?: string, signal?: AbortSignal) => Promise<QuestionEnd>;
}

function one(answer: Answering, over: { limit?: number; ceilings?: Ceilings; window?: number } = {}): One {
  const clock = handClock();
  const asked: ModelRequest[] = [];
  const account = openAccount(
    over.limit ?? 1_000_000,
    ({ spent, limit }, need) => `full: ${spent} of ${limit}, needs ${need > limit}`,
  );
  const model = {
    name: 'm',
    async *turn(request: ModelRequest) {
      asked.push(request);
      await settle();
      yield answer(request, asked.length);
    },
  };
  const backOff = createBackOff({ clock, random: () => 0.5 });
  const asking: Omit<Asking, 'messages'> = {
    role: { name: 'm', model, backOff, price: null, window: over.window ?? 100_000 },
    tools: [LOOK],
    account,
    ceilings: over.ceilings ?? null,
    run: 'r',
    number: 1,
    clock,
    random: () => 0.5,
    mask: (text) => text.replaceAll(SECRET, '[masked]'),
    progress: () => undefined,
  };
  return {
    asked,
    account,
    ask: (question = 'Why?', signal = new AbortController().signal) =>
      answerQuestion({ ...asking, messages: [{ role: 'user', text: question }] }, signal),
  };
}

const LOOKS = replies('', [call('look', { at: 'x' })]);

describe('a question', () => {
  it('is answered with what the tools have shown, and no secret leaves with it', async () => {
    const { ask, asked } = one((_, nth) => (nth === 1 ? LOOKS : replies(`Because. ${SECRET}`)));
    expect(await ask(`Why ${SECRET}?`)).toEqual({ type: 'answered', text: 'Because. [masked]', cut: false });
    expect(asked).toHaveLength(2);
    expect(asked[1]?.messages.map(({ text }) => text).slice(1)).toEqual(['Why [masked]?', '', 'x: [masked]']);
  });

  it('ends with words though its model would look for ever', async () => {
    const { ask, asked } = one(({ toolChoice }) => (toolChoice === 'none' ? replies('That much.') : LOOKS));
    expect(await ask()).toMatchObject({ type: 'answered', text: 'That much.' });
    expect(asked).toHaveLength(12);
  });

  it('that is never answered with words alone fails, whatever was said on the way', async () => {
    const { ask, asked } = one(() => replies('Looking.', [call('look', { at: 'y' })]));
    expect(await ask()).toMatchObject({ type: 'failed', refused: false });
    expect(asked).toHaveLength(12);
  });

  it('is answered early where another look would not fit the window', async () => {
    const { ask, asked } = one(({ toolChoice }) => (toolChoice === 'none' ? replies('So much.') : LOOKS), {
      window: 12_000,
    });
    expect(await ask('x'.repeat(9_000))).toMatchObject({ type: 'answered', text: 'So much.' });
    expect(asked.length).toBeLessThan(3);
  });

  it('fails in words when nothing is answered, or the provider refuses', async () => {
    expect(await one(() => replies(' ')).ask()).toMatchObject({ type: 'failed', refused: false });
    const fault = { code: 'auth', message: `no ${SECRET}` } as const;
    const refused = one(() => ({ type: 'failed', fault, billable: false }));
    expect(await refused.ask()).toEqual({ type: 'failed', refused: false, message: 'no [masked]' });
    expect(refused.account.state()).toMatchObject({ spent: 0, calls: 0 });
  });

  it('is dropped by its signal, and what was under way is charged', async () => {
    const controller = new AbortController();
    const { ask, account } = one(() => {
      controller.abort();
      return { type: 'failed', fault: { code: 'aborted', message: 'x' }, billable: true };
    });
    expect(await ask('Why?', controller.signal)).toEqual({ type: 'stopped' });
    expect(account.state().spent).toBeGreaterThan(0);
  });

  it('is not sent when it does not fit what questions may cost', async () => {
    const { ask, asked } = one(() => LOOKS, { limit: 1_000 });
    expect(await ask('x'.repeat(2_000))).toEqual({
      type: 'failed',
      refused: true,
      message: 'full: 0 of 1000, needs true',
    });
    expect(asked).toEqual([]);
  });

  it('never costs more than its account has, whatever lawful providers report', async () => {
    const usage = fc.record({ input: fc.double({ min: 0, max: 1 }), output: fc.double({ min: 0, max: 1 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60_000 }),
        fc.array(usage, { minLength: 1, maxLength: 40 }),
        async (limit, uses) => {
          const { ask, account } = one(
            (request, nth) => {
              const share = uses[nth % uses.length] ?? { input: 1, output: 1 };
              const bytes = Buffer.byteLength(JSON.stringify([request.tools, request.messages]));
              const input = Math.ceil(share.input * bytes);
              const output = Math.floor(share.output * request.maxOutput);
              return { ...LOOKS, usage: { input, cached: 0, output, reasoning: 0 } };
            },
            { limit },
          );
          for (let questions = 0; questions < 3; questions++) await ask();
          expect(account.state().spent).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('the ceilings of all runs', () => {
  function ceilings(answer: (used: (amount: Amount | null) => void) => CeilingAnswer) {
    const seen: { most: Amount[]; used: (Amount | null)[] } = { most: [], used: [] };
    const all: Ceilings = {
      ask({ most }) {
        seen.most.push(most);
        return Promise.resolve(answer((amount) => void seen.used.push(amount)));
      },
    };
    return { all, seen };
  }

  it('hold for questions, too: each call is asked for, and what it used is told', async () => {
    const { all, seen } = ceilings((used) => ({
      ok: true,
      held: {
        settle: used,
        release: () => {
          used(null);
        },
      },
    }));
    const { ask } = one(
      () => ({ ...replies('Yes.'), usage: { input: 40, cached: 0, output: 7, reasoning: 0 } }),
      {
        ceilings: all,
      },
    );
    await ask();
    expect(seen.most).toHaveLength(1);
    expect(seen.most[0]?.tokens).toBeGreaterThan(4_096);
    expect(seen.used).toEqual([{ tokens: 47, cost: 0 }]);
  });

  it('refuse a question in their own words, and it is not sent', async () => {
    const detail = "the day's ceiling of 1k tokens is reached";
    const { all } = ceilings(() => ({ ok: false, why: 'budget', detail, resetAt: null }));
    const { ask, asked, account } = one(() => LOOKS, { ceilings: all });
    expect(await ask()).toEqual({ type: 'failed', refused: true, message: detail });
    expect(asked).toEqual([]);
    expect(account.state()).toMatchObject({ spent: 0, calls: 0 });
  });
});
