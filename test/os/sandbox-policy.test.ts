/** Where bubblewrap does not work, that is said loudly, and tested: then a required sandbox is a fault. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sandboxPolicy } from '../../src/os/sandbox-policy.ts';
import type { SandboxPolicy, SandboxPolicyOptions, WrapOptions } from '../../src/os/sandbox-policy.ts';
import { tempFolder } from '../support/os.ts';

const ENV = { PATH: process.env['PATH'] };

function options(changes: Partial<SandboxPolicyOptions> = {}): SandboxPolicyOptions {
  const workspace = realpathSync(tempFolder());
  const stateDir = join(workspace, '.state');
  mkdirSync(stateDir);
  const uid = process.getuid?.() ?? 0;
  return {
    mode: 'required',
    allowNet: false,
    workspace,
    stateDir,
    run: 'r1',
    home: join(workspace, 'home'),
    uid,
    env: ENV,
    ...changes,
  };
}

const NETWORK: WrapOptions = { network: true, home: 'kept' };
const NONE: WrapOptions = { network: false, home: 'fresh' };

type Open = Extract<SandboxPolicy, { ok: true }>;

async function policyOf(given: SandboxPolicyOptions): Promise<Open> {
  const policy = await sandboxPolicy(given);
  if (!policy.ok) throw new Error(policy.fault.message);
  return policy;
}

/** What needs a sandbox; without one it is tested that none is claimed. */
function needsSandbox(name: string, body: () => Promise<void>): void {
  it(name, async () => {
    const policy = await sandboxPolicy(options());
    if (policy.ok) return body();
    process.stderr.write(`\nNOT TESTED, for there is no sandbox here: ${name}\n`);
    expect(policy.fault.code).toBe('sandbox');
  });
}

function run(line: string, cwd: string): string {
  const ran = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', env: ENV, cwd });
  return ran.stdout + ran.stderr + (ran.status === 0 ? '' : `exit ${ran.status}\n`);
}

needsSandbox('keeps a command in its folder, with a home that lasts for the run', async () => {
  const given = options();
  const { wrap, why } = await policyOf(given);
  const { workspace, stateDir } = given;
  expect(why).toBe(null);
  expect(run(wrap('echo a > a.txt; echo kept > ~/x; ls -A .state', workspace, NETWORK), workspace)).toBe('');
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('a\n');
  expect(run(wrap('cat ~/x', workspace, NETWORK), workspace)).toBe('kept\n');
  expect(readFileSync(join(stateDir, 'homes/r1/x'), 'utf8')).toBe('kept\n');
  expect(statSync(join(stateDir, 'homes/r1')).mode & 0o777).toBe(0o700);
});

needsSandbox(
  'gives what judges a home that has nothing of the kept one, and ends with the command',
  async () => {
    const given = options();
    const { wrap } = await policyOf(given);
    const { workspace, stateDir } = given;
    expect(run(wrap('echo script-shell=/bin/true > ~/.npmrc', workspace, NETWORK), workspace)).toBe('');
    const fresh = { network: true, home: 'fresh' } as const;
    expect(run(wrap('ls -A ~; echo x > ~/x && cat ~/x', workspace, fresh), workspace)).toBe('x\n');
    expect(run(wrap('ls -A ~', workspace, fresh), workspace)).toBe('');
    expect(readdirSync(join(stateDir, 'homes/r1'))).toEqual(['.npmrc']);
  },
);

needsSandbox('lets a copy be written and the workspace be read from it', async () => {
  const given = options();
  const { workspace, stateDir } = given;
  const copy = join(stateDir, 'copies/1');
  mkdirSync(copy, { recursive: true });
  writeFileSync(join(workspace, 'a.txt'), 'a\n');
  const { wrap } = await policyOf(given);
  expect(run(wrap(`cat ${workspace}/a.txt; echo b > b.txt`, copy, NONE), copy)).toBe('a\n');
  expect(run(wrap(`echo b > ${workspace}/a.txt`, copy, NONE), copy)).toContain('exit');
  expect(readFileSync(join(copy, 'b.txt'), 'utf8')).toBe('b\n');
});

needsSandbox('gives a network where it is asked for and allowed, and says so', async () => {
  const closed = await policyOf(options());
  const { workspace } = options();
  expect(closed.wrap('true', workspace, NETWORK)).toContain('--unshare-net');
  expect(closed.holds.join()).toContain('no network');
  const open = await policyOf(options({ allowNet: true }));
  expect(open.wrap('true', workspace, NETWORK)).not.toContain('--unshare-net');
  expect(open.wrap('true', workspace, NONE)).toContain('--unshare-net');
  expect(open.missing.join()).toContain('no network');
});

needsSandbox('makes a line that fails when the folder has gone', async () => {
  const given = options();
  const { wrap, ok } = await policyOf(given);
  expect(ok).toBe(true);
  rmSync(given.workspace, { recursive: true });
  expect(run(wrap('echo ran', given.workspace, NONE), '/')).toMatch(/could not be set up.*\nexit 126/);
});

it('leaves commands as they are when it is off, and says what is not guaranteed', async () => {
  const given = options({ mode: 'off' });
  const { wrap, why, missing } = await policyOf(given);
  expect(wrap('echo a', given.workspace, NONE)).toBe('echo a');
  expect(why).toBe('The sandbox is switched off.');
  expect(missing).toHaveLength(4);
});

it('goes without a sandbox that does not work, unless it is required', async () => {
  const env = { PATH: tempFolder() };
  const without = await policyOf(options({ mode: 'auto', env }));
  expect(without.why).toMatch(/install bubblewrap/);
  expect(without.wrap('echo a', '/', NONE)).toBe('echo a');
  const refused = await sandboxPolicy(options({ mode: 'required', env }));
  expect(refused.ok ? '' : refused.fault.code).toBe('sandbox');
  expect(refused.ok ? '' : refused.fault.message).toMatch(/bwrap does not start.*--sandbox auto/);
});

it('has none either when its home folder cannot be made', async () => {
  const given = options();
  writeFileSync(join(given.stateDir, 'homes'), 'in the way\n');
  const refused = await sandboxPolicy(given);
  expect(refused.ok ? '' : refused.fault.message).toContain('home folder');
});
