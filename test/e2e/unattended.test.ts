/** Runs that nobody watches: they wait for their provider, and tell a command of the person's what happens. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../support/os.ts';
import type { Running } from '../support/rig-cli.ts';
import { rigClock, type RigClock } from '../support/rig-clock.ts';
import { reckon, typesOf } from '../support/rig-model-ledger.ts';
import { plainStory } from '../support/rig-model-story.ts';
import { by, test, type Provider } from '../support/rig-model.ts';
import type { Rig } from '../support/rig.ts';
import { refuses } from '../support/wire-replies.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const GRAPH = ['graph', 'Write the files', '--budget', '1m', '--unattended'] as const;

const outOfCredits = (seconds: number) =>
  refuses(402, { message: 'Out of credits', resets_in_seconds: seconds });
const isAt =
  (role: string, node: string) => (chat: { readonly key: { role: string; node: string | null } }) =>
    chat.key.role === role && chat.key.node === node;

/** Hour after hour: nobody is asked. */
async function passesQuietly(provider: Provider, clock: RigClock, ms: number): Promise<void> {
  const { length } = provider.requests;
  for (let left = ms; left > 0; left -= 10 * MINUTE) {
    await clock.move(Math.min(left, 10 * MINUTE));
    expect(provider.requests).toHaveLength(length);
    expect(provider.open()).toBe(0);
  }
}

async function waits(owner: Running, times = 1): Promise<void> {
  await until(`it waits for the ${times}. time`, () => {
    if (owner.isOver()) throw new Error(`it has ended:\n${owner.stdout()}${owner.stderr()}`);
    return owner.stderr().split('waiting for the provider until').length > times;
  });
}

function toldIn(rig: Rig): readonly Readonly<Record<string, unknown>>[] {
  const file = join(rig.root, 'told');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

/** A command that is told something has thirty seconds for it, and a clock that jumps would take them away. */
function isTold(rig: Rig, times: number): Promise<void> {
  return until(`the command is told ${times} times`, () => {
    const file = join(rig.root, 'env');
    return existsSync(file) && readFileSync(file, 'utf8').split('end of it').length > times;
  });
}

describe.concurrent('a night', () => {
  test('F-1 F-2 F-4 of two windows of quota, a kill and a deadline is told as it was', async ({
    rig,
    provider,
  }) => {
    const clock = rigClock(rig);
    const { env } = clock;
    const told = [
      '--notify',
      `cat >> ${join(rig.root, 'told')}; (env; echo end of it) >> ${join(rig.root, 'env')}`,
    ];
    const till = (ms: number) => new Date(clock.now() + ms).toISOString().slice(0, 19) + 'Z';
    provider.key = 'sk-night-0123456789';
    const key = { GOALGRAPH_API_KEY: provider.key };
    provider.tell(plainStory('a', 'b'));
    provider.misbehave(isAt('worker', 'a'), outOfCredits(HOUR / 1_000));
    const evening = rig.start(by(provider, ...GRAPH, '--until', till(3 * HOUR + 4 * MINUTE), ...told), {
      env: { ...env, ...key },
    });
    await waits(evening);
    await isTold(rig, 1);
    await passesQuietly(provider, clock, HOUR - MINUTE);
    const held = provider.hold(isAt('worker', 'b'));
    await clock.move(MINUTE + 2_000);
    await held.arrived;
    await isTold(rig, 2);
    evening.kill('SIGKILL');
    await evening.ended;

    provider.misbehave(
      isAt('worker', 'b'),
      refuses(429, { message: 'Slow down' }, { 'retry-after': String((2 * HOUR) / 1_000) }),
    );
    const night = rig.start(['resume', '--unattended', ...told], { env: { ...env, ...key } });
    await waits(night);
    await isTold(rig, 3);
    await passesQuietly(provider, clock, 2 * HOUR - MINUTE);
    const last = provider.hold(({ key: of }) => of.node === 'gn-final');
    await clock.move(3 * MINUTE);
    await last.arrived;
    await isTold(rig, 4);
    // Past the deadline, but not for so long that the request is taken for dead.
    await clock.move(3 * MINUTE);
    expect((await night.ended).exit).toBe(4);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'deadline' });
    const asked = provider.requests.length;

    const morning = await rig.run(['resume', '--unattended', '--until', till(2 * HOUR), ...told], {
      env: { ...env, ...key },
    });
    expect(morning.exit).toBe(0);
    expect(provider.requests.length).toBeGreaterThan(asked);
    const { events } = rig.journal();
    const sums = reckon(events);
    expect(sums.charged).toEqual(provider.reported());
    expect(sums.estimated).toBeGreaterThan(0);
    expect([sums.reserved, sums.worst <= 0]).toEqual([0, true]);
    expect(typesOf(events).filter((type) => type === 'run.resumed')).toHaveLength(4);

    const notices = toldIn(rig);
    expect(notices.map(({ event, why }) => [event, why])).toEqual([
      ['waiting', 'provider'],
      ['resumed', null],
      ['waiting', 'provider'],
      ['resumed', null],
      ['paused', 'deadline'],
      ['complete', null],
    ]);
    const reports = notices.at(-1)?.['reports'] as readonly string[];
    expect(notices.at(-1)).toMatchObject({
      objective: 'Write the files',
      workspace: rig.workspace,
      status: 'complete',
      spent: { tokens: sums.spent, cost: 0 },
    });
    expect(readFileSync(join(rig.root, 'env'), 'utf8')).not.toContain(provider.key);
    const text = readFileSync(reports[0] ?? '', 'utf8');
    expect(text).toMatch(/stood still for 1h.*the provider refused.*Out of credits/);
    expect(text).toMatch(/stood still for 2h.*the provider refused.*Slow down/);
    expect(text).toContain('its time was used up');
    expect(text).toContain('Complete');
  });
});

