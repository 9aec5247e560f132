/** Where bubblewrap does not work, what a copy looks like from inside is not tested, and that is said loudly. */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/contract/fault.ts';
import { clearCopies, makeCopies } from '../../src/os/copies.ts';
import type { Copies, Copy } from '../../src/os/copies.ts';
import { provideIgnored } from '../../src/os/copy-ignored.ts';
import { probeSandbox, sandboxed } from '../../src/os/sandbox.ts';
import { openShadowGit } from '../../src/os/shadow-git.ts';
import type { ShadowGit } from '../../src/os/shadow-git.ts';
import { tempFolder } from '../support/os.ts';

const ENV = { PATH: process.env['PATH'] };

interface Rig {
  readonly root: string;
  readonly stateDir: string;
  readonly shadow: ShadowGit;
  readonly copies: Copies;
}

async function rig(files: Record<string, string>, options: { readonly git?: boolean } = {}): Promise<Rig> {
  const root = join(realpathSync(tempFolder()), 'ws');
  put(root, files);
  if (options.git !== false) execFileSync('git', ['init', '-q'], { cwd: root, env: ENV });
  const stateDir = join(root, '.state');
  put(stateDir, { '.gitignore': '*\n', 'journal.db': 'journal\n' });
  const shadow = await must(openShadowGit({ root, stateDir, env: ENV }));
  return { root, stateDir, shadow, copies: makeCopies({ shadow, root, stateDir }) };
}

