/** The bank: who may send a call, who waits, and what is paid at its end. */

import { describe, expect, it } from 'vitest';
import type { BudgetRequest } from '../../src/contract/budget.ts';
import { ok } from '../../src/contract/fault.ts';
import type { ModelFinal } from '../../src/contract/model.ts';
import { makeBank, type Grant, type NoGrant } from '../../src/engine/bank.ts';
import { spentBy } from '../../src/kernel/ledger-room.ts';
import { settle } from '../model/hand-clock.ts';
import { handSay, type HandSay, type HandSayOptions } from './hand-say.ts';

const CALL: BudgetRequest = {
  call: 'a round 1 turn 1',
  role: 'worker',
  model: 'm',
  final: false,
  input: { known: 0, fresh: 500 },
  maxOutput: 300,
  floor: 100,
  price: null,
};

function done(input: number, output: number): ModelFinal {
  return {
    type: 'done',
    message: { role: 'assistant', text: 'x', reasoning: null, calls: [] },
    finish: 'stop',
    usage: { input, cached: 0, output, reasoning: 0 },
  };
}

const BROKEN: ModelFinal = { type: 'failed', fault: { code: 'cut', message: 'cut' }, billable: true };
const UNSENT: ModelFinal = { type: 'failed', fault: { code: 'network', message: 'no' }, billable: false };

function bankOf(options: HandSayOptions = {}) {
  const say = handSay(options);
  return { say, bank: makeBank(say) };
}

const never = () => new AbortController().signal;

async function turns(count = 6): Promise<void> {
  for (let i = 0; i < count; i++) await settle();
}

function grantOf(answer: Grant | NoGrant): Grant {
  if (!answer.go) throw new Error(answer.message);
  return answer;
}

function refusalOf(answer: Grant | NoGrant): string {
  if (answer.go) throw new Error('it goes');
  return answer.message;
}

function spent(say: HandSay): number {
  return spentBy(say.ledger().sums).tokens;
}

describe('a call that fits', () => {
  it('goes with what was granted, and is charged what was reported', async () => {
    const { say, bank } = bankOf({ limits: { tokens: 700 } });
    const grant = grantOf(await bank.ask(CALL, never()));
    expect(grant.maxOutput).toBe(200);
    expect(say.ledger().open).toHaveLength(1);
    grant.settle(done(40, 7));
    await turns();
    expect(say.types()).toEqual(['budget.reserved', 'budget.charged']);
    expect(spent(say)).toBe(47);
  });

  it('is paid for in the transaction of what the caller queues next', async () => {
    const { say, bank } = bankOf();
    const grant = grantOf(await bank.ask(CALL, never()));
    grant.settle(done(40, 7));
    void say.store((_, at) => ok({ type: 'run.approved', at }));
    await turns();
    expect(say.batches.at(-1)?.map(({ type }) => type)).toEqual(['budget.charged', 'run.approved']);
  });

  it('is charged its reservation when nothing was reported, or the stream broke', async () => {
    const { say, bank } = bankOf();
    grantOf(await bank.ask(CALL, never())).settle({ ...done(0, 0), usage: null } as ModelFinal);
    grantOf(await bank.ask(CALL, never())).settle(BROKEN);
    await turns();
    expect(spent(say)).toBe(2 * 800);
    expect(say.events.filter((event) => event.type === 'budget.charged' && event.estimated)).toHaveLength(2);
  });

  it('costs nothing when it was certainly not billed', async () => {
    const { say, bank } = bankOf();
    grantOf(await bank.ask(CALL, never())).settle(UNSENT);
    await turns();
    expect(say.types()).toEqual(['budget.reserved', 'budget.released']);
    expect(spent(say)).toBe(0);
  });

  it('is paid for once, however often it is settled', async () => {
    const { say, bank } = bankOf();
    const grant = grantOf(await bank.ask(CALL, never()));
    grant.settle(done(40, 7));
    grant.settle(BROKEN);
    await turns();
    expect(spent(say)).toBe(47);
  });
});

