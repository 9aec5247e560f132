/** Where bubblewrap is missing or does not work, that is said loudly, and tested: then nothing may run at all. */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { probeSandbox, sandboxArgs, sandboxed } from '../../src/os/sandbox.ts';
import type { SandboxSpec } from '../../src/os/sandbox.ts';
import { bearersOf, leftRunning, shell, tempFolder, until } from '../support/os.ts';

const ENV = { PATH: process.env['PATH'] };
const UID = process.getuid?.() ?? 0;

interface Rig extends SandboxSpec {
  readonly outside: string;
}

function rig(): Rig {
  const folder = realpathSync(tempFolder());
  const workspace = join(folder, 'ws');
  // Within the workspace, for all else below /tmp is not there inside.
  const home = join(workspace, 'home');
  put(workspace, { 'a.txt': 'a\n', '.git/config': '[core]\n', 'state/journal.db': 'journal\n' });
  put(home, { '.ssh/id': 'PRIVATE\n', '.npmrc': 'PRIVATE\n', '.config/tool': 'plain\n' });
  put(folder, { 'outside/f.txt': 'f\n' });
  const stateDir = join(workspace, 'state');
  return {
    workspace,
    home,
    stateDir,
    privateHome: null,
    network: false,
    uid: UID,
    outside: join(folder, 'outside'),
  };
}

