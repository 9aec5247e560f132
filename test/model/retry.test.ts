/** Retries: when, how often, how long, and what a thousand workers do to a provider that refuses them. */

import { afterEach, describe, expect, it } from 'vitest';
import type { Model, ModelEvent, ModelFault, ModelFinal, ModelRequest } from '../../src/contract/model.ts';
import { createBackOff } from '../../src/model/back-off.ts';
import { withRetries } from '../../src/model/retry.ts';
import type { Admission, RetryOptions } from '../../src/model/retry.ts';
import { refuses, says } from '../support/wire-replies.ts';
import { startWireServer } from '../support/wire-server.ts';
import { handClock, settle } from './hand-clock.ts';
import type { HandClock } from './hand-clock.ts';
import { collect, LIVE, request } from './model-cases.ts';
import { wireModel } from './wire-rig.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const RATE: ModelFault = { code: 'rate', message: 'slow', retryAfter: null };
const FINE: ModelFinal = {
  type: 'done',
  message: { role: 'assistant', text: 'x', reasoning: null, calls: [] },
  finish: 'stop',
  usage: null,
};

function failing(fault: ModelFault): ModelFinal {
  return { type: 'failed', fault, billable: false };
}

/** A provider that decides by the number of the request, and remembers when each came. */
function provider(clock: HandClock, decide: (nth: number, asked: ModelRequest) => ModelFinal) {
  const times: number[] = [];
  const model: Model = {
    name: 'p',
    async *turn(asked) {
      const nth = times.push(clock.now());
      await Promise.resolve();
      const end = decide(nth, asked);
      if (end.type === 'done') yield { type: 'text', text: 'x' };
      yield end;
    },
  };
  return { model, times };
}

