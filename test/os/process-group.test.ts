import { getEventListeners } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fail, ok } from '../../src/contract/fault.ts';
import { closePipe, createPipes } from '../../src/os/pipes.ts';
import { CHILD_VARIABLE, startTimeOf } from '../../src/os/processes.ts';
import type { GroupSpec } from '../../src/os/process-group.ts';
import {
  bearersOf,
  isAlive,
  leftRunning,
  lineIn,
  newToken,
  parent,
  shell,
  tempFolder,
  until,
} from '../support/os.ts';

afterAll(() => expect(leftRunning()).toEqual([]));

describe('how a command ends', () => {
  it.each([0, 1, 3, 255])('exit code %i', async (code) => {
    const { end } = await shell(`exit ${code}`);
    expect(end).toEqual({ outcome: 'exit', exit: code, detail: null, survivors: [] });
  });

  it('a signal', async () => {
    const { end } = await shell('kill -KILL $$');
    expect(end).toEqual({ outcome: 'signal', exit: null, detail: 'SIGKILL', survivors: [] });
  });

  it('a command that is not there', async () => {
    const { end, text } = await shell('no-such-command-here');
    expect(end.exit).toBe(127);
    expect(text).toContain('no-such-command-here: not found');
  });

  it.each<[string, Partial<GroupSpec>, string | RegExp]>([
    ['a missing folder', { cwd: '/no/such/folder' }, 'The folder /no/such/folder does not exist.'],
    ['a file for a folder', { cwd: '/etc/passwd' }, '/etc/passwd is not a folder.'],
    ['a NUL byte', { env: { X: '\0' } }, /null bytes/],
  ])('%s: not started', async (_, options, detail) => {
    const { end, pid } = await shell('echo never', options);
    expect(end).toMatchObject({ outcome: 'spawn', exit: null, survivors: [] });
    expect(end.detail).toMatch(detail);
    expect(pid).toBe(0);
  });

  it('a command too long for the system: not started', async () => {
    const { end } = await shell(`: ${'x'.repeat(3_000_000)}`);
    expect(end.outcome).toBe('spawn');
    expect(end.detail).toContain('script file');
  });
});

