import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/contract/command.ts';
import { ok } from '../../src/contract/fault.ts';
import { NO_LIMITS, type Limits } from '../../src/contract/limits.ts';
import type { Request } from '../../src/contract/request.ts';
import type { Perform } from '../../src/engine/drive.ts';
import { driveRun, nothingYet, type DriveWorld, type Driven } from '../../src/cli/drive-run.ts';
import { readConfig } from '../../src/cli/config.ts';
import type { SignalHandlers } from '../../src/cli/signals.ts';
import { driveOn, mayBeLeft, momentHere, nextTry, type WaitNews } from '../../src/cli/unattended.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { handClock, settle, type HandClock } from '../model/hand-clock.ts';
import { answer, GREEN } from '../support/answers.ts';
import { tempFolder } from '../support/os.ts';
import { created, plan } from '../support/plans.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 2, 1, 22);

interface Trouble {
  readonly detail: string;
  /** Milliseconds from then; null: it does not say. */
  readonly reset: number | null;
}

interface Night {
  readonly clock: HandClock;
  readonly started: readonly Effect[];
  readonly news: readonly WaitNews[];
  readonly types: () => readonly string[];
  readonly isOver: () => boolean;
  /** Moves the clock, and lets all that follows happen. */
  pass(ms: number): Promise<void>;
  signal(): Promise<void>;
  /** As another terminal. Resolves to why it was refused, or to null. */
  ask(request: Request): Promise<unknown>;
  readonly ended: ReturnType<typeof driveOn>;
}

/** A run of one command whose provider refuses it as often as there are troubles. */
function night(
  troubles: readonly Trouble[],
  { unattended = true, limits = {} }: { unattended?: boolean; limits?: Partial<Limits> } = {},
): Night {
  const workspace = tempFolder();
  const store = memoryStore();
  const process = store.open();
  const other = store.open();
  const owner = process.lease.take('r1');
  const config = readConfig(workspace, { env: { HOME: workspace } });
  if (!owner.ok || !config.ok) throw new Error('no lease, or no configuration');
  const clock = handClock(START);
  const started: Effect[] = [];
  const left = [...troubles];
  const perform: Perform = async (effect, _signal, say) => {
    started.push(effect);
    const trouble = left.shift();
    if (!trouble) return answer(effect, GREEN);
    const resetAt = trouble.reset === null ? null : clock.now() + trouble.reset;
    await say.store((_, at) =>
      ok({ type: 'run.paused', at, why: 'provider', detail: trouble.detail, resetAt }),
    );
    return null;
  };
  let handlers: SignalHandlers | null = null;
  const listen: DriveWorld['listen'] = (next) => {
    let first: 'SIGINT' | null = null;
    handlers = {
      ...next,
      pause(signal) {
        first = 'SIGINT';
        next.pause(signal);
      },
    };
    return { first: () => first, stop: () => (handlers = null) };
  };
  const base = {
    session: { workspace, config: config.value, store: process },
    owner: owner.value,
    workspace,
    concurrency: 1,
    world: null,
    onStored: () => undefined,
    onPausing: () => undefined,
  };
  const start = created(plan([{ slug: 'a' }]), { limits: { ...NO_LIMITS, ...limits } });
  const first = [(_: unknown, at: number) => ok({ ...start, at })];
  const news: WaitNews[] = [];
  const around = { clock, perform, listen };
  const ended = driveOn({
    unattended,
    now: () => clock.now(),
    tell: (one) => void news.push(one),
    drive: (on) =>
      on
        ? driveRun({ ...base, standing: on.from, wait: on.wait, first: [] }, around)
        : driveRun({ ...base, standing: nothingYet(), first }, around),
  });
  let over = false;
  void ended.then(() => (over = true));
  const settleAll = async () => {
    for (let turns = 0; turns < 50; turns++) await settle();
  };
  return {
    clock,
    started,
    news,
    ended,
    types: () => store.bodies('r1').map((body) => (JSON.parse(body) as { type: string }).type),
    isOver: () => over,
    async pass(ms) {
      await settleAll();
      await clock.moveTo(clock.now() + ms);
      await settleAll();
    },
    async signal() {
      handlers?.pause('SIGINT');
      await settleAll();
    },
    async ask(request) {
      const { epoch } = owner.value;
      const posted = await other.inbox.post({ run: 'r1', epoch, request: JSON.stringify(request) });
      if (!posted.ok) throw new Error(posted.fault.message);
      await this.pass(200);
      const answered = await other.inbox.answer(posted.value);
      if (!answered.ok || answered.value === null) return 'no answer';
      return (JSON.parse(answered.value) as { refused: unknown }).refused;
    },
  };
}

