/** Ceilings above all runs: kept between workspaces and processes, whatever becomes of a process, until the day is over. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../support/os.ts';
import { readJournal } from '../support/rig-journal.ts';
import { reckon, typesOf } from '../support/rig-model-ledger.ts';
import { preload } from '../support/rig-model-preload.ts';
import { plainStory } from '../support/rig-model-story.ts';
import { by, test } from '../support/rig-model.ts';
import type { Rig } from '../support/rig.ts';

const GRAPH = ['graph', 'Write the file', '--budget', '1m'] as const;
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** A zone in which it is about noon as this begins, for no test may meet midnight; and when that comes there. */
const HERE = (() => {
  const hour = new Date().getUTCHours();
  // The signs of these names are the wrong way round.
  const behind = hour - 12;
  const zone = `Etc/GMT${behind < 0 ? '' : '+'}${behind}`;
  return { zone, midnight: Math.floor(Date.now() / HOUR) * HOUR + 12 * HOUR };
})();

/** The person's own configuration, and where their record of what was spent lies. */
function person(rig: Rig, limits: unknown): { readonly env: Record<string, string>; readonly file: string } {
  const config = join(rig.root, 'home/.config/goalgraph');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.json'), JSON.stringify({ limits }));
  const state = join(rig.root, 'xdg-state');
  return { env: { XDG_STATE_HOME: state, TZ: HERE.zone }, file: join(state, 'goalgraph/spend.db') };
}

interface Ceiling {
  readonly which: string;
  readonly spent: { readonly tokens: number };
  readonly reserved: { readonly tokens: number };
}

async function counted(rig: Rig, env: Record<string, string>): Promise<Ceiling> {
  const { exit, stdout, stderr } = await rig.run(['config', 'show', '--json'], { env });
  if (exit !== 0) throw new Error(stderr);
  const [first] = (JSON.parse(stdout) as { ceilings: readonly Ceiling[] }).ceilings;
  if (first === undefined) throw new Error('no ceiling');
  return first;
}

describe('two runs in two workspaces', () => {
  test('F-41 share a day’s ceiling: the second is stopped by name, nothing is sent after, and the next day it goes on', async ({
    rig,
    provider,
  }) => {
    const other = join(rig.root, 'other');
    mkdirSync(other);
    // Nothing is reported, so each request costs what was reserved for it.
    provider.tell(plainStory('a'), { usage: 'none' });
    const { env } = person(rig, { day: '1m' });
    const first = await rig.run(by(provider, ...GRAPH), { env, dir: other });
    expect([first.exit, first.stderr]).toEqual([0, '']);
    const spent = reckon(readJournal(join(other, '.goalgraph'), 'at rest').events).spent;
    expect(await counted(rig, env)).toMatchObject({ spent: { tokens: spent }, reserved: { tokens: 0 } });

    const limit = Math.floor(spent * 1.5);
    person(rig, { day: String(limit) });
    const second = await rig.run(by(provider, ...GRAPH), { env });
    expect(second.exit).toBe(4);
    expect(second.stdout).toContain("the day's ceiling of ");
    expect(second.stdout).not.toContain('resume --budget');
    const { status, why, detail, resetAt } = await rig.status();
    expect([status, why]).toEqual(['paused', 'budget']);
    expect(detail).toMatch(
      /^the day's ceiling of \S+ tokens \(own configuration\) is reached: \S+ tokens spent today, .* needs \S+ tokens; it frees at 00:00$/,
    );
    expect(resetAt).toBe(HERE.midnight);
    const { events } = rig.journal();
    const types = typesOf(events);
    const after = types.slice(types.lastIndexOf('run.paused') + 1);
    expect(after.filter((type) => !['budget.released', 'node.kept'].includes(type))).toEqual([]);
    expect(reckon(events).reserved).toBe(0);
    const both = await counted(rig, env);
    expect(both).toMatchObject({
      spent: { tokens: spent + reckon(events).spent },
      reserved: { tokens: 0 },
    });
    expect(both.spent.tokens).toBeLessThanOrEqual(limit);

    const asked = provider.chats().length;
    expect((await rig.run(['resume'], { env })).exit).toBe(4);
    expect(provider.chats()).toHaveLength(asked);

    const tomorrow = preload(rig, { ahead: DAY });
    expect((await rig.run(['resume'], { env: { ...env, ...tomorrow.env } })).exit).toBe(0);
    expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\n');
    expect(await counted(rig, env)).toEqual(both);
  });
});

