/** The bank below ceilings that many runs share: asked before a call goes, and told what it used. */

import { describe, expect, it } from 'vitest';
import type { Amount, BudgetRequest } from '../../src/contract/budget.ts';
import type { ModelFinal } from '../../src/contract/model.ts';
import type { CeilingAnswer, CeilingCall, Ceilings } from '../../src/contract/ports.ts';
import { makeBank, type Grant, type NoGrant } from '../../src/engine/bank.ts';
import { settle } from '../model/hand-clock.ts';
import { handSay, type HandSayOptions } from './hand-say.ts';

const CALL: BudgetRequest = {
  call: 'a round 1 turn 1',
  role: 'worker',
  model: 'm',
  final: false,
  input: { known: 0, fresh: 500 },
  maxOutput: 300,
  floor: 100,
  price: { input: 1_000_000, cached: 0, output: 2_000_000 },
};

const DONE: ModelFinal = {
  type: 'done',
  message: { role: 'assistant', text: 'x', reasoning: null, calls: [] },
  finish: 'stop',
  usage: { input: 40, cached: 0, output: 7, reasoning: 0 },
};
const BROKEN: ModelFinal = { type: 'failed', fault: { code: 'cut', message: 'cut' }, billable: true };
const UNSENT: ModelFinal = { type: 'failed', fault: { code: 'network', message: 'no' }, billable: false };

const REFUSED = { ok: false, why: 'budget', detail: "the day's ceiling", resetAt: 86_400_000 } as const;

type HandAnswer = Extract<CeilingAnswer, { ok: false }> | 'room';

interface HandCeilings extends Ceilings {
  readonly asked: readonly CeilingCall[];
  readonly ended: readonly (Amount | 'released')[];
  /** Calls that were told there is room. */
  let(): number;
  /** Answers the oldest that waits; one whose signal fires is answered by itself. */
  answer(how: HandAnswer): void;
}

function handCeilings(): HandCeilings {
  const asked: CeilingCall[] = [];
  const ended: (Amount | 'released')[] = [];
  let waiting: ((answer: CeilingAnswer | null) => void)[] = [];
  let told = 0;
  const held = {
    settle: (used: Amount) => void ended.push(used),
    release: () => void ended.push('released'),
  };
  return {
    asked,
    ended,
    ask: (call, signal) =>
      new Promise((resolve) => {
        asked.push(call);
        waiting.push(resolve);
        signal.addEventListener('abort', () => {
          waiting = waiting.filter((other) => other !== resolve);
          resolve(null);
        });
      }),
    let: () => told,
    answer(how) {
      const next = waiting.shift();
      if (next !== undefined && how === 'room') told += 1;
      next?.(how === 'room' ? { ok: true, held } : how);
    },
  };
}

function bankOf(options: HandSayOptions = {}) {
  const say = handSay(options);
  const ceilings = handCeilings();
  return { say, ceilings, bank: makeBank(say, { run: 'r', ceilings }) };
}

async function turns(count = 6): Promise<void> {
  for (let i = 0; i < count; i++) await settle();
}

function grantOf(answer: Grant | NoGrant): Grant {
  if (!answer.go) throw new Error(answer.message);
  return answer;
}

/** A call that goes, ended like this. */
async function ended(end: ModelFinal) {
  const { say, ceilings, bank } = bankOf();
  const asked = bank.ask(CALL, say.signal);
  await turns();
  ceilings.answer('room');
  grantOf(await asked).settle(end);
  await turns();
  return { say, ceilings };
}

describe('a call below a ceiling', () => {
  it('goes once there is room, and names what it may use at the most', async () => {
    const { say, ceilings, bank } = bankOf();
    let goes = false;
    const asked = bank.ask(CALL, say.signal).then((answer) => {
      goes = true;
      return answer;
    });
    await turns();
    expect([goes, say.types()]).toEqual([false, ['budget.reserved']]);
    const most = { tokens: 800, cost: 1_100 };
    expect(ceilings.asked).toEqual([{ run: 'r', call: 'a round 1 turn 1', most }]);
    ceilings.answer('room');
    expect(grantOf(await asked).maxOutput).toBe(300);
  });

  it('is told what its run is charged, what is charged for want of a report included', async () => {
    expect((await ended(DONE)).ceilings.ended).toEqual([{ tokens: 47, cost: 54 }]);
    expect((await ended(BROKEN)).ceilings.ended).toEqual([{ tokens: 800, cost: 1_100 }]);
    expect((await ended(UNSENT)).ceilings.ended).toEqual(['released']);
  });

  it('is told once, whatever else the ledger says', async () => {
    const { say, ceilings, bank } = bankOf();
    const both = [bank.ask(CALL, say.signal), bank.ask(CALL, say.signal)];
    await turns();
    ceilings.answer('room');
    ceilings.answer('room');
    for (const grant of await Promise.all(both)) grantOf(grant).settle(DONE);
    await turns();
    expect(ceilings.ended).toHaveLength(2);
  });

  it('asks nobody when its own budget has no room', async () => {
    const { say, ceilings, bank } = bankOf({ limits: { tokens: 550 } });
    expect(await bank.ask(CALL, say.signal)).toMatchObject({ go: false });
    expect(ceilings.asked).toEqual([]);
  });
});