function put(root: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

interface Ran {
  readonly exit: number | null;
  readonly text: string;
}

function inside(spec: SandboxSpec, command: string): Ran {
  const line = sandboxed(spec, command);
  const ran = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', env: ENV, timeout: 20_000 });
  return { exit: ran.status, text: ran.stdout + ran.stderr };
}

/** What the wall is tested with, or, where there is none, that nothing gets out because nothing runs. */
function wall(name: string, body: (spec: Rig) => void | Promise<void>): void {
  it(name, async () => {
    const spec = rig();
    const probe = await probeSandbox(spec, ENV);
    if (probe.works) return body(spec);
    process.stderr.write(`\nNOT TESTED, for there is no sandbox here (${probe.why}): ${name}\n`);
    expect(probe.why).toMatch(/bwrap/);
    expect(inside(spec, 'touch ran').exit).not.toBe(0);
    expect(existsSync(join(spec.workspace, 'ran'))).toBe(false);
  });
}

afterAll(() => expect(leftRunning()).toEqual([]));

describe('in the sandbox', () => {
  wall('the workspace can be written, whatever the command is made of', ({ workspace, ...spec }) => {
    const ran = inside({ workspace, ...spec }, `echo "it's \$HOME" > 'b c.txt'; pwd; exit 7`);
    expect(ran).toEqual({ exit: 7, text: `${workspace}\n` });
    expect(readFileSync(join(workspace, 'b c.txt'), 'utf8')).toBe("it's /tmp/home\n");
  });

  wall('nothing else can be written', (spec) => {
    const checkout = realpathSync('.');
    // A checkout below the temporary folder is hidden by a private one, which can be written.
    const hidden = ['/tmp/', '/var/tmp/', '/run/'].some((folder) => checkout.startsWith(folder));
    const places = ['/etc', '/usr', '/var/lib', '/sys', ...(hidden ? [] : [checkout])];
    places.push('/proc/sys/kernel/hostname', '/proc/sys/vm/swappiness', '/proc/sys/kernel/core_pattern');
    for (const place of places) {
      expect(inside(spec, `touch ${place}/goalgraph-was-here || true >> ${place}`).exit).not.toBe(0);
      expect(existsSync(`${place}/goalgraph-was-here`)).toBe(false);
    }
    inside(spec, `touch ${checkout}/goalgraph-was-here`);
    expect(existsSync(`${checkout}/goalgraph-was-here`)).toBe(false);
    inside(spec, `mkdir -p ${spec.outside}; echo changed > ${spec.outside}/f.txt; rm -rf ${spec.outside}/..`);
    expect(readFileSync(join(spec.outside, 'f.txt'), 'utf8')).toBe('f\n');
  });

  wall('a link out of the workspace leads to nothing that can be changed', (spec) => {
    symlinkSync(join(spec.outside, 'f.txt'), join(spec.workspace, 'link'));
    symlinkSync('/etc/hostname', join(spec.workspace, 'host'));
    expect(inside(spec, 'echo x > link').exit).not.toBe(0);
    expect(inside(spec, 'echo x > host').exit).not.toBe(0);
    expect(readFileSync(join(spec.outside, 'f.txt'), 'utf8')).toBe('f\n');
  });

  wall('no mount can be undone', (spec) => {
    for (const undo of ['mount -o remount,rw,bind /', 'umount .git', 'umount -l state', 'unshare -m true']) {
      inside(spec, `${undo}; touch /etc/goalgraph-was-here; echo x >> .git/config; cat state/journal.db`);
    }
    expect(existsSync('/etc/goalgraph-was-here')).toBe(false);
    expect(readFileSync(join(spec.workspace, '.git/config'), 'utf8')).toBe('[core]\n');
  });

  wall('the state directory is empty, and what is put there is gone', (spec) => {
    expect(inside(spec, 'cat state/journal.db').exit).not.toBe(0);
    expect(inside(spec, 'ls -A state; touch state/x; cp /proc/self/cmdline state/y').text).toBe('');
    expect(readdirSync(spec.stateDir)).toEqual(['journal.db']);
  });

  wall('a workspace within the state directory is there, and its neighbours are not', (spec) => {
    put(spec.stateDir, { 'copies/1/f': 'mine\n', 'copies/2/f': 'theirs\n' });
    const copy = { ...spec, workspace: join(spec.stateDir, 'copies/1') };
    expect(inside(copy, 'cat f; ls ../; ls ../../').text).toBe('mine\n1\ncopies\n');
    expect(inside(copy, 'echo new > g').exit).toBe(0);
    expect(readFileSync(join(copy.workspace, 'g'), 'utf8')).toBe('new\n');
  });

  wall('.git can be read, not written, moved or removed', (spec) => {
    expect(inside(spec, 'cat .git/config').text).toBe('[core]\n');
    for (const command of ['echo x >> .git/config', 'touch .git/hook', 'rm -rf .git', 'mv .git other']) {
      expect(inside(spec, command).exit).not.toBe(0);
    }
    expect(readFileSync(join(spec.workspace, '.git/config'), 'utf8')).toBe('[core]\n');
    expect(readdirSync(join(spec.workspace, '.git'))).toEqual(['config']);
  });

  wall('a .git that is a link shows nothing that is hidden', (spec) => {
    const git = join(spec.workspace, '.git');
    const real = realpathSync('/run');
    for (const target of [join(spec.home, '.ssh'), join(spec.home, '.npmrc'), spec.stateDir, real]) {
      rmSync(git, { recursive: true });
      symlinkSync(target, git);
      expect(inside(spec, 'ls -A .git/; cat .git .git/* state/* home/.ssh/* home/.npmrc').text).not.toMatch(
        /^(?:PRIVATE|journal|id|journal\.db)$/m,
      );
      if (target === real) expect(inside(spec, `ls -A ${real}/`).text).toBe('');
    }
  });

  wall('what is hidden within .git stays hidden', (spec) => {
    const stateDir = join(spec.workspace, '.git/state');
    put(stateDir, { 'journal.db': 'journal\n' });
    expect(inside({ ...spec, stateDir }, 'ls -A .git/state').text).toBe('');
    const home = join(spec.workspace, '.git/home');
    put(home, { '.ssh/id': 'PRIVATE\n' });
    expect(inside({ ...spec, home }, 'ls -A .git/home/.ssh').text).toBe('');
  });

  wall('HOME is a new one, and credentials of the real one are masked', (spec) => {
    expect(inside(spec, 'echo $HOME; ls -A ~').text).toBe('/tmp/home\n');
    expect(inside(spec, `cat ${spec.home}/.ssh/id ${spec.home}/.npmrc`).text).not.toContain('PRIVATE');
    expect(inside(spec, `cat ${spec.home}/.config/tool`).text).toBe('plain\n');
    expect(inside(spec, 'grep -c . /etc/shadow').text.trim()).not.toMatch(/^[1-9]/);
  });

  wall('HOME lasts where a folder is given for it', (spec) => {
    const privateHome = tempFolder();
    inside({ ...spec, privateHome }, 'mkdir -p ~/.cache && echo kept > ~/.cache/x');
    expect(readFileSync(join(privateHome, '.cache/x'), 'utf8')).toBe('kept\n');
  });

  wall('there is no network, unless it is allowed', async (spec) => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await until('it listens', () => server.listening);
    const { port } = server.address() as AddressInfo;
    const script = `require('net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(3))`;
    const connect = `'${process.execPath}' -e "${script}"`;
    expect(inside(spec, connect)).toEqual({ exit: 3, text: '' });
    expect(inside({ ...spec, network: true }, connect)).toEqual({ exit: 0, text: '' });
    server.close();
  });

  wall('no other process is seen', (spec) => {
    expect(inside(spec, `kill -0 ${process.pid}`).exit).not.toBe(0);
    const pids = inside(spec, 'ls -d /proc/[0-9]*').text.trim().split('\n');
    expect(pids.length).toBeLessThan(6);
  });

  wall('all that was started ends with the command, and at a time-out', async (spec) => {
    const daemons = 'setsid sleep 1000 & (setsid sleep 1000 &) ;';
    const left = await shell(sandboxed(spec, `${daemons} echo done`), { cwd: spec.workspace, env: ENV });
    expect([left.end.outcome, left.end.exit, left.text]).toEqual(['exit', 0, 'done\n']);
    await until('nothing of it lives', () => bearersOf(left.token).length === 0);
    const late = await shell(sandboxed(spec, `${daemons} sleep 1000`), { env: ENV, timeout: 500 });
    expect(late.end.outcome).toBe('timeout');
    await until('nothing of it lives', () => bearersOf(late.token).length === 0);
  });
});