describe('a call that must wait', () => {
  it('goes when the charge of another one makes room', async () => {
    const { say, bank } = bankOf({ limits: { tokens: 1_000 } });
    const first = grantOf(await bank.ask(CALL, never()));
    const second = bank.ask(CALL, never());
    await turns();
    expect(say.types()).toEqual(['budget.reserved', 'budget.waiting']);
    first.settle(done(40, 7));
    expect(grantOf(await second).maxOutput).toBe(300);
    expect(say.batches.at(-1)?.map(({ type }) => type)).toEqual(['budget.charged', 'budget.reserved']);
  });

  it('does not go when what is left after that is too little', async () => {
    const { say, bank } = bankOf({ limits: { tokens: 1_000 } });
    const first = grantOf(await bank.ask(CALL, never()));
    const second = bank.ask(CALL, never());
    await turns();
    first.settle(done(450, 300));
    expect(refusalOf(await second)).toMatch(/needs 600 tokens at least, 250 are left/);
    expect(say.signal.aborted).toBe(true);
  });

  it('does not go when the run pauses', async () => {
    const { say, bank } = bankOf({ limits: { tokens: 1_000 } });
    grantOf(await bank.ask(CALL, never()));
    const second = bank.ask(CALL, never());
    await turns();
    say.pause();
    expect(await second).toMatchObject({ go: false });
    expect(say.ledger().waiting).toEqual([]);
  });

  it('leaves the queue when it is given up', async () => {
    const { say, bank } = bankOf({ limits: { tokens: 1_000 } });
    grantOf(await bank.ask(CALL, never()));
    const giveUp = new AbortController();
    const second = bank.ask(CALL, giveUp.signal);
    await turns();
    giveUp.abort();
    expect(await second).toMatchObject({ go: false });
    await turns();
    expect(say.types()).toEqual(['budget.reserved', 'budget.waiting', 'budget.released']);
    expect(say.ledger().waiting).toEqual([]);
  });

  it('leaves nothing reserved when it is given up in the moment of its grant', async () => {
    for (let after = 0; after < 6; after++) {
      const { say, bank } = bankOf({ limits: { tokens: 1_000 } });
      const first = grantOf(await bank.ask(CALL, never()));
      const giveUp = new AbortController();
      const second = bank.ask(CALL, giveUp.signal);
      await turns();
      first.settle(done(40, 7));
      await turns(after);
      giveUp.abort();
      const answer = await second;
      // Whoever got it before gives it back, as a request that is aborted before it is sent does.
      if (answer.go) answer.settle(UNSENT);
      await turns();
      expect(say.ledger().open).toEqual([]);
      expect(say.ledger().waiting).toEqual([]);
    }
  });

  it('leaves nothing reserved when it is given up at any moment of its asking', async () => {
    for (let after = 0; after < 6; after++) {
      const { say, bank } = bankOf();
      const giveUp = new AbortController();
      const asked = bank.ask(CALL, giveUp.signal);
      await turns(after);
      giveUp.abort();
      const answer = await asked;
      if (answer.go) answer.settle(UNSENT);
      await turns();
      expect(say.ledger().open).toEqual([]);
    }
  });
});

describe('a call that may not go', () => {
  it('trips the run when it could not fit even alone', async () => {
    const { say, bank } = bankOf({ limits: { tokens: 550 } });
    expect(await bank.ask(CALL, never())).toMatchObject({
      go: false,
      message: 'The budget is used up: a round 1 turn 1 needs 600 tokens at least, 550 are left.',
    });
    expect(say.types()).toEqual(['budget.tripped', 'run.paused']);
  });

  it('is refused while the run is at rest, and nothing is stored', async () => {
    for (const value of ['paused', 'approval', 'complete', 'cleared', 'unplanned']) {
      const { say, bank } = bankOf({ value });
      expect(await bank.ask(CALL, never())).toMatchObject({ go: false });
      expect(say.events).toEqual([]);
    }
    expect(await bankOf({ value: 'planning' }).bank.ask(CALL, never())).toMatchObject({ go: true });
  });

  it('is refused under a money limit when it has no price', async () => {
    const { say, bank } = bankOf({ limits: { cost: 5_000_000 } });
    expect(refusalOf(await bank.ask(CALL, never()))).toContain('no price for m');
    expect(say.events).toEqual([]);
  });

  it('is refused when it was given up before', async () => {
    const { say, bank } = bankOf();
    expect(await bank.ask(CALL, AbortSignal.abort())).toMatchObject({ go: false });
    expect(say.events).toEqual([]);
  });
});
