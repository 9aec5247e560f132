import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/cli/config.ts';
import { makeAway, WATCHED, type Unwatched } from '../../src/cli/away.ts';
import { makeNotifier, type Notice } from '../../src/cli/notify.ts';
import { watchStall } from '../../src/cli/stall.ts';
import type { RunView } from '../../src/contract/view.ts';
import { handClock } from '../model/hand-clock.ts';
import { isAlive, lineIn, stranger, tempFolder, until } from '../support/os.ts';

const NOTICE: Notice = {
  event: 'paused',
  run: 'r1',
  objective: "it's $(odd) `and`\nlong",
  workspace: '/w',
  status: 'paused',
  why: 'budget',
  detail: null,
  until: null,
  spent: { tokens: 12, cost: 0 },
  reports: ['/w/report.md'],
};

let folder = '';
beforeEach(() => {
  folder = tempFolder();
});

async function told(command: string, timeout = 10_000, env: Record<string, string> = {}) {
  const lines: string[] = [];
  const notifier = makeNotifier({
    command,
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    complain: (line) => lines.push(line),
    timeout,
  });
  notifier.send(NOTICE);
  await notifier.idle();
  return lines;
}

describe('the command that is told', () => {
  it('gets one line of JSON, whatever is in it', async () => {
    expect(await told('cat > told; pwd > where')).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, 'told'), 'utf8'))).toEqual(NOTICE);
    expect(readFileSync(join(folder, 'where'), 'utf8').trim()).toBe(folder);
  });

  it('need not read what it gets', async () => {
    expect(await told('exit 0')).toEqual([]);
  });

  it('that fails is a line with its last words', async () => {
    expect(await told('echo first >&2; echo no such host >&2; exit 3')).toEqual([
      '--notify (paused): it ended with 3: no such host',
    ]);
  });

  it('that hangs is ended, with what it has started', async () => {
    const lines = await told('sleep 1000 & echo $! > pid; wait', 300);
    expect(lines).toEqual(['--notify (paused): it was ended after 0.3 s']);
    const pid = Number(await lineIn(join(folder, 'pid')));
    await until('it is dead', () => !isAlive(pid));
  });

  it('may leave something running', async () => {
    const { pid } = await stranger();
    expect(await told('sleep 30 & echo $! > pid')).toEqual([]);
    const left = Number(await lineIn(join(folder, 'pid')));
    process.kill(left, 'SIGKILL');
    expect(isAlive(pid)).toBe(true);
  });

  it('is told one thing after the other', async () => {
    const notifier = makeNotifier({
      command: 'cat >> all; sleep 0.05; echo end >> all',
      cwd: folder,
      env: process.env,
      complain: () => undefined,
    });
    for (const event of ['waiting', 'resumed'] as const) notifier.send({ ...NOTICE, event });
    await notifier.idle();
    const lines = readFileSync(join(folder, 'all'), 'utf8').trim().split('\n');
    const shown = lines.map((line) => (line === 'end' ? line : (JSON.parse(line) as Notice).event));
    expect(shown).toEqual(['waiting', 'end', 'resumed', 'end']);
  });
});

const view = (change: Partial<RunView> = {}) =>
  ({
    run: 'r1',
    objective: 'test',
    workspace: folder,
    status: 'running',
    why: null,
    detail: null,
    budget: null,
    counts: { running: 1, verifying: 0, parked: 0, failed: 0 },
    ...change,
  }) as RunView;

describe('a stall', () => {
  it('is told once, and again only after something has happened', async () => {
    const clock = handClock();
    const stalls: string[] = [];
    const watch = watchStall({ clock, after: 60_000, onStall: ({ run }) => stalls.push(run) });
    watch.stir(() => view());
    await clock.moveTo(59_000);
    watch.stir(() => view());
    await clock.moveTo(118_000);
    expect(stalls).toHaveLength(0);
    await clock.moveTo(10_000_000);
    expect(stalls).toHaveLength(1);
    watch.stir(() => view());
    await clock.moveTo(20_000_000);
    expect(stalls).toHaveLength(2);
  });

  it.each([
    ['is paused', view({ status: 'paused' })],
    ['waits for something it has named', view({ counts: { ...view().counts, running: 0, parked: 2 } })],
  ])('is none of a run that %s', async (_, at) => {
    const clock = handClock();
    const stalls: RunView[] = [];
    const watch = watchStall({ clock, after: 60_000, onStall: (one) => stalls.push(one) });
    watch.stir(() => at);
    await clock.moveTo(10_000_000);
    expect(stalls).toEqual([]);
  });

  it('is looked for after 30 minutes where nobody watches, and else not', async () => {
    const said = async (unwatched: Partial<Unwatched>) => {
      const clock = handClock();
      const config = readConfig(folder, { env: { HOME: folder } });
      if (!config.ok) throw new Error(config.fault.message);
      const lines: string[] = [];
      const away = makeAway({
        unwatched: { ...WATCHED, ...unwatched },
        session: { config: config.value, workspace: folder },
        clock,
        say: (line) => lines.push(line),
      });
      away.stored([], () => view());
      await clock.moveTo(31 * 60_000);
      return lines.length;
    };
    expect(await said({})).toBe(0);
    expect(await said({ unattended: true })).toBe(1);
    expect(await said({ unattended: true, stall: 3_600_000 })).toBe(0);
    expect(await said({ stall: 60_000 })).toBe(1);
    expect(existsSync(join(folder, 'told'))).toBe(false);
  });

  it.each([
    ['of the command line', 'cat >> told', 'false'],
    ['of the own configuration', null, 'cat >> told'],
  ])('is told to the command %s, and so is how the run ends', async (_, notify, own) => {
    const clock = handClock();
    mkdirSync(join(folder, '.config/goalgraph'), { recursive: true });
    writeFileSync(join(folder, '.config/goalgraph/config.json'), JSON.stringify({ notify: own }));
    const config = readConfig(folder, { env: { HOME: folder } });
    if (!config.ok) throw new Error(config.fault.message);
    const away = makeAway({
      unwatched: { ...WATCHED, notify, stall: 60_000 },
      session: { config: config.value, workspace: folder },
      clock,
      say: () => undefined,
    });
    away.stored([], () => view());
    await clock.moveTo(61_000);
    away.ended(view({ status: 'paused', why: 'stuck', counts: { ...view().counts, failed: 1 } }), ['r.md']);
    await away.idle();
    const lines = readFileSync(join(folder, 'told'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Notice)).toMatchObject([
      { event: 'stalled', run: 'r1', status: 'running', reports: [] },
      { event: 'failed', why: 'stuck', reports: ['r.md'] },
    ]);
  });
});