async function endOf(run: Night): Promise<Driven & { waiting: boolean }> {
  const ended = await run.ended;
  if (!ended.ok) throw new Error(ended.fault.message);
  return ended.value;
}

const times = (run: Night, type: string) => run.types().filter((one) => one === type).length;
const RESUME: Request = {
  type: 'resume',
  add: { tokens: null, cost: null, maxTime: null, until: null, moves: null },
  concurrency: null,
  models: null,
};

describe('a run that nobody watches', () => {
  it('waits out two windows of quota, asking nobody meanwhile, and completes', async () => {
    const out = { detail: 'Out of credits', reset: 20 * MINUTE };
    const run = night([out, out]);
    await run.pass(20 * MINUTE);
    expect(run.started).toHaveLength(1);
    expect(run.types().at(-1)).toBe('run.paused');
    expect(run.isOver()).toBe(false);
    await run.pass(1_000);
    expect(run.started).toHaveLength(2);
    expect(run.types().at(-1)).toBe('run.paused');
    await run.pass(20 * MINUTE + 2_000);
    const { view, waiting } = await endOf(run);
    expect([view.status, waiting, times(run, 'run.resumed')]).toEqual(['complete', false, 2]);
    expect(run.news.map((one) => (one.type === 'waiting' ? one.until - START : one.type))).toEqual([
      20 * MINUTE + 1_000,
      40 * MINUTE + 2_000,
    ]);
  });

  it('tries again after 1, 2, 5, 10, 15 and 15 minutes where nobody says when', async () => {
    const run = night(Array.from({ length: 6 }, () => ({ detail: 'unreachable', reset: null })));
    for (const [i, minutes] of [1, 2, 5, 10, 15, 15].entries()) {
      await run.pass(minutes * MINUTE - 1_000);
      expect(run.started).toHaveLength(i + 1);
      await run.pass(1_000);
      expect(run.started.length).toBeGreaterThan(i + 1);
    }
    expect((await endOf(run)).view.status).toBe('complete');
  });

  it('does not wait past its deadline, and says so', async () => {
    const run = night([{ detail: 'Out', reset: HOUR }], { limits: { until: START + HOUR } });
    await run.pass(0);
    const { view, waiting } = await endOf(run);
    expect([view.status, view.why, waiting]).toEqual(['paused', 'provider', false]);
    expect(run.news).toMatchObject([{ type: 'gave-up', why: expect.stringContaining('--until') as string }]);
    expect(run.types()).not.toContain('run.resumed');
  });

  it('that a person watches does not wait', async () => {
    const run = night([{ detail: 'Out', reset: HOUR }], { unattended: false });
    await run.pass(0);
    expect((await endOf(run)).view.why).toBe('provider');
    expect(run.news).toEqual([]);
  });

  it('ends its wait when another terminal asks for a pause', async () => {
    const run = night([{ detail: 'Out', reset: HOUR }]);
    await run.pass(MINUTE);
    await run.ask({ type: 'pause', by: 'goalgraph pause' });
    const { view, waiting, asked, signal } = await endOf(run);
    expect([view.why, waiting, asked, signal]).toEqual(['provider', true, true, null]);
    await run.pass(2 * HOUR);
    expect(run.started).toHaveLength(1);
  });

  it('is cleared while it waits', async () => {
    const run = night([{ detail: 'Out', reset: HOUR }]);
    await run.pass(MINUTE);
    expect(await run.ask({ type: 'clear' })).toBeNull();
    expect((await endOf(run)).view.status).toBe('cleared');
  });

  it('goes on at once when it is resumed, and the old hour means nothing any more', async () => {
    const run = night([
      { detail: 'Out', reset: HOUR },
      { detail: 'Out again', reset: 2 * HOUR },
    ]);
    await run.pass(MINUTE);
    expect(await run.ask(RESUME)).toBeNull();
    expect(run.started).toHaveLength(2);
    await run.pass(HOUR + MINUTE);
    expect(run.started).toHaveLength(2);
    await run.pass(HOUR);
    expect((await endOf(run)).view.status).toBe('complete');
    expect(times(run, 'run.resumed')).toBe(2);
  });

  it('waits on after what leaves it at rest', async () => {
    const run = night([{ detail: 'Out', reset: 10 * MINUTE }]);
    await run.pass(MINUTE);
    expect(await run.ask({ type: 'skip', node: 'nobody' })).toContain('no node nobody');
    expect(await run.ask({ type: 'edit', node: 'a', spec: null, run: 'other', checks: null })).toBeNull();
    expect([run.isOver(), run.started.length, run.news.length]).toEqual([false, 1, 1]);
    await run.pass(9 * MINUTE + 1_000);
    expect((await endOf(run)).view.status).toBe('complete');
  });

  it('ends its wait at a signal', async () => {
    const run = night([{ detail: 'Out', reset: HOUR }]);
    await run.pass(MINUTE);
    await run.signal();
    const { view, waiting, signal } = await endOf(run);
    expect([view.status, view.why, waiting, signal]).toEqual(['paused', 'provider', true, 'SIGINT']);
    expect(run.types().at(-1)).toBe('run.paused');
  });
});