describe('the probe', () => {
  it('says why there is none', async () => {
    const bin = tempFolder();
    expect(await probeSandbox(rig(), { PATH: bin })).toEqual({
      works: false,
      why: 'bwrap does not start (ENOENT): install bubblewrap',
    });
    writeFileSync(
      join(bin, 'bwrap'),
      '#!/bin/sh\n[ "$1" = --version ] || { echo No permission to make namespaces >&2; exit 1; }\n',
    );
    chmodSync(join(bin, 'bwrap'), 0o755);
    expect(await probeSandbox(rig(), { PATH: bin })).toEqual({
      works: false,
      why: 'bwrap cannot make a sandbox here (No permission to make namespaces)',
    });
  });
});

describe('the arguments', () => {
  it('mount what hides after what shows, and end before the command', () => {
    const spec = rig();
    const args = sandboxArgs(spec);
    const at = (...words: string[]): number =>
      args.findIndex((_, i) => words.every((word, j) => args[i + j] === word));
    const workspace = at('--bind', spec.workspace, spec.workspace);
    expect(at('--ro-bind', '/', '/')).toBe(0);
    expect(workspace).toBeGreaterThan(at('--tmpfs', '/tmp'));
    expect(at('--tmpfs', spec.stateDir)).toBeGreaterThan(workspace);
    expect(at('--ro-bind', join(spec.workspace, '.git'))).toBeGreaterThan(workspace);
    expect(at('--tmpfs', join(spec.home, '.ssh'))).toBeGreaterThan(workspace);
    expect(args).toEqual(expect.arrayContaining(['--unshare-net', '--unshare-pid', '--die-with-parent']));
    expect(sandboxArgs({ ...spec, network: true })).not.toContain('--unshare-net');
    expect(sandboxArgs({ ...spec, uid: 1000 })).not.toContain('--cap-add');
    expect(args.at(-1)).toBe('--');
  });
});
