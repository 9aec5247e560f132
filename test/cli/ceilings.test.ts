/** The ceilings as runs meet them: who waits, who is refused and why, and what happens when the record is gone. */

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CeilingSettings } from '../../src/contract/ceiling.ts';
import { NO_CEILINGS } from '../../src/contract/ceiling.ts';
import type { CeilingAnswer, Ceilings, HeldCall } from '../../src/contract/ports.ts';
import { openCeilings, spendFile, type OpeningCeilings } from '../../src/cli/ceilings.ts';
import { readSpend } from '../../src/store/spend.ts';
import { handClock, settle, type HandClock } from '../model/hand-clock.ts';

const NOON = new Date(2026, 10, 30, 12).getTime();
const MIDNIGHT = new Date(2026, 11, 1).getTime();
const DAY: CeilingSettings = { ...NO_CEILINGS, day: { tokens: 100, cost: null } };
const UNPRICED = { worker: 'a/b', verifier: 'a/b', prices: { worker: null, verifier: null } };

let folder: string;
let file: string;
let clock: HandClock;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'goalgraph-ceilings-'));
  file = spendFile({ XDG_STATE_HOME: folder });
  clock = handClock(NOON);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function ceilings(over: Partial<OpeningCeilings> = {}): Ceilings {
  const opened = openCeilings({ limits: DAY, settings: UNPRICED, file, clock, ...over });
  if (!opened.ok || opened.value === null) throw new Error('no ceilings');
  return opened.value;
}

function ask(from: Ceilings, tokens: number, signal = new AbortController().signal) {
  return from.ask({ run: 'r', call: 'worker of a', most: { tokens, cost: 0 } }, signal);
}

function heldOf(answer: CeilingAnswer | null): HeldCall {
  if (answer?.ok !== true) throw new Error('it is refused');
  return answer.held;
}

function totals() {
  const read = readSpend(file, clock.now());
  if (!read.ok) throw new Error(read.fault.message);
  return read.value?.day;
}

describe('the ceilings', () => {
  it('are none where none is set, and then nothing is written', () => {
    const opened = openCeilings({ limits: NO_CEILINGS, settings: UNPRICED, file, clock });
    expect(opened).toEqual({ ok: true, value: null });
    expect(totals()).toBeUndefined();
  });

  it('are refused before anything is sent when they cannot be kept', () => {
    const money = { ...DAY, month: { tokens: null, cost: 5 } };
    const unpriced = openCeilings({ limits: money, settings: UNPRICED, file, clock });
    expect(unpriced).toMatchObject({ ok: false, fault: { code: 'model' } });
    ceilings();
    writeFileSync(file, 'x'.repeat(5_000));
    const broken = openCeilings({ limits: DAY, settings: UNPRICED, file, clock });
    expect(broken).toMatchObject({ ok: false, fault: { code: 'store_corrupt' } });
  });

  it('lie where XDG_STATE_HOME says, unless that is relative and so the choice of a workspace', () => {
    expect(spendFile({ HOME: '/h', XDG_STATE_HOME: '/x' })).toBe('/x/goalgraph/spend.db');
    expect(spendFile({ HOME: '/h', XDG_STATE_HOME: 'x' })).toBe('/h/.local/state/goalgraph/spend.db');
  });
});

describe('a call', () => {
  it('that could not go even alone is refused by name until midnight, and goes then', async () => {
    const from = ceilings();
    heldOf(await ask(from, 60)).settle({ tokens: 50, cost: 0 });
    expect(await ask(from, 51)).toEqual({
      ok: false,
      why: 'budget',
      detail:
        "the day's ceiling of 100 tokens (own configuration) is reached: 50 tokens spent today, worker of a needs 51 tokens; it frees at 00:00",
      resetAt: MIDNIGHT,
    });
    await clock.moveTo(MIDNIGHT - 1);
    expect((await ask(from, 51))?.ok).toBe(false);
    await clock.moveTo(MIDNIGHT);
    heldOf(await ask(from, 51)).settle({ tokens: 51, cost: 0 });
    expect(totals()).toMatchObject({ spent: { tokens: 51 }, reserved: { tokens: 0 } });
  });

  it('that fits once others have ended waits for them', async () => {
    const [one, other] = [ceilings(), ceilings()];
    const held = heldOf(await ask(one, 60));
    let answer: CeilingAnswer | null | undefined;
    void ask(other, 60).then((told) => (answer = told));
    await clock.moveTo(NOON + 5_000);
    expect(answer).toBeUndefined();
    held.settle({ tokens: 10, cost: 0 });
    await clock.moveTo(NOON + 6_000);
    expect(answer).toMatchObject({ ok: true });
    expect(totals()).toMatchObject({ spent: { tokens: 10 }, reserved: { tokens: 60 } });
  });

  it('that waits is refused when the others have used too much', async () => {
    const [one, other] = [ceilings(), ceilings()];
    const held = heldOf(await ask(one, 60));
    const asked = ask(other, 60);
    await clock.moveTo(NOON + 1_000);
    held.settle({ tokens: 60, cost: 0 });
    await clock.moveTo(NOON + 2_000);
    expect(await asked).toMatchObject({ ok: false, why: 'budget' });
  });

  it('that waits is given up with its signal, and holds nothing', async () => {
    const from = ceilings();
    heldOf(await ask(from, 60));
    const giveUp = new AbortController();
    const asked = ask(from, 60, giveUp.signal);
    await clock.moveTo(NOON + 1_000);
    giveUp.abort();
    await settle();
    expect(await asked).toBeNull();
    expect(clock.next()).toBeNull();
    expect(totals()?.reserved.tokens).toBe(60);
    expect(await ask(from, 1, AbortSignal.abort())).toBeNull();
  });

  it('does not go when the record was removed: that would be a new day for whoever removes it', async () => {
    const from = ceilings();
    heldOf(await ask(from, 60));
    rmSync(join(file, '..'), { recursive: true });
    expect(await ask(from, 1)).toMatchObject({ ok: false, why: 'infra' });
    expect(totals()).toBeUndefined();
  });

  it('whose end could not be written is paid for before the next one goes', async () => {
    const from = ceilings();
    const held = heldOf(await ask(from, 60));
    const away = `${file}.away`;
    renameSync(file, away);
    held.settle({ tokens: 33, cost: 0 });
    renameSync(away, file);
    heldOf(await ask(from, 67));
    expect(totals()).toMatchObject({ spent: { tokens: 33 }, reserved: { tokens: 67 } });
  });
});