describe('a request that fits once another run’s has ended', () => {
  test('F-23 waits for it, and a pause ends the waiting with nothing sent and nothing held', async ({
    rig,
    provider,
  }) => {
    const other = join(rig.root, 'other');
    mkdirSync(other);
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'planner');
    const { env } = person(rig, { day: '1m' });
    const first = rig.start(by(provider, ...GRAPH), { env, dir: other });
    await held.arrived;
    const { reserved } = await counted(rig, env);
    // Room for all that the first one uses and one such request, and not for two of them at once.
    person(rig, { day: String(Math.floor(reserved.tokens * 1.9)) });
    const second = rig.start(by(provider, ...GRAPH), { env });
    await until('it has reserved its first request', () => reservedIn(rig) > 0);
    expect((await rig.status()).status).not.toBe('paused');
    expect(provider.chats()).toHaveLength(1);
    second.kill('SIGINT');
    expect((await second.ended).exit).toBe(130);
    expect(provider.chats()).toHaveLength(1);
    expect(reckon(rig.journal().events)).toMatchObject({ spent: 0, reserved: 0 });
    expect(await counted(rig, env)).toMatchObject({ spent: { tokens: 0 }, reserved });

    // What the first one uses is far less than what it had reserved.
    const again = rig.start(['resume'], { env });
    await again.says('run resumed');
    held.release();
    expect((await first.ended).exit).toBe(0);
    await again.ended;
    expect(provider.chats('planner')).toHaveLength(2);
  });
});

/** Zero while there is no journal yet, too. */
function reservedIn(rig: Rig): number {
  try {
    return reckon(rig.journal().events).reserved;
  } catch {
    return 0;
  }
}

describe('a run that is killed', () => {
  test('in the middle of a request is charged all of it, here as in its own ledger', async ({
    rig,
    provider,
  }) => {
    const { env } = person(rig, { day: '1m' });
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const owner = rig.start(by(provider, ...GRAPH), { env });
    await held.arrived;
    const open = reckon(rig.journal().events);
    expect(await counted(rig, env)).toMatchObject({
      spent: { tokens: open.spent },
      reserved: { tokens: open.reserved },
    });
    owner.kill('SIGKILL');
    await owner.ended;
    expect(await counted(rig, env)).toMatchObject({
      spent: { tokens: open.spent + open.reserved },
      reserved: { tokens: 0 },
    });
    expect((await rig.run(['resume'], { env })).exit).toBe(0);
    const sums = reckon(rig.journal().events);
    expect(await counted(rig, env)).toMatchObject({
      spent: { tokens: sums.spent },
      reserved: { tokens: 0 },
    });
  });
});

describe('a record of what was spent', () => {
  test('that cannot be read lets no run begin, and nobody is asked', async ({ rig, provider }) => {
    const { env, file } = person(rig, { month: '1m' });
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'not a database\n'.repeat(500));
    provider.tell(plainStory('a'));
    const { exit, stderr } = await rig.run(by(provider, ...GRAPH), { env });
    expect(exit).toBe(5);
    expect(stderr).toMatch(/spend\.db cannot be read as a record of what was spent: .*aside/);
    expect(provider.requests).toEqual([]);
    expect(readFileSync(file, 'utf8')).toContain('not a database');
  });

  test('is neither made nor asked by a run without models', async ({ rig }) => {
    const { env, file } = person(rig, { day: '1' });
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'true' }] });
    expect((await rig.run(['run', plan], { env })).exit).toBe(0);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });
});
