/** Commands that do what commands should not: the run goes on to its verdict, and the terminal stays sane. */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { lineIn, until } from '../support/os.ts';
import { test, type PlanNodeInput, type Rig } from '../support/rig.ts';

/** Runs one node; the value is how it ended, and what was printed. */
async function one(rig: Rig, node: Omit<PlanNodeInput, 'slug'>) {
  const finished = await rig.run(['run', rig.plan({ nodes: [{ slug: 'odd', ...node }] })]);
  const [view] = (await rig.status()).nodes;
  return { ...finished, status: view?.status, reason: view?.reason, work: view?.work, checks: view?.checks };
}

describe('a command that', () => {
  test('reads its input finds it empty and goes on, and so does a check', async ({ rig }) => {
    const { exit } = await one(rig, { run: 'read line; cat > all', checks: [{ run: 'cat; test ! -s all' }] });
    expect(exit).toBe(0);
  });

  test('leaves a child behind which holds its output ends, and the child is ended', async ({ rig }) => {
    const run = 'sleep 1000 & echo $! > child; echo done';
    const { exit, work } = await one(rig, {
      run,
      checks: [{ run: '(trap "" TERM HUP; sleep 1000) & exit 0' }],
    });
    expect(exit).toBe(0);
    expect(work?.tail).toBe('done');
    expect(rig.alive()).toEqual([]);
  });

  test('leaves a daemon in a session of its own, with its output open, does not hold the run up', async ({
    rig,
  }) => {
    const { exit, work } = await one(rig, {
      run: 'setsid sh -c "echo \\$\\$ > pid; exec sleep 1000" & echo started',
    });
    expect(exit).toBe(0);
    expect(work?.tail).toBe('started');
    // Whoever makes a new session wants it to outlive the command. That it does is what the command asked for.
    process.kill(Number(await lineIn(join(rig.workspace, 'pid'))), 'SIGKILL');
    await until('the daemon is gone', () => rig.alive().length === 0);
  });

  test('prints a gigabyte is counted and cut, in constant memory and on little disk', async ({ rig }) => {
    const gigabyte = 1024 ** 3;
    // Ends only when it was looked at: what it has printed is then read.
    const run = `echo first; head -c ${gigabyte} /dev/zero; echo; echo last; until test -f ../looked; do sleep 0.05; done`;
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'loud', run }] })]);
    await owner.says('loud: started');
    await until(
      'all of it is read',
      () => !rig.alive().some(({ command }) => command.startsWith('head ')),
      60_000,
    );
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${owner.pid}/status`, 'utf8'))?.[1];
    expect(Number(peak)).toBeLessThan(300_000);
    writeFileSync(join(rig.root, 'looked'), '');
    expect((await owner.ended).exit).toBe(0);
    const ended = rig.journal().events.find(({ type }) => type === 'work.ended');
    expect(ended).toMatchObject({ exit: 0, bytes: gigabyte + 'first\n\nlast\n'.length });
    const disk = readdirSync(rig.stateDir).reduce(
      (sum, name) => sum + statSync(join(rig.stateDir, name)).size,
      0,
    );
    expect(disk).toBeLessThan(4 * 1024 ** 2);
    const { stdout } = await rig.run(['log', 'loud']);
    expect(stdout).toContain('first');
    expect(stdout).toContain('bytes left out here');
    expect(stdout).toContain('last');
  });

  test('is ended by a signal has failed, and says by which', async ({ rig }) => {
    const { exit, status, reason, stdout } = await one(rig, { run: 'kill -SEGV $$' });
    expect({ exit, status, reason }).toEqual({ exit: 1, status: 'failed', reason: 'signal SIGSEGV' });
    expect(stdout).toContain('ended by SIGSEGV');
  });

  test('is not there has failed, and says so', async ({ rig }) => {
    const { exit, status, reason, stdout } = await one(rig, { run: 'no-such-command --fast' });
    expect({ exit, status, reason }).toEqual({ exit: 1, status: 'failed', reason: 'exit 127' });
    expect(stdout).toContain('no-such-command');
  });

  test('takes too long is ended with all it started, even if it ignores SIGTERM', async ({ rig }) => {
    const run = 'trap "" TERM; setsid sleep 1000 & sleep 1000';
    const { exit, status, reason } = await one(rig, { run, timeout: '1s' });
    expect({ exit, status, reason }).toEqual({ exit: 1, status: 'failed', reason: 'timed out' });
    expect(rig.alive()).toEqual([]);
  });

  test('prints for ever is ended by its time-out', async ({ rig }) => {
    const { exit, status, work } = await one(rig, { run: 'yes', timeout: '1s' });
    expect({ exit, status }).toEqual({ exit: 1, status: 'failed' });
    expect(work?.outcome).toBe('timeout');
  });
});

describe('a command that prints NUL, ANSI and OSC bytes', () => {
  const NASTY = String.raw`\000\033[31mred\033]0;title\007\033[2J\r\b\233x\302\233y\342\200\256z\377`;

  test('drives no terminal, wherever its words are shown', async ({ rig }) => {
    const plan = rig.plan({
      nodes: [
        { slug: 'odd', scope: ['a'], run: `printf '${NASTY}'; printf '${NASTY}' >&2; exit 3` },
        { slug: 'red', scope: ['b'], run: 'true', checks: [{ run: `printf '${NASTY}\n'; exit 4` }] },
        { slug: 'title', title: 'A \x1b[31mred\x07 title \u202e', scope: ['c'], run: 'printf "\x1b[5m"' },
      ],
    });
    const { exit, stdout, stderr } = await rig.run(['run', plan]);
    expect(exit).toBe(1);
    const shown = [stdout, stderr];
    for (const args of [
      ['status'],
      ['show'],
      ['log', 'odd'],
      ['log', 'red'],
      ['log', 'title'],
      ['runs'],
      ['export', '--format', 'mermaid'],
      ['export', '--format', 'dot'],
    ]) {
      const looked = await rig.run(args);
      expect({ args, exit: looked.exit }).toEqual({ args, exit: 0 });
      shown.push(looked.stdout, looked.stderr);
    }
    // Controls of both ranges, and what turns the direction of text around.
    for (const text of shown)
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(stdout).toContain('\\x1b[31mred');
  });
});