describe('when it tries again', () => {
  const view = (resetAt: number | null, until: number | null = null) => ({
    resetAt,
    limits: { ...NO_LIMITS, until },
  });
  it.each([
    ['the hour that was named', view(START + HOUR), 0, START + HOUR + 1_000],
    ['one that is over', view(START - HOUR), 0, START + 1_000],
    ['one that is over again and again', view(START - HOUR), 3, START + 5 * MINUTE],
    ['one that is over for ever', view(START - HOUR), 90, START + 15 * MINUTE],
    ['no hour', view(null), 0, START + MINUTE],
    ['no hour, for long', view(null), 90, START + 15 * MINUTE],
  ])('goes by %s', (_, paused, fruitless, at) => {
    expect(nextTry(paused, { now: START, fruitless })).toEqual({ at });
  });

  it('is never at or after the deadline', () => {
    const now = { now: START, fruitless: 0 };
    expect(nextTry(view(null, START + MINUTE + 1), now)).toEqual({ at: START + MINUTE });
    expect(nextTry(view(null, START + MINUTE), now)).toHaveProperty('never');
  });

  it('is told by the clock on the wall, with the day when it is another one', () => {
    const noon = new Date(2026, 2, 1, 12).getTime();
    expect(momentHere(noon + 5 * MINUTE, noon)).toBe('12:05');
    expect(momentHere(noon + 24 * HOUR, noon)).toBe('2026-03-02 12:00');
    expect(momentHere(Number.MAX_VALUE, noon)).toBe('the end of time');
  });
});

describe('whether it may be left alone', () => {
  const alone = { unattended: true, noBudget: false, approve: false };
  it.each([
    ['nothing limits it', alone, NO_LIMITS, '--no-budget'],
    ['only its time is limited', alone, { ...NO_LIMITS, until: START }, '--budget 2m'],
    ['it would ask', { ...alone, approve: true }, { ...NO_LIMITS, tokens: 1 }, '--approve'],
  ])('not if %s', (_, how, limits, words) => {
    const left = mayBeLeft(how, limits);
    expect(left.ok ? null : left.fault.code).toBe('usage');
    expect(left.ok ? '' : left.fault.message).toContain(words);
  });
  it.each([
    ['tokens are limited', alone, { ...NO_LIMITS, tokens: 1 }],
    ['money is limited', alone, { ...NO_LIMITS, cost: 1 }],
    ['no model works on it', alone, null],
    ['that is meant', { ...alone, noBudget: true }, NO_LIMITS],
    ['somebody watches', { ...alone, unattended: false, approve: true }, NO_LIMITS],
  ])('if %s', (_, how, limits) => {
    expect(mayBeLeft(how, limits).ok).toBe(true);
  });
});