describe('a call above a ceiling', () => {
  it('gives its reservation back and pauses the run in one step, by name and until when', async () => {
    const { say, ceilings, bank } = bankOf();
    const asked = bank.ask(CALL, say.signal);
    await turns();
    ceilings.answer(REFUSED);
    expect((await asked).go).toBe(false);
    expect(say.batches.at(-1)).toMatchObject([
      { type: 'run.paused', why: 'budget', detail: "the day's ceiling", resetAt: 86_400_000 },
      { type: 'budget.released' },
    ]);
    await turns();
    expect(say.types()).toEqual(['budget.reserved', 'run.paused', 'budget.released']);
    expect([say.ledger().open, ceilings.ended]).toEqual([[], []]);
  });

  it('lets none of those go that wait for what it gives back', async () => {
    const { say, ceilings, bank } = bankOf({ limits: { tokens: 1_000 } });
    const first = bank.ask(CALL, say.signal);
    const second = bank.ask(CALL, say.signal);
    await turns();
    ceilings.answer(REFUSED);
    expect([(await first).go, (await second).go]).toEqual([false, false]);
    await turns();
    expect(ceilings.asked).toHaveLength(1);
    expect(say.types()).not.toContain('budget.charged');
    expect([say.ledger().open, say.ledger().waiting]).toEqual([[], []]);
  });

  it('pauses the run for the machine’s sake when nobody can tell whether there is room', async () => {
    const { say, ceilings, bank } = bankOf();
    const asked = bank.ask(CALL, say.signal);
    await turns();
    ceilings.answer({ ok: false, why: 'infra', detail: 'the disk is full', resetAt: null });
    expect(await asked).toMatchObject({ go: false });
    expect(say.batches.at(-1)?.[0]).toMatchObject({ type: 'run.paused', why: 'infra' });
  });

  it('pauses the run once, however many are refused', async () => {
    const { say, ceilings, bank } = bankOf();
    const both = [bank.ask(CALL, say.signal), bank.ask(CALL, say.signal)];
    await turns();
    ceilings.answer(REFUSED);
    ceilings.answer(REFUSED);
    for (const answer of await Promise.all(both)) expect(answer.go).toBe(false);
    await turns();
    expect(say.types().filter((type) => type === 'run.paused')).toHaveLength(1);
    expect(say.ledger().open).toEqual([]);
  });
});

describe('a call that is given up', () => {
  it('at any moment of its asking leaves nothing reserved, neither here nor there', async () => {
    for (let before = 0; before < 6; before++) {
      for (let after = 0; after < 6; after++) {
        const { say, ceilings, bank } = bankOf();
        const giveUp = new AbortController();
        const asked = bank.ask(CALL, giveUp.signal);
        await turns(before);
        ceilings.answer('room');
        await turns(after);
        giveUp.abort();
        ceilings.answer('room');
        const answer = await asked;
        // Whoever got it before gives it back, as a request that is aborted before it is sent does.
        if (answer.go) answer.settle(UNSENT);
        await turns();
        expect(say.ledger().open).toEqual([]);
        expect(ceilings.ended).toEqual(Array(ceilings.let()).fill('released'));
      }
    }
  });

  it('in the very turn in which there is room gives it back', async () => {
    const { say, ceilings, bank } = bankOf();
    const giveUp = new AbortController();
    const asked = bank.ask(CALL, giveUp.signal);
    await turns();
    ceilings.answer('room');
    giveUp.abort();
    expect(await asked).toMatchObject({ go: false });
    await turns();
    expect([say.ledger().open, ceilings.ended]).toEqual([[], ['released']]);
  });
});
