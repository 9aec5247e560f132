import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { fail, ok } from '../../src/contract/fault.ts';
import { createPipes } from '../../src/os/pipes.ts';
import { probeSandbox, sandboxed } from '../../src/os/sandbox.ts';
import type { SandboxSpec } from '../../src/os/sandbox.ts';
import { bashTool } from '../../src/tool/bash.ts';
import type { BashOptions } from '../../src/tool/bash.ts';
import { bearersOf, until } from '../support/os.ts';
import { fault, reply, workspace } from './workspace.ts';

const ENV = { PATH: process.env['PATH'], HOME: '/nonexistent' };

const everyToken: string[] = [];
afterAll(() => expect(everyToken.flatMap(bearersOf)).toEqual([]));

interface Rig {
  readonly root: string;
  readonly options: BashOptions;
  readonly recorded: Set<string>;
}

async function rig(): Promise<Rig> {
  const { root } = await workspace();
  const pipes = createPipes(ENV);
  onTestFinished(() => pipes.close());
  const recorded = new Set<string>();
  const options: BashOptions = {
    root,
    env: ENV,
    secrets: ['hunter2-hunter2'],
    pipes,
    wrap: (command) => command,
    record: ({ token }) => {
      everyToken.push(token);
      recorded.add(token);
      return ok(null);
    },
    forget: (token) => void recorded.delete(token),
    timeout: 20_000,
    maxTimeout: 30_000,
  };
  return { root, options, recorded };
}

describe('bash', () => {
  it('shows output and exit code, which is no fault', async () => {
    const { root, options, recorded } = await rig();
    const bash = bashTool(options);
    const ran = await reply(bash, { command: 'pwd; echo oops >&2; cat; exit 3' });
    expect(ran.forModel).toBe(`${root}\noops\n[exit 3]`);
    expect(ran.forPerson).toBe('bash pwd; echo oops >&2; cat; exit 3 (exit 3)');
    expect(ran.changed).toBeUndefined();
    expect((await reply(bash, { command: 'true' })).forModel).toBe('[exit 0]');
    expect((await reply(bash, { command: 'kill -9 $$' })).forModel).toBe('[ended by SIGKILL]');
    expect(recorded.size).toBe(0);
  });

  it('shows beginning and end of much output, and says how to get the rest', async () => {
    const { options } = await rig();
    const { forModel } = await reply(bashTool(options), { command: 'seq 1 100000' });
    expect(forModel.length).toBeLessThan(34_000);
    expect(forModel).toMatch(/^1\n2\n3\n/);
    expect(forModel).toMatch(/\n100000\n\[to see what is left out, .*\]\n\[exit 0\]$/);
    expect(forModel).toMatch(/\[\d+ bytes left out here\]/);
  });

  it('masks secrets, and shows what a terminal would obey', async () => {
    const { options } = await rig();
    const command = "printf 'a hunter2-hunter2 \\033[31mred\\r\\n'";
    expect((await reply(bashTool(options), { command })).forModel).toBe('a [masked] \\x1b[31mred\n[exit 0]');
  });

  it('ends what takes too long, with all it started, and keeps what it said', async () => {
    const { options, recorded } = await rig();
    const command = 'echo begun; setsid sleep 1000 & sleep 1000';
    const { forModel } = await reply(bashTool(options), { command, timeout_seconds: 0.5 });
    expect(forModel).toBe('begun\n[ended after 0.5 s: give a longer timeout_seconds, or do less]');
    expect(recorded.size).toBe(0);
    const short = bashTool({ ...options, maxTimeout: 300 });
    expect((await reply(short, { command: 'sleep 1000', timeout_seconds: 80_000 })).forModel).toContain(
      '0.3 s',
    );
  });

  it('stops when told', async () => {
    const { root, options, recorded } = await rig();
    const control = new AbortController();
    const running = bashTool(options).run({ command: 'touch begun; sleep 1000' }, control.signal);
    await until('it has begun', () => existsSync(join(root, 'begun')));
    control.abort();
    expect(await running).toMatchObject({ fault: { code: 'aborted' } });
    expect(recorded.size).toBe(0);
  });

  it('runs nothing that could not be recorded', async () => {
    const { root, options } = await rig();
    const record: BashOptions['record'] = () => fail({ code: 'store_full', message: 'No space is left.' });
    const found = await fault(bashTool({ ...options, record }), { command: 'touch ran' });
    expect(found).toEqual({
      code: 'command',
      message: expect.stringContaining('No space is left.') as string,
    });
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it.each([{}, { command: '' }, { command: 'a\0b' }, { command: ['ls'] }, { command: 'ls', cwd: '/' }])(
    'refuses %j',
    async (args) => {
      const { options } = await rig();
      expect(await fault(bashTool(options), args)).toMatchObject({ code: 'arguments' });
    },
  );

  it('runs in the sandbox, or not at all where there is none', async () => {
    const { root, options } = await rig();
    const spec: SandboxSpec = {
      workspace: root,
      stateDir: join(root, '.state'),
      home: '/nonexistent',
      privateHome: null,
      network: false,
      uid: process.getuid?.() ?? 0,
    };
    const bash = bashTool({ ...options, wrap: (command) => sandboxed(spec, command) });
    const command =
      "echo 'it is' > made; cat .state/journal.db || echo hidden; echo x > .git/HEAD || echo kept";
    const { forModel } = await reply(bash, { command });
    const probe = await probeSandbox(spec, ENV);
    if (probe.works) {
      expect(forModel).toMatch(/hidden\n.*kept\n\[exit 0\]$/s);
      expect(readFileSync(join(root, 'made'), 'utf8')).toBe('it is\n');
      return;
    }
    process.stderr.write(`\nNOT TESTED, for there is no sandbox here (${probe.why}): bash in it\n`);
    expect(forModel).not.toContain('[exit 0]');
    expect(existsSync(join(root, 'made'))).toBe(false);
  });
});