function put(root: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

async function must<T>(result: Promise<Result<T, { readonly message: string }>>): Promise<T> {
  const settled = await result;
  if (!settled.ok) throw new Error(settled.fault.message);
  return settled.value;
}

/** As whoever runs the tests, unless that is root; then as somebody who has the folder and no other right. */
async function asNobody(folder: string, act: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return act();
  execFileSync('chown', ['-R', '65534', folder]);
  process.seteuid?.(65_534);
  try {
    await act();
  } finally {
    process.seteuid?.(0);
  }
}

async function copyNow({ shadow, copies }: Rig): Promise<Copy> {
  return must(copies.copy(await must(shadow.snapshot())));
}

const text = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const isLink = (...path: string[]): boolean => lstatSync(join(...path)).isSymbolicLink();

describe('a copy', () => {
  it('has the files of its snapshot, whatever becomes of the workspace', async () => {
    const one = await rig({ 'a.txt': 'old\n', 'sub/b.txt': 'b\n' });
    const tree = await must(one.shadow.snapshot());
    put(one.root, { 'a.txt': 'new\n', 'later.txt': 'later\n' });
    const copy = await must(one.copies.copy(tree));
    expect(readdirSync(copy.root).sort()).toEqual(['a.txt', 'sub']);
    expect(text(copy.root, 'a.txt')).toBe('old\n');
    writeFileSync(join(copy.root, 'a.txt'), 'mine\n');
    expect(text(one.root, 'a.txt')).toBe('new\n');
  });

  it('has small ignored files as its own, and packages and large ones as links to the original', async () => {
    const one = await rig({
      '.gitignore': '.env\ndist/\n.venv/\ntarget/\n',
      'src/a.ts': 'a\n',
      '.env': 'X=1\n',
      'dist/out.js': 'out\n',
      '.venv/bin/python': 'python\n',
      'target/big': 'x'.repeat(1_000),
    });
    const folder = join(one.root, '..', 'copy');
    mkdirSync(folder);
    const { root, stateDir } = one;
    const listed = await must(one.shadow.files());
    await provideIgnored({ root, stateDir, copy: folder, listed, maxBytes: 500 });
    expect([isLink(folder, '.env'), isLink(folder, 'dist')]).toEqual([false, false]);
    writeFileSync(join(folder, 'dist/out.js'), 'new\n');
    expect(text(root, 'dist/out.js')).toBe('out\n');
    expect(readlinkSync(join(folder, '.venv'))).toBe(join(root, '.venv'));
    expect(readlinkSync(join(folder, 'target'))).toBe(join(root, 'target'));
  });

  it('links what is ignored and may not be read, or leaves it out', async () => {
    const one = await rig({
      '.gitignore': 'dist/\nshut/\nhalf/\n.env\nnode_modules/\nvar/\n',
      'a.txt': 'a\n',
      '.env': 'X=1\n',
      'dist/in/x': 'x\n',
      'shut/x': 'x\n',
      'half/x': 'x\n',
      'node_modules/@scope/p/x': 'x\n',
      'node_modules/plain/x': 'x\n',
      'var/kept/x': 'kept\n',
    });
    execFileSync('git', ['add', '-f', 'var/kept/x'], { cwd: one.root, env: ENV });
    put(one.root, { 'var/kept/shut/x': 'x\n', 'var/shut/x': 'x\n' });
    symlinkSync('x', join(one.root, 'half/link'));
    const shut = ['.env', 'dist/in', 'shut', 'node_modules/@scope', 'var/kept/shut', 'var/shut'];
    await asNobody(dirname(one.root), async () => {
      for (const name of shut) chmodSync(join(one.root, name), 0o000);
      chmodSync(join(one.root, 'half'), 0o400);
      const copy = await copyNow(one);
      for (const name of shut.filter((path) => path !== 'dist/in')) {
        expect(readlinkSync(join(copy.root, name))).toBe(join(one.root, name));
      }
      expect([isLink(copy.root, 'dist'), isLink(copy.root, 'half')]).toEqual([true, true]);
      expect(text(copy.root, 'node_modules/plain/x')).toBe('x\n');
      expect(text(copy.root, 'var/kept/x')).toBe('kept\n');
      await copy.remove();
      for (const name of [...shut, 'half']) chmodSync(join(one.root, name), 0o700);
    });
  });

  it('never has the state directory or a .git, in an ignored folder neither', async () => {
    const one = await rig({ '.gitignore': 'var/\n', 'a.txt': 'a\n', 'var/x': 'x\n' });
    const stateDir = join(one.root, 'var/state');
    put(stateDir, { 'journal.db': 'journal\n' });
    const shadow = await must(openShadowGit({ root: one.root, stateDir, env: ENV }));
    const copies = makeCopies({ shadow, root: one.root, stateDir });
    const copy = await copyNow({ ...one, shadow, copies });
    expect(readdirSync(copy.root).sort()).toEqual(['.gitignore', '.state', 'a.txt', 'var']);
    expect(readdirSync(join(copy.root, 'var'))).toEqual(['x']);
  });

  it('has a folder of packages of its own, whose links into the workspace lead into the copy', async () => {
    const one = await rig({
      '.gitignore': 'node_modules/\n',
      'packages/own/index.js': 'one\n',
      'node_modules/plain/index.js': 'plain\n',
      'node_modules/@scope/deep/index.js': 'deep\n',
      'node_modules/.bin/tool': 'tool\n',
      'node_modules/.cache/x': 'x\n',
    });
    symlinkSync('../packages/own', join(one.root, 'node_modules/own'));
    symlinkSync('../../packages/own', join(one.root, 'node_modules/@scope/own'));
    const copy = await copyNow(one);
    const modules = join(copy.root, 'node_modules');
    expect(readdirSync(modules).sort()).toEqual(['.bin', '@scope', 'own', 'plain']);
    expect(realpathSync(join(modules, 'own'))).toBe(join(copy.root, 'packages/own'));
    expect(realpathSync(join(modules, '@scope/own'))).toBe(join(copy.root, 'packages/own'));
    expect(readlinkSync(join(modules, '@scope/deep'))).toBe(join(one.root, 'node_modules/@scope/deep'));
    expect(text(modules, 'plain/index.js')).toBe('plain\n');
    writeFileSync(join(modules, '.cache'), 'its own\n');
    expect(text(one.root, 'node_modules/.cache/x')).toBe('x\n');
  });

  it('provides what lies beside a tracked file in an ignored folder', async () => {
    const one = await rig({ '.gitignore': 'dist/\n', 'dist/kept.js': 'kept\n', 'dist/made.js': 'made\n' });
    execFileSync('git', ['add', '-f', 'dist/kept.js'], { cwd: one.root, env: ENV });
    const copy = await copyNow(one);
    expect(readdirSync(join(copy.root, 'dist')).sort()).toEqual(['kept.js', 'made.js']);
  });

  it('is complete outside of git, where only .gitignore is asked', async () => {
    const one = await rig(
      { '.gitignore': 'node_modules\n', 'a.txt': 'a\n', 'node_modules/p/i.js': 'p\n' },
      { git: false },
    );
    const copy = await copyNow(one);
    expect(text(copy.root, 'node_modules/p/i.js')).toBe('p\n');
    expect(text(copy.root, 'a.txt')).toBe('a\n');
  });

  it('writes nothing through a link of its snapshot', async () => {
    const one = await rig({ '.gitignore': '*.o\n', 'real/a.c': 'a\n' });
    const elsewhere = tempFolder();
    symlinkSync(elsewhere, join(one.root, 'lib'));
    const tree = await must(one.shadow.snapshot());
    rmSync(join(one.root, 'lib'));
    put(one.root, { 'lib/b.c': 'b\n', 'lib/b.o': 'object\n' });
    const copy = await must(one.copies.copy(tree));
    expect(isLink(copy.root, 'lib')).toBe(true);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('is removed, also when a command in it has taken the right to write away', async () => {
    const one = await rig({ 'sub/a.txt': 'a\n' });
    const copy = await copyNow(one);
    chmodSync(join(copy.root, 'sub'), 0o500);
    // Root may write everywhere.
    await asNobody(dirname(one.root), () => copy.remove());
    expect(readdirSync(join(one.stateDir, 'copies'))).toEqual([]);
    await copy.remove();
  });

  it('that a dead owner left is removed at the start', async () => {
    const one = await rig({ 'a.txt': 'a\n' });
    await copyNow(one);
    await copyNow(one);
    expect(await clearCopies(one.stateDir)).toEqual({ ok: true, value: null });
    expect(existsSync(join(one.stateDir, 'copies'))).toBe(false);
    expect(await clearCopies(one.stateDir)).toEqual({ ok: true, value: null });
  });
});

describe('putting files back', () => {
  it('brings back what was changed or deleted, and removes what was not there', async () => {
    const one = await rig({ 'test/a.txt': 'a\n', 'test/b.txt': 'b\n', 'src.txt': 'old\n' });
    const base = await must(one.shadow.snapshot());
    rmSync(join(one.root, 'test/b.txt'));
    put(one.root, { 'test/a.txt': 'changed\n', 'test/c.txt': 'c\n', 'src.txt': 'new\n' });
    const copy = await copyNow(one);
    const paths = ['test/a.txt', 'test/b.txt', 'test/c.txt'];
    expect(await one.copies.restore(copy, base, paths)).toEqual({ ok: true, value: null });
    expect(readdirSync(join(copy.root, 'test')).sort()).toEqual(['a.txt', 'b.txt']);
    expect([text(copy.root, 'test/a.txt'), text(copy.root, 'src.txt')]).toEqual(['a\n', 'new\n']);
    expect(text(one.root, 'test/a.txt')).toBe('changed\n');
    expect(readdirSync(join(one.stateDir, 'copies'))).toHaveLength(1);
  });

  it('never writes or removes through a link that took the place of a folder', async () => {
    const one = await rig({ 'test/a.txt': 'a\n', 'test/b.txt': 'b\n' });
    const base = await must(one.shadow.snapshot());
    const elsewhere = tempFolder();
    put(elsewhere, { 'a.txt': 'theirs\n', 'b.txt': 'theirs\n' });
    rmSync(join(one.root, 'test'), { recursive: true });
    symlinkSync(elsewhere, join(one.root, 'test'));
    const copy = await copyNow(one);
    await must(one.copies.restore(copy, base, ['test/a.txt', 'test/b.txt']));
    expect(text(copy.root, 'test/a.txt')).toBe('a\n');
    expect([text(elsewhere, 'a.txt'), text(elsewhere, 'b.txt')]).toEqual(['theirs\n', 'theirs\n']);
  });

  it('makes a file of a folder, and a folder of a file', async () => {
    const one = await rig({ x: 'file\n', 'y/z': 'z\n' });
    const base = await must(one.shadow.snapshot());
    rmSync(join(one.root, 'x'));
    rmSync(join(one.root, 'y'), { recursive: true });
    put(one.root, { 'x/in': 'in\n', y: 'y\n' });
    const copy = await copyNow(one);
    await must(one.copies.restore(copy, base, ['y', 'y/z', 'x/in', 'x']));
    expect([text(copy.root, 'x'), text(copy.root, 'y/z')]).toEqual(['file\n', 'z\n']);
  });

  it('takes no path that leads out', async () => {
    const one = await rig({ 'a.txt': 'a\n' });
    const base = await must(one.shadow.snapshot());
    const copy = await copyNow(one);
    for (const path of ['../x', '/etc/passwd', 'a/../../x', '.git/config', '', '.']) {
      expect((await one.copies.restore(copy, base, [path])).ok).toBe(false);
    }
  });
});

describe('a copy that cannot be made', () => {
  it('is a fault, and leaves nothing behind', async () => {
    const one = await rig({ 'a.txt': 'a\n' });
    const none = await one.copies.copy('0'.repeat(40));
    expect(none.ok ? '' : none.fault.code).toBe('no_snapshot');
    const tree = await must(one.shadow.snapshot());
    const full = { code: 'no_space', message: 'No space is left. Free some.' } as const;
    const shadow = { ...one.shadow, files: () => Promise.resolve({ ok: false, fault: full } as const) };
    const { root, stateDir } = one;
    expect(await makeCopies({ shadow, root, stateDir }).copy(tree)).toEqual({ ok: false, fault: full });
    expect(readdirSync(join(stateDir, 'copies'))).toEqual([]);
  });

  it('is a fault too when the system says so in its own words', async () => {
    const one = await rig({ 'a.txt': 'a\n' });
    const tree = await must(one.shadow.snapshot());
    const { root, stateDir } = one;
    const noSpace = Object.assign(new Error('write'), { code: 'ENOSPC' });
    const shadow = { ...one.shadow, files: () => Promise.reject(noSpace) };
    const full = await makeCopies({ shadow, root, stateDir }).copy(tree);
    expect(full.ok ? '' : full.fault.code).toBe('no_space');
    rmSync(join(stateDir, 'copies'), { recursive: true });
    writeFileSync(join(stateDir, 'copies'), 'in the way\n');
    const blocked = await one.copies.copy(tree);
    expect(blocked.ok ? '' : blocked.fault.message).toContain('cannot be used');
  });
});

describe('on a full disk', () => {
  /** In a process of its own, whose state directory is a small disk. */
  const SCRIPT = `
    const { openShadowGit } = await import(process.cwd() + '/src/os/shadow-git.ts');
    const { makeCopies } = await import(process.cwd() + '/src/os/copies.ts');
    const { readdirSync } = await import('node:fs');
    const [root, stateDir] = process.argv.slice(1);
    const { value: shadow } = await openShadowGit({ root, stateDir, env: process.env });
    const tree = await shadow.snapshot();
    const copied = await makeCopies({ shadow, root, stateDir }).copy(tree.value);
    console.log(JSON.stringify([tree.ok, copied.ok, copied.fault?.code, readdirSync(stateDir + '/copies')]));
  `;

  it.each([
    ['files of the snapshot', { 'a.bin': 700_000 }],
    ['ignored files', { 'a.txt': 10, 'out/b.bin': 3_000_000 }],
  ])('%s that do not fit are a fault, and what was written is removed', async (_, sizes) => {
    const one = await rig({ '.gitignore': 'out/\n' });
    for (const [name, size] of Object.entries(sizes)) {
      put(one.root, { [name]: '' });
      writeFileSync(join(one.root, name), randomBytes(size));
    }
    const disk =
      'mount -t tmpfs -o size=1200k none "$3" && exec "$0" --import tsx --input-type=module -e "$1" "$2" "$3"';
    const namespace = process.getuid?.() === 0 ? ['-m'] : ['-Urm'];
    const args = [...namespace, '/bin/sh', '-c', disk, process.execPath, SCRIPT, one.root, one.stateDir];
    const ran = spawnSync('unshare', args, { encoding: 'utf8', env: process.env });
    if (ran.status !== 0) throw new Error(`This test mounts a small disk, and could not: ${ran.stderr}`);
    expect(JSON.parse(ran.stdout)).toEqual([true, false, 'no_space', []]);
  });
});

describe('in the sandbox, a copy', () => {
  it('can be written, its links only read, and neither the journal nor other copies are there', async () => {
    const one = await rig({
      '.gitignore': 'node_modules/\n',
      'a.txt': 'a\n',
      'node_modules/p/index.js': 'p\n',
    });
    const other = await copyNow(one);
    const copy = await copyNow(one);
    const spec = {
      workspace: copy.root,
      stateDir: one.stateDir,
      home: join(one.root, 'home'),
      privateHome: null,
      readOnly: one.root,
      network: false,
      uid: process.getuid?.() ?? 0,
    };
    const probe = await probeSandbox(spec, ENV);
    if (!probe.works) {
      process.stderr.write(`\nNOT TESTED, for there is no sandbox here (${probe.why}): copies\n`);
      expect(probe.why).toMatch(/bwrap/);
      return;
    }
    const inside = (command: string): string => {
      const ran = spawnSync('/bin/sh', ['-c', sandboxed(spec, command)], { encoding: 'utf8', env: ENV });
      return ran.stdout + (ran.status === 0 ? '' : 'failed\n');
    };
    expect(inside('echo new > a.txt && cat a.txt node_modules/p/index.js')).toBe('new\np\n');
    expect(inside('echo new > node_modules/p/index.js')).toBe('failed\n');
    expect(inside(`echo new > ${one.root}/a.txt`)).toBe('failed\n');
    expect(inside(`ls ${one.stateDir}; ls ${one.stateDir}/copies | wc -l`)).toBe('copies\n1\n');
    expect(inside(`cat ${one.stateDir}/journal.db`)).toBe('failed\n');
    expect(inside(`cat ${other.root}/a.txt`)).toBe('failed\n');
    expect(text(one.root, 'node_modules/p/index.js')).toBe('p\n');
    expect(text(one.root, 'a.txt')).toBe('a\n');
  });
});