describe('what a command finds', () => {
  it('an empty stdin', async () => {
    const { end, text } = await shell('cat; read -r x; echo "read says $?"');
    expect([end.exit, text]).toEqual([0, 'read says 1\n']);
  });

  it('stdout and stderr in the order they were written', async () => {
    const { text } = await shell('for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done');
    expect(text).toBe([1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join(''));
  });

  it('a stderr that can be opened by name', async () => {
    const { end, text } = await shell('set -e; echo oops > /dev/stderr; echo fine > /dev/stdout');
    expect([end.exit, text]).toEqual([0, 'oops\nfine\n']);
  });

  it('no file descriptor of ours but the first three', async () => {
    // The fourth is the folder that ls reads. What was open to all before we started is not ours.
    const { text } = await shell('exec ls /proc/self/fd');
    expect(text.split('\n').filter((fd) => fd !== '' && Number(fd) < 10)).toEqual(['0', '1', '2', '3']);
  });

  it('its own process group, and the environment it was given with the token', async () => {
    const env = { PATH: process.env['PATH'], GREETING: 'hello', [CHILD_VARIABLE]: 'outer' };
    const { text, token, pid } = await shell(
      `echo $$ $GREETING $HOME $${CHILD_VARIABLE}; cut -d' ' -f5 /proc/$$/stat`,
      {
        env,
      },
    );
    expect(text).toBe(`${pid} hello outer:${token}\n${pid}\n`);
  });

  it('the signals as a login shell has them', async () => {
    expect((await shell('yes | head -n 1')).text).toBe('y\n');
  });
});

describe('the record', () => {
  it('is there before the command runs', async () => {
    const file = join(tempFolder(), 'record');
    const { text } = await shell(`cat ${file}`, {
      onSpawned: ({ pid }) => {
        writeFileSync(file, `recorded ${pid}\n`);
        return ok(null);
      },
    });
    expect(text).toMatch(/^recorded \d+\n$/);
  });

  it('cannot be made: the command never runs', async () => {
    const file = join(tempFolder(), 'ran');
    let seen = 0;
    const { end, token } = await shell(`touch ${file}`, {
      onSpawned: ({ pid }) => {
        seen = pid;
        return fail({ code: 'store_full', message: 'The disk is full. Free some space.' });
      },
    });
    expect(end).toMatchObject({ outcome: 'spawn', detail: 'The disk is full. Free some space.' });
    expect([isAlive(seen), bearersOf(token), existsSync(file)]).toEqual([false, [], false]);
  });

  it('was made, but its maker is killed before the go: the command never runs', async () => {
    const folder = tempFolder();
    const dying = parent('hang', [folder, `touch ${join(folder, 'ran')}`]);
    const row = JSON.parse(await lineIn(join(folder, 'row'))) as { pid: number; token: string };
    expect(isAlive(row.pid)).toBe(true);
    dying.kill('SIGKILL');
    await until('the waiting shell has ended', () => !isAlive(row.pid));
    expect([bearersOf(row.token), existsSync(join(folder, 'ran'))]).toEqual([[], false]);
  });
});

describe('the end of the group', () => {
  it('comes with the end of the leader, at once when nothing holds the output', { retry: 2 }, async () => {
    const { end, text, token, ms } = await shell('sleep 1000 >/dev/null 2>&1 & echo started');
    expect([end.outcome, end.exit, text]).toEqual(['exit', 0, 'started\n']);
    expect(bearersOf(token)).toEqual([]);
    expect(ms).toBeLessThan(900);
  });

  it('does not wait for a background process that holds the output', async () => {
    const { end, text, token, ms } = await shell('sleep 1000 & echo started');
    expect([end.outcome, end.exit, text]).toEqual(['exit', 0, 'started\n']);
    expect(bearersOf(token)).toEqual([]);
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(10_000);
  });

  it('keeps what a background process writes within the drain', async () => {
    const { text } = await shell('(sleep 0.2; echo late) & echo early');
    expect(text).toBe('early\nlate\n');
  });

  it('takes a background process without the token along', async () => {
    const pidFile = join(tempFolder(), 'pid');
    const { end } = await shell(
      `env -i sh -c 'echo $$ > ${pidFile}; exec sleep 1000' & until test -s ${pidFile}; do :; done`,
    );
    expect([end.outcome, end.exit]).toEqual(['exit', 0]);
    expect(isAlive(Number(await lineIn(pidFile)))).toBe(false);
  });

  it('leaves a daemon that made a session of its own, and does not wait for its output', async () => {
    const pidFile = join(tempFolder(), 'pid');
    const { end, ms } = await shell(
      `setsid sh -c 'echo $$ > ${pidFile}; exec sleep 1000' & until test -s ${pidFile}; do :; done`,
    );
    const daemon = Number(await lineIn(pidFile));
    expect([end.outcome, end.exit, isAlive(daemon)]).toEqual(['exit', 0, true]);
    expect(ms).toBeLessThan(10_000);
    process.kill(daemon, 'SIGKILL');
  });
});

describe('time-out and abort', () => {
  it('a time-out ends the grandchildren too', { retry: 2 }, async () => {
    const { end, token, ms } = await shell('sh -c "sleep 1000; :" & sh -c "sleep 1000; :"; wait', {
      timeout: 200,
    });
    expect(end).toEqual({ outcome: 'timeout', exit: null, detail: null, survivors: [] });
    expect(bearersOf(token)).toEqual([]);
    expect(ms).toBeLessThan(1_500);
  });

  it('a time-out far away is no time-out', async () => {
    expect((await shell('exit 4', { timeout: 90 * 24 * 3_600_000 })).end.exit).toBe(4);
  });

  it('an abort before the start starts nothing', async () => {
    const { end, pid } = await shell('echo never', { signal: AbortSignal.abort() });
    expect([end.outcome, pid]).toEqual(['aborted', 0]);
  });

  it('an abort on the way to the start starts nothing, or ends what has just begun', async () => {
    const early = await abortable('sleep 1000').abort();
    expect([early.end.outcome, early.pid]).toEqual(['aborted', 0]);
    const controller = new AbortController();
    const onSpawned = () => {
      controller.abort();
      return ok(null);
    };
    const late = await shell('sleep 1000', { signal: controller.signal, onSpawned });
    expect([late.end.outcome, bearersOf(late.token)]).toEqual(['aborted', []]);
  });

  it('an abort lets the command clean up', { retry: 2 }, async () => {
    const folder = tempFolder();
    const run = abortable(
      `trap 'echo cleaned; exit 0' TERM; echo > ${folder}/up; while :; do sleep 0.01; done`,
    );
    await lineIn(join(folder, 'up'));
    const { end, text, ms } = await run.abort();
    expect([end.outcome, end.exit, text]).toEqual(['aborted', null, expect.stringContaining('cleaned\n')]);
    expect(ms).toBeLessThan(1_500);
  });

  it('an abort kills what ignores SIGTERM, and it writes nothing any more', async () => {
    const folder = tempFolder();
    const file = join(folder, 'ticks');
    const run = abortable(`trap '' TERM; while :; do echo tick >> ${file}; done`);
    await lineIn(file);
    const { end, token, ms } = await run.abort();
    const { size } = statSync(file);
    expect([end.outcome, end.survivors, bearersOf(token)]).toEqual(['aborted', [], []]);
    expect(ms).toBeGreaterThan(1_900);
    expect(ms).toBeLessThan(10_000);
    expect(statSync(file).size).toBe(size);
  });

  it('an abort kills what left the group by setsid, and what that started', async () => {
    const folder = tempFolder();
    const run = abortable(`setsid sh -c 'setsid sleep 1000 & echo > ${folder}/up; sleep 1000' & sleep 1000`);
    await lineIn(join(folder, 'up'));
    await until('both have their sessions', () => bearersOf(run.token).length >= 4);
    const { end } = await run.abort();
    expect([end.outcome, bearersOf(run.token)]).toEqual(['aborted', []]);
  });

  it('an abort within the drain cuts it short and changes nothing about the end', { retry: 2 }, async () => {
    const folder = tempFolder();
    const run = abortable(`sleep 1000 & echo $$ > ${folder}/pid; exit 5`);
    const leader = Number(await lineIn(join(folder, 'pid')));
    await until('the leader was reaped', () => startTimeOf(leader) === null);
    const { end, ms } = await run.abort();
    expect([end.outcome, end.exit, bearersOf(run.token)]).toEqual(['exit', 5, []]);
    expect(ms).toBeLessThan(900);
  });

  it('leaves no listener on the signal', async () => {
    const controller = new AbortController();
    await shell('exit 0', { signal: controller.signal });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

it('runs many at once and mixes nothing up', async () => {
  const runs = await Promise.all(Array.from({ length: 40 }, (_, i) => shell(`echo ${i}; exit ${i}`)));
  expect(runs.map((r) => [r.end.exit, r.text])).toEqual(runs.map((_, i) => [i, `${i}\n`]));
});

it('works where there are no named pipes', async () => {
  const pipes = { take: () => Promise.resolve(null), close: () => undefined };
  const { end, text } = await shell('echo out; echo err >&2; exit 6', { pipes });
  expect([end.exit, text]).toEqual([6, 'out\nerr\n']);
});

it('leaves neither named pipes nor open descriptors behind', async () => {
  const folder = tempFolder();
  const pipes = createPipes({ ...process.env, TMPDIR: folder });
  await shell('echo warm-up');
  const before = openDescriptors();
  for (let i = 0; i < 20; i++) await shell('echo x', { pipes, ...(i % 2 ? { cwd: '/no/such/folder' } : {}) });
  expect(readdirSync(folder)).toEqual([]);
  pipes.close();
  await until('all are closed', () => openDescriptors() <= before);
});

it('has a pipe for everyone who asks at the same time', async () => {
  const pipes = createPipes(process.env);
  const taken = await Promise.all(Array.from({ length: 20 }, () => pipes.take()));
  expect(new Set(taken.map((pipe) => pipe?.read)).size).toBe(20);
  for (const pipe of taken) if (pipe !== null) closePipe(pipe);
  pipes.close();
});

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

function abortable(command: string): {
  token: string;
  abort: () => Promise<Awaited<ReturnType<typeof shell>>>;
} {
  const controller = new AbortController();
  const token = newToken();
  const running = shell(command, { signal: controller.signal, token });
  return {
    token,
    async abort() {
      const start = performance.now();
      controller.abort();
      return { ...(await running), ms: performance.now() - start };
    },
  };
}