describe.concurrent('a run that waits for its provider', () => {
  async function waiting(rig: Rig, provider: Provider, env: Readonly<Record<string, string>> = {}) {
    provider.tell(plainStory('a'));
    provider.misbehave(isAt('worker', 'a'), outOfCredits(HOUR / 1_000));
    const owner = rig.start(by(provider, ...GRAPH), { env });
    await waits(owner);
    return owner;
  }

  test('ends at Ctrl-C, and can be resumed', async ({ rig, provider }) => {
    const owner = await waiting(rig, provider);
    const asked = provider.requests.length;
    owner.kill('SIGINT');
    expect((await owner.ended).exit).toBe(130);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'provider' });
    expect(provider.requests).toHaveLength(asked);
    expect((await rig.run(['resume'])).exit).toBe(0);
  });

  test('ends at a pause from another terminal', async ({ rig, provider }) => {
    const owner = await waiting(rig, provider);
    const watcher = rig.start(['attach']);
    await watcher.says('waits to go on');
    expect((await rig.run(['status'])).stdout).toContain(`Process ${owner.pid} has it`);
    const pause = await rig.run(['pause']);
    expect(pause).toMatchObject({ exit: 0, stderr: '' });
    expect((await owner.ended).exit).toBe(3);
    expect((await watcher.ended).exit).toBe(5);
    expect((await rig.run(['status'])).stdout).not.toContain('has it');
  });

  test('goes on at once when it is resumed from another terminal, but not with other models', async ({
    rig,
    provider,
  }) => {
    const owner = await waiting(rig, provider);
    const other = await rig.run(['resume', '--model', 'other']);
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('goalgraph pause') as string]);
    expect(owner.isOver()).toBe(false);
    expect((await rig.run(['resume'])).exit).toBe(0);
    expect((await owner.ended).exit).toBe(0);
  });

  test('is cleared from another terminal', async ({ rig, provider }) => {
    const owner = await waiting(rig, provider);
    expect((await rig.run(['clear'])).exit).toBe(0);
    expect((await owner.ended).exit).toBe(3);
  });

  test('does not begin to wait when its deadline comes first', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    provider.misbehave(isAt('worker', 'a'), outOfCredits((10 * HOUR) / 1_000));
    const until = new Date(Date.now() + HOUR).toISOString().slice(0, 19) + 'Z';
    const { exit, stderr } = await rig.run(by(provider, ...GRAPH, '--until', until));
    expect([exit, stderr]).toEqual([5, expect.stringContaining('does not wait') as string]);
  });
});

describe.concurrent('what must be said before nobody is there', () => {
  test('is a limit, or that there is none; and no question', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const bare = await rig.run(by(provider, 'graph', 'Write', '--unattended', '--max-time', '1h'));
    expect([bare.exit, bare.stderr]).toEqual([2, expect.stringContaining('--no-budget') as string]);
    const asking = await rig.run(by(provider, ...GRAPH, '--approve'));
    expect([asking.exit, asking.stderr]).toEqual([2, expect.stringContaining('--approve') as string]);
    expect(provider.requests).toEqual([]);
    const meant = await rig.run(by(provider, 'graph', 'Write', '--unattended', '--no-budget'));
    expect(meant.exit).toBe(0);
  });

  test('may be left out for a plan of commands', async ({ rig }) => {
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'true' }] });
    expect((await rig.run(['run', plan, '--unattended'])).exit).toBe(0);
  });
});