/** The same numbers on every machine. */
function seeded(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

function goes(asked: ModelRequest): Promise<Admission> {
  return Promise.resolve({ go: true, maxOutput: asked.maxOutput, settle: () => {} });
}

function retrying(clock: HandClock, model: Model, over: Partial<RetryOptions> = {}): Model {
  const random = seeded();
  return withRetries({
    model,
    clock,
    random,
    backOff: createBackOff({ clock, random }),
    before: goes,
    ...over,
  });
}

/** Moves from timer to timer until there is none, or until `to`. */
async function run(clock: HandClock, to = Infinity): Promise<void> {
  await settle();
  for (let at = clock.next(); at !== null && at <= to; at = clock.next()) await clock.moveTo(at);
}

const kinds = (events: readonly ModelEvent[]) => events.map(({ type }) => type);

let clock = handClock();
afterEach(() => {
  expect(clock.next()).toBeNull();
  clock = handClock();
});

describe('a turn', () => {
  it.each(['rate', 'server', 'network', 'cut', 'idle'] as const)('is tried again after %s', async (code) => {
    const fault = { code, message: 'm', retryAfter: null } as ModelFault;
    const { model, times } = provider(clock, (nth) => (nth < 3 ? failing(fault) : FINE));
    const events = collect(retrying(clock, model).turn(request(), LIVE));
    await run(clock);
    expect(kinds(await events)).toEqual(['retrying', 'retrying', 'text', 'done']);
    expect(times).toHaveLength(3);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(500);
  });

  it.each([
    'auth',
    'quota',
    'not_found',
    'context_length',
    'no_tools',
    'bad_request',
    'aborted',
    'protocol',
  ] as const)('is not tried again after %s', async (code) => {
    const fault = { code, message: 'm', resetAt: null } as ModelFault;
    const { model, times } = provider(clock, () => failing(fault));
    const events = collect(retrying(clock, model).turn(request(), LIVE));
    await run(clock);
    expect(await events).toEqual([failing(fault)]);
    expect(times).toHaveLength(1);
  });

  it('is tried again after garbage in a stream', async () => {
    const garbage: ModelFinal = { type: 'failed', fault: { code: 'protocol', message: 'm' }, billable: true };
    const { model, times } = provider(clock, (nth) => (nth < 3 ? garbage : FINE));
    const events = collect(retrying(clock, model).turn(request(), LIVE));
    await run(clock);
    expect((await events).at(-1)).toEqual(FINE);
    expect(times).toHaveLength(3);
  });

  it.each(['cut', 'idle', 'protocol', 'server'] as const)(
    'is tried four times, not eight, where each may be billed: %s',
    async (code) => {
      const fault = { code, message: 'm', retryAfter: null } as ModelFault;
      const billed: ModelFinal = { type: 'failed', fault, billable: true };
      // Those that cost nothing do not count.
      const { model, times } = provider(clock, (nth) => (nth % 2 === 0 ? billed : failing(RATE)));
      const events = collect(retrying(clock, model, { tries: 100 }).turn(request(), LIVE));
      await run(clock);
      expect((await events).at(-1)).toEqual(billed);
      expect(times).toHaveLength(8);
    },
  );

  it('is tried so many times, with longer and longer waits', async () => {
    const { model, times } = provider(clock, () => failing(RATE));
    const events = collect(retrying(clock, model, { tries: 5 }).turn(request(), LIVE));
    await run(clock);
    expect((await events).at(-1)).toEqual(failing(RATE));
    const waits = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    waits.forEach((wait, n) => {
      expect(wait).toBeGreaterThanOrEqual(500 * 2 ** n);
      expect(wait).toBeLessThanOrEqual(1_000 * 2 ** n + 1);
    });
    expect(waits).toHaveLength(4);
  });

  it('is tried so long', async () => {
    const { model } = provider(clock, () => failing(RATE));
    const events = collect(retrying(clock, model, { tries: 1_000, time: MINUTE }).turn(request(), LIVE));
    await run(clock);
    expect((await events).at(-1)).toEqual(failing(RATE));
    expect(clock.now()).toBeLessThanOrEqual(MINUTE);
  });

  it('fails at once when the provider names a time beyond that', async () => {
    const { model, times } = provider(clock, () => failing({ ...RATE, retryAfter: 3_600 * SECOND }));
    const retried = retrying(clock, model);
    expect(kinds(await collect(retried.turn(request(), LIVE)))).toEqual(['failed']);
    // And so does whoever comes later, without a request.
    expect(await collect(retried.turn(request(), LIVE))).toMatchObject([
      { type: 'failed', fault: { code: 'rate' } },
    ]);
    expect([times.length, clock.now()]).toEqual([1, 0]);
  });

  it('is given up when the signal fires in a wait', async () => {
    const abort = new AbortController();
    const { model, times } = provider(clock, () => failing(RATE));
    const events = collect(retrying(clock, model).turn(request(), abort.signal));
    await settle();
    abort.abort();
    expect((await events).at(-1)).toMatchObject({ fault: { code: 'aborted' }, billable: false });
    expect(times).toHaveLength(1);
  });
});

describe('the one who is asked before', () => {
  it('is asked before each try, sets its output, and hears its end', async () => {
    const log: string[] = [];
    const { model } = provider(clock, (nth, { maxOutput }) => {
      log.push(`sent ${maxOutput}`);
      return nth === 1 ? failing({ code: 'cut', message: 'm' }) : FINE;
    });
    const before = (_asked: ModelRequest, attempt: number): Promise<Admission> => {
      log.push(`asked ${attempt}`);
      return Promise.resolve({
        go: true,
        maxOutput: 10 * attempt,
        settle: ({ type }) => void log.push(type),
      });
    };
    const events = collect(retrying(clock, model, { before }).turn(request(), LIVE));
    await run(clock);
    await events;
    expect(log).toEqual(['asked 1', 'sent 10', 'failed', 'asked 2', 'sent 20', 'done']);
  });

  it('can refuse: then nothing is sent', async () => {
    const { model, times } = provider(clock, () => failing(RATE));
    const before = (asked: ModelRequest, attempt: number): Promise<Admission> =>
      attempt === 1 ? goes(asked) : Promise.resolve({ go: false, message: 'The budget is spent.' });
    const events = collect(retrying(clock, model, { before }).turn(request(), LIVE));
    await run(clock);
    expect((await events).at(-1)).toEqual(failing({ code: 'refused', message: 'The budget is spent.' }));
    expect(times).toHaveLength(1);
  });

  it('hears of a reader that leaves in the middle', async () => {
    const ends: ModelFinal[] = [];
    const { model } = provider(clock, () => FINE);
    const before = (asked: ModelRequest): Promise<Admission> =>
      Promise.resolve({ go: true, maxOutput: asked.maxOutput, settle: (end) => void ends.push(end) });
    for await (const event of retrying(clock, model, { before }).turn(request(), LIVE)) {
      expect(event.type).toBe('text');
      break;
    }
    expect(ends).toMatchObject([{ type: 'failed', fault: { code: 'aborted' }, billable: true }]);
  });
});

describe('workers that share a provider', () => {
  it('F-173 wait as long as it says, and come back one by one', async () => {
    const { model, times } = provider(clock, (nth) =>
      nth <= 5 ? failing({ ...RATE, retryAfter: 30 * SECOND }) : FINE,
    );
    const retried = retrying(clock, model);
    const all = [1, 2, 3, 4, 5].map(() => collect(retried.turn(request(), LIVE)));
    await run(clock);
    for (const events of await Promise.all(all)) expect(events.at(-1)).toEqual(FINE);
    const again = times.slice(5);
    expect(again).toHaveLength(5);
    expect(Math.min(...again)).toBeGreaterThanOrEqual(30 * SECOND);
    const gaps = again.slice(1).map((at, n) => at - (again[n] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
    expect(new Set(gaps).size).toBeGreaterThan(1);
  });

  it('F-172 a thousand of them ask less and less while all is refused', async () => {
    const { model, times } = provider(clock, () => (clock.now() < 10 * MINUTE ? failing(RATE) : FINE));
    const retried = retrying(clock, model, { tries: 1_000, time: 60 * MINUTE });
    const all = Array.from({ length: 1_000 }, () =>
      collect(retried.turn(request(), new AbortController().signal)),
    );
    await run(clock, 10 * MINUTE);
    const perMinute = Array.from(
      { length: 10 },
      (_, n) => times.filter((at) => Math.floor(at / MINUTE) === n).length,
    );
    expect(perMinute[0]).toBeLessThanOrEqual(1_000 + 8);
    expect(Math.max(...perMinute.slice(1))).toBeLessThanOrEqual(3);
    await run(clock);
    for (const events of await Promise.all(all)) expect(events.at(-1)).toEqual(FINE);
    // Recovery is no storm either.
    const after = times.filter((at) => at >= 10 * MINUTE);
    expect(after.length).toBe(1_000);
    expect(after.filter((at) => at < 11 * MINUTE + SECOND).length).toBeLessThan(700);
  });

  it('are not held up by the long reply of the first that gets through', async () => {
    let finish = () => {};
    const gate = new Promise<void>((resolve) => (finish = resolve));
    let nth = 0;
    const model: Model = {
      name: 'p',
      async *turn() {
        nth += 1;
        const mine = nth;
        await Promise.resolve();
        if (mine <= 2) return yield* [failing(RATE)];
        yield { type: 'text', text: 'x' };
        if (mine === 3) await gate;
        yield FINE;
      },
    };
    const retried = retrying(clock, model);
    const ended: number[] = [];
    const all = [1, 2].map((n) => collect(retried.turn(request(), LIVE)).then(() => ended.push(n)));
    await run(clock);
    expect(ended).toHaveLength(1);
    finish();
    await Promise.all(all);
    expect(ended).toHaveLength(2);
  });
});

describe('over the wire', () => {
  it('the package itself tries nothing again', async () => {
    const server = await startWireServer();
    const busy = refuses(429, { message: 'slow' }, { 'retry-after': '30', 'x-should-retry': 'true' });
    server.queue(busy, says('x'));
    const events = collect(retrying(clock, wireModel(server)).turn(request(), LIVE));
    await (
      await server.arrived(1)
    ).ended;
    while (clock.next() === null) await settle();
    await clock.moveTo(29_999);
    expect(server.requests).toHaveLength(1);
    await clock.moveTo(60 * SECOND);
    expect(kinds(await events)).toEqual(['retrying', 'text', 'done']);
    expect(server.requests).toHaveLength(2);
    await server.close();
  });
});
