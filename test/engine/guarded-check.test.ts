import { mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { CheckCommand } from '../../src/contract/command.ts';
import { ok } from '../../src/contract/fault.ts';
import type { Runner } from '../../src/contract/ports.ts';
import { guardedCheck } from '../../src/engine/guarded-check.ts';
import type { GuardedCheckDeps, GuardedCheckEnd } from '../../src/engine/guarded-check.ts';
import { makeCopies } from '../../src/os/copies.ts';
import { createPipes } from '../../src/os/pipes.ts';
import { makeRunner } from '../../src/os/runner.ts';
import { sandboxPolicy } from '../../src/os/sandbox-policy.ts';
import type { SandboxPolicy } from '../../src/os/sandbox-policy.ts';
import { openShadowGit } from '../../src/os/shadow-git.ts';
import type { SnapshotResult } from '../../src/os/shadow-git-run.ts';
import { tempFolder } from '../support/os.ts';

const NEVER = new AbortController().signal;
const env = { PATH: process.env['PATH'] };

async function must<T>(result: Promise<SnapshotResult<T>>): Promise<T> {
  const settled = await result;
  if (!settled.ok) throw new Error(settled.fault.message);
  return settled.value;
}

interface Rig {
  readonly root: string;
  readonly stateDir: string;
  readonly base: string;
  readonly deps: GuardedCheckDeps;
  /** Where commands were run. */
  readonly ran: string[];
  readonly check: (
    changes?: Partial<CheckCommand>,
    deps?: Partial<GuardedCheckDeps>,
  ) => Promise<GuardedCheckEnd>;
}

/** The check is green when `src` says 2, and the test is satisfied with that. */
const FILES = { src: '1\n', 'test/want': '2\n', 'test/check.sh': 'cmp src test/want\n' };

async function rig(wrap = (command: string, _root: string) => command): Promise<Rig> {
  const root = realpathSync(tempFolder());
  const stateDir = join(root, '.state');
  put(root, FILES);
  mkdirSync(stateDir);
  const shadow = await must(openShadowGit({ root, stateDir, env }));
  const ran: string[] = [];
  const pipes = createPipes(env);
  onTestFinished(() => pipes.close());
  const runnerAt = (workspace: string): Runner => {
    const children = { record: () => ok(null), forget: () => undefined, all: () => ok([]) };
    const putBlob = () => Promise.resolve(ok('address'));
    const runner = makeRunner({
      workspace,
      stateDir,
      run: 'r',
      env,
      children,
      putBlob,
      pipes,
      wrap: (command) => wrap(command, workspace),
    });
    return { ...runner, run: (job, signal) => (ran.push(workspace), runner.run(job, signal)) };
  };
  const deps: GuardedCheckDeps = {
    runner: runnerAt(root),
    runnerIn: runnerAt,
    shadow,
    copies: makeCopies({ shadow, root, stateDir }),
    timeout: 10_000,
    putBack: (_, { filesAtBase, changed }) =>
      changed.filter((file) => file.startsWith('test/') && filesAtBase.includes(file)),
  };
  const base = await must(shadow.snapshot());
  const effect: CheckCommand = {
    type: 'check',
    node: 'gn-0000000000000001',
    epoch: 1,
    attempt: 1,
    check: 0,
    run: 'sh test/check.sh',
    green: null,
    base,
  };
  return {
    root,
    stateDir,
    base,
    deps,
    ran,
    check: (changes = {}, other = {}) =>
      guardedCheck({ ...deps, ...other }, { ...effect, ...changes }, NEVER),
  };
}

function put(root: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

it('is an ordinary check while what it rests on is as it was', async () => {
  const { root, ran, check } = await rig();
  expect(await check()).toMatchObject({ type: 'check.ended', exit: 1, restored: [], reused: false });
  put(root, { src: '2\n' });
  expect(await check()).toMatchObject({ type: 'check.ended', exit: 0, restored: [], check: 0, epoch: 1 });
  expect(ran).toEqual([root, root]);
});

it('is red in a copy that has the changed files as they were, and says which', async () => {
  const { root, stateDir, ran, check } = await rig();
  put(root, { 'test/want': '1\n' });
  const end = await check();
  expect(end).toMatchObject({ type: 'check.ended', outcome: 'exit', exit: 1, restored: ['test/want'] });
  if (end.type === 'failed') throw new Error(end.detail);
  expect(end.tail).toMatch(/^\[run in a copy that has these files as they were .*: test\/want\]\n.*differ/);
  expect(ran).toHaveLength(2);
  expect(readdirSync(join(stateDir, 'copies'))).toEqual([]);
  expect(readFileSync(join(root, 'test/want'), 'utf8')).toBe('1\n');
});

it('is green when it is green with them restored', async () => {
  const { root, check } = await rig();
  put(root, { src: '2\n', 'test/check.sh': 'true\n' });
  rmSync(join(root, 'test/want'));
  const end = await check();
  expect(end).toMatchObject({ exit: 0, restored: ['test/check.sh', 'test/want'], tail: '' });
});

it('is not fooled by a file that was moved, and minds no new one', async () => {
  const { root, check } = await rig();
  put(root, { 'test/other': '2\n', 'test/check.sh': 'true\n' });
  rmSync(join(root, 'test/want'));
  expect(await check()).toMatchObject({ exit: 1, restored: ['test/check.sh', 'test/want'] });
});

it('is not fooled by a program that changes what it rests on while it runs', async () => {
  const { check } = await rig();
  const end = await check({ run: 'cp src test/want; sh test/check.sh' });
  // It does the same in the copy; there is nothing to hold it to but the record.
  expect(end).toMatchObject({ restored: ['test/want'] });
});

it('is not fooled by a program that puts back what was changed', async () => {
  const { root, check } = await rig();
  put(root, { 'test/want': '1\n' });
  const end = await check({ run: 'sh test/check.sh && echo 2 > test/want' });
  expect(end).toMatchObject({ exit: 1, restored: ['test/want'] });
});

it('looks at nothing for a node without a base, and at nothing more for a red one', async () => {
  const { root, deps, check } = await rig();
  put(root, { 'test/want': '1\n' });
  const blind = { ...deps.shadow, snapshot: () => Promise.reject(new Error('looked')) };
  expect(await check({ base: null }, { shadow: blind })).toMatchObject({ exit: 0, restored: [] });
  put(root, { 'test/want': '3\n' });
  expect(await check()).toMatchObject({ exit: 1, restored: [] });
});

it('does not run again on the tree on which it was green', async () => {
  const { deps, ran, check } = await rig();
  const green = await deps.runner.fingerprint();
  expect(green).not.toBe(null);
  // What a look and a copy leave in the state directory is no change of the workspace.
  await deps.shadow.snapshot();
  expect(await deps.runner.fingerprint()).toBe(green);
  expect(await check({ green })).toMatchObject({ reused: true, exit: 0, tree: green, restored: [] });
  expect(ran).toEqual([]);
});

it('is never a pass when the copy cannot be made, or not be put back', async () => {
  const { root, deps, check } = await rig();
  put(root, { 'test/want': '1\n' });
  const fault = { code: 'no_space', message: 'No space is left. Free some.' } as const;
  const full = () => Promise.resolve({ ok: false, fault } as const);
  const failed = { type: 'failed', why: 'infra', detail: fault.message };
  expect(await check({}, { copies: { ...deps.copies, copy: full } })).toEqual(failed);
  expect(await check({}, { copies: { ...deps.copies, restore: full } })).toEqual(failed);
  expect(await check({}, { shadow: { ...deps.shadow, snapshot: full } })).toEqual(failed);
  expect(await check({ base: '0'.repeat(40) })).toMatchObject({ type: 'failed', why: 'infra' });
});

it('runs in the sandbox there as here, with the packages at hand and out of reach', async () => {
  // The root is known only when the rig is made.
  let policy: SandboxPolicy | null = null;
  const one = await rig((command, root) =>
    policy?.ok === true ? policy.wrap(command, root, { network: false, home: 'fresh' }) : command,
  );
  const { root, stateDir, deps } = one;
  policy = await sandboxPolicy({
    mode: 'required',
    allowNet: false,
    workspace: root,
    stateDir,
    run: 'r',
    home: join(root, 'home'),
    uid: process.getuid?.() ?? 0,
    env,
  });
  if (!policy.ok) {
    process.stderr.write(`\nNOT TESTED, for there is no sandbox here (${policy.fault.message})\n`);
    return;
  }
  put(root, { '.gitignore': 'node_modules/\n', 'node_modules/p/x': 'package\n' });
  const base = await must(deps.shadow.snapshot());
  put(root, { src: '2\n', 'test/want': '3\n', 'test/check.sh': 'true\n' });
  const run = 'cat node_modules/p/x; pwd | grep copies && echo no > node_modules/p/x; sh test/check.sh';
  const end = await one.check({ run, base });
  expect(end).toMatchObject({ exit: 0, restored: ['test/check.sh', 'test/want'] });
  expect('tail' in end ? end.tail : '').toMatch(/^package\n.*\/copies\/.*\n.*[Rr]ead-only/);
  put(root, { src: '1\n' });
  // In place it would still be green; only the copy shows that it is not done.
  expect(await one.check({ run, base })).toMatchObject({ exit: 1, restored: ['test/check.sh', 'test/want'] });
});

it('keeps its last lines short enough to be stored', async () => {
  const { root, check } = await rig();
  put(root, { 'test/want': '1\n' });
  const run = 'sh test/check.sh || { seq 1 2000; exit 3; }';
  const end = await check({ run });
  if (end.type === 'failed') throw new Error(end.detail);
  expect(end.exit).toBe(3);
  expect(end.tail.length).toBeLessThanOrEqual(2_000);
  expect(end.tail).toMatch(/^\[run in a copy [^]*2000$/);
});
