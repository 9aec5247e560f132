import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isNewEnough, openShadowGit } from '../../src/os/shadow-git.ts';
import type { ShadowGit } from '../../src/os/shadow-git.ts';
import type { SnapshotResult } from '../../src/os/shadow-git-run.ts';
import { tempFolder } from '../support/os.ts';

const ENV = { PATH: process.env['PATH'] };

interface Rig {
  readonly root: string;
  readonly stateDir: string;
  readonly shadow: ShadowGit;
}

async function rig(files: Record<string, string | Buffer> = {}, inside = '.'): Promise<Rig> {
  const root = join(realpathSync(tempFolder()), inside);
  put(root, files);
  return { root, stateDir: join(root, '.state'), shadow: await open(root) };
}

async function open(root: string): Promise<ShadowGit> {
  mkdirSync(join(root, '.state'), { recursive: true });
  return must(openShadowGit({ root, stateDir: join(root, '.state'), env: ENV }));
}

async function must<T>(result: Promise<SnapshotResult<T>>): Promise<T> {
  const settled = await result;
  if (!settled.ok) throw new Error(`${settled.fault.code}: ${settled.fault.message}`);
  return settled.value;
}

function put(root: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

/** The user's git, on a machine where it asks for a signature and has no identity. */
function git(root: string, ...args: string[]): void {
  const env = { ...ENV, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
}

function commit(root: string): void {
  git(root, '-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false', 'commit', '-qm', 'x');
}

/** Every entry below a folder: its kind, whether it can be executed, and its bytes. */
function tree(root: string): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const found = lstatSync(join(root, name));
    if (found.isSymbolicLink()) entries[name] = `link ${readlinkSync(join(root, name))}`;
    else if (found.isFile()) {
      entries[name] = `${found.mode & 0o100 ? 'x' : '-'} ${readFileSync(join(root, name), 'base64')}`;
    }
  }
  return entries;
}

async function restored(shadow: ShadowGit, id: string): Promise<Record<string, string>> {
  const folder = join(tempFolder(), 'copy');
  await must(shadow.materialise(id, folder));
  return tree(folder);
}

describe('a snapshot', () => {
  it('gives the same bytes, links and executable bits back, whatever the names and the attributes', async () => {
    const odd = {
      empty: '',
      'crlf.txt': 'a\r\nb\r\n',
      'mixed.txt': 'a\r\nb\n',
      bin: Buffer.from([0, 255, 13, 10, 0]),
      'naïve 文件.txt': 'x',
      'new\nline': 'x',
      ' blank ': 'x',
      '"quote"\\back': 'x',
      '-option': 'x',
      ':(glob)magic': 'x',
      'git~1': 'x',
      CON: 'x',
      'ident.c': '$Id$ $Id: kept $\n',
      'utf16.txt': Buffer.from('\ufeffhi\n', 'utf16le'),
      '.gitattributes':
        '* text=auto eol=crlf\n*.c ident filter=lfs\nutf16.txt working-tree-encoding=UTF-16\n',
    };
    const { root, shadow } = await rig(odd);
    put(root, { 'run.sh': '#!/bin/sh\n' });
    chmodSync(join(root, 'run.sh'), 0o755);
    symlinkSync('empty', join(root, 'link'));
    symlinkSync('/nowhere/at/all', join(root, 'dangling'));
    const id = await must(shadow.snapshot());
    const before = Object.entries(tree(root)).filter(([name]) => !name.startsWith('.state/'));
    expect(await restored(shadow, id)).toEqual(Object.fromEntries(before));
  });

  it('leaves out what is ignored, at every level, and the state directory whatever is said of it', async () => {
    const { shadow } = await rig({
      '.gitignore': '*.log\n/build/\n!.state\n!.state/**\n',
      'a.log': 'x',
      'build/out': 'x',
      'src/.gitignore': 'local\n!keep.log\n',
      'src/local': 'x',
      'src/keep.log': 'x',
      'src/a': 'x',
    });
    const files = ['.gitignore', 'src/.gitignore', 'src/a', 'src/keep.log'];
    expect(await must(shadow.files())).toEqual(files);
    expect(Object.keys(await restored(shadow, await must(shadow.snapshot()))).sort()).toEqual(files);
  });

  it('holds what is dirty, staged, untracked, and ignored but tracked; obeys info/exclude', async () => {
    const { root, shadow } = await rig({ tracked: 'old', 'kept.log': 'old', gone: 'x' });
    git(root, 'init', '-q');
    git(root, 'add', 'tracked', 'kept.log', 'gone');
    commit(root);
    put(root, { '.gitignore': '*.log\n', '.git/info/exclude': 'private\n', private: 'x' });
    put(root, { tracked: 'dirty', staged: 'x', untracked: 'x', 'other.log': 'x', 'kept.log': 'new' });
    git(root, 'add', 'staged');
    unlinkSync(join(root, 'gone'));
    const copy = await restored(shadow, await must(shadow.snapshot()));
    expect(Object.keys(copy).sort()).toEqual(['.gitignore', 'kept.log', 'staged', 'tracked', 'untracked']);
    expect(copy['tracked']).toBe(`- ${Buffer.from('dirty').toString('base64')}`);
    expect(copy['kept.log']).toBe(`- ${Buffer.from('new').toString('base64')}`);
  });

  it.each(['.git', '.git/HEAD', '.git/commondir', '.git/config', '.git/info/exclude', '.git/index'])(
    'has no repository of the user to ask when %s is too long, a pipe or a device',
    async (name) => {
      const files = { '.gitignore': '*.log\n', 'a.txt': 'a\n', 'b.log': 'b\n' };
      const { root, shadow } = await rig(files);
      git(root, 'init', '-q');
      git(root, 'add', '-f', 'b.log');
      const asked = ['.gitignore', 'a.txt', 'b.log'];
      expect(await must(shadow.files())).toEqual(asked);
      const place = join(root, name);
      const isPath = !/config|exclude|index/.test(name);
      // What git reads of a file in which it keeps a path is short. This comes first, for it never hangs.
      rmSync(place, { recursive: true, force: true });
      writeFileSync(place, `gitdir: ${'x'.repeat(5_000)}`);
      if (isPath) expect(await must(shadow.files())).toEqual(['.gitignore', 'a.txt']);
      for (const make of [
        () => symlinkSync('/dev/zero', place),
        () => execFileSync('mkfifo', [place]),
        () => symlinkSync(join(root, 'pipe'), place),
      ]) {
        rmSync(place);
        if (!existsSync(join(root, 'pipe'))) execFileSync('mkfifo', [join(root, 'pipe')]);
        make();
        expect(await must(shadow.files())).toEqual(['.gitignore', 'a.txt']);
      }
    },
  );

  it('leaves the repository of the user as it is, byte for byte, hooks and signing included', async () => {
    const { root, shadow } = await rig({ a: 'x', b: 'x' });
    git(root, 'init', '-q');
    git(root, 'add', 'a');
    commit(root);
    const trap = '#!/bin/sh\ntouch "$0.ran"\nsleep 1000\n';
    for (const name of ['pre-commit', 'post-index-change', 'fsmonitor', 'gpg', 'post-checkout']) {
      put(root, { [`.git/hooks/${name}`]: trap });
      chmodSync(join(root, `.git/hooks/${name}`), 0o755);
    }
    git(root, 'config', 'core.fsmonitor', join(root, '.git/hooks/fsmonitor'));
    git(root, 'config', 'commit.gpgsign', 'true');
    git(root, 'config', 'gpg.program', join(root, '.git/hooks/gpg'));
    put(root, { a: 'dirty' });
    const before = tree(join(root, '.git'));
    const index = lstatSync(join(root, '.git/index'), { bigint: true });
    const one = await must(shadow.snapshot());
    put(root, { b: 'dirty' });
    const two = await must(shadow.snapshot());
    await must(shadow.diff(one, two));
    await restored(shadow, two);
    expect(tree(join(root, '.git'))).toEqual(before);
    const { ino, mtimeNs, ctimeNs } = lstatSync(join(root, '.git/index'), { bigint: true });
    expect({ ino, mtimeNs, ctimeNs }).toEqual({
      ino: index.ino,
      mtimeNs: index.mtimeNs,
      ctimeNs: index.ctimeNs,
    });
  });

  it('is not led astray by the environment', async () => {
    const elsewhere = tempFolder();
    const { root } = await rig({ a: 'x' });
    const traps = { GIT_DIR: elsewhere, GIT_INDEX_FILE: join(elsewhere, 'i'), GIT_WORK_TREE: elsewhere };
    const env = {
      ...ENV,
      ...traps,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.worktree',
      HOME: elsewhere,
    };
    const shadow = await must(openShadowGit({ root, stateDir: join(root, '.state'), env }));
    expect(Object.keys(await restored(shadow, await must(shadow.snapshot())))).toEqual(['a']);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('takes repositories within as the plain files they are', async () => {
    const { root, shadow } = await rig({
      'own/f': 'x',
      'own/state/f': 'x',
      'own/.state/f': 'x',
      'own/.gitignore': 'build\n',
      'own/build/f': 'x',
      'own/deeper/f': 'x',
      'fresh/f': 'x',
      a: 'x',
    });
    for (const name of ['.', 'own', 'own/deeper', 'fresh']) git(join(root, name), 'init', '-q');
    git(join(root, 'own'), 'add', 'f');
    commit(join(root, 'own'));
    git(root, 'add', 'own');
    put(root, { '.gitignore': 'own\n' });
    const names = [
      '.gitignore',
      'a',
      'fresh/f',
      'own/.gitignore',
      'own/.state/f',
      'own/deeper/f',
      'own/f',
      'own/state/f',
    ];
    expect(await must(shadow.files())).toEqual(names);
    const copy = await restored(shadow, await must(shadow.snapshot()));
    expect(Object.keys(copy).sort()).toEqual(names);
  });

  it('works in a folder of a work tree, by its rules, and in one that they ignore', async () => {
    const { root, shadow } = await rig({ a: 'x', 'a.log': 'x', 'k.log': 'x' }, 'packages/one');
    const top = dirname(dirname(root));
    git(top, 'init', '-q');
    put(top, { '.gitignore': '*.log\n.state\n' });
    git(top, 'add', '-f', 'packages/one/k.log');
    expect(await must(shadow.files())).toEqual(['a', 'k.log']);
    put(top, { '.gitignore': 'packages\n' });
    expect(await must(shadow.files())).toEqual(['a', 'a.log', 'k.log']);
  });

  it('works in a linked work tree', async () => {
    const main = tempFolder();
    git(main, 'init', '-q');
    put(main, { a: 'x', 'k.log': 'x', '.gitignore': '*.log\n', '.git/info/exclude': 'private\n.state\n' });
    git(main, 'add', '-f', 'a', 'k.log', '.gitignore');
    commit(main);
    const linked = join(realpathSync(tempFolder()), 'linked');
    git(main, 'worktree', 'add', '-q', linked);
    put(linked, { private: 'x', new: 'x' });
    expect(await must((await open(linked)).files())).toEqual(['.gitignore', 'a', 'k.log', 'new']);
  });

  it('is the same for the same files, and another for others', async () => {
    const { root, shadow } = await rig({ a: 'x' });
    const one = await must(shadow.snapshot());
    expect(one).toMatch(/^[0-9a-f]{40}$/);
    put(root, { a: 'y' });
    const two = await must(shadow.snapshot());
    put(root, { a: 'x' });
    expect(two).not.toBe(one);
    expect(await must(shadow.snapshot())).toBe(one);
    expect(await must((await open(root)).snapshot())).toBe(one);
  });

  it('sees a file become a folder, a link and back, and what is ignored from now on', async () => {
    const { root, shadow } = await rig({ a: 'x', 'b/c': 'x', z: 'x' });
    await must(shadow.snapshot());
    renameSync(join(root, 'a'), join(root, 'tmp'));
    mkdirSync(join(root, 'a'));
    renameSync(join(root, 'tmp'), join(root, 'a/in'));
    rmSync(join(root, 'b'), { recursive: true });
    symlinkSync('z', join(root, 'b'));
    put(root, { '.gitignore': 'z\n' });
    expect(Object.keys(await restored(shadow, await must(shadow.snapshot()))).sort()).toEqual([
      '.gitignore',
      'a/in',
      'b',
    ]);
  });

  it('passes over pipes and empty folders, and holds nothing in an empty one', async () => {
    const { root, shadow } = await rig();
    mkdirSync(join(root, 'folder'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const id = await must(shadow.snapshot());
    expect(await restored(shadow, id)).toEqual({});
  });

  it('waits for the one before it', async () => {
    const { root, shadow } = await rig({ a: 'x' });
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        put(root, { [`f${i}`]: 'x' });
        return must(shadow.snapshot());
      }),
    );
    expect(new Set(ids).size).toBe(1);
  });

  it('goes on after an owner that was killed in the middle', async () => {
    const { root, shadow } = await rig({ a: 'x' });
    const id = await must(shadow.snapshot());
    const folder = join(root, '.state/shadow.git');
    const index = readdirSync(folder).find((name) => name.startsWith('index-')) ?? '';
    put(folder, { [`${index}.lock`]: 'half' });
    expect(await must(shadow.snapshot())).toBe(id);
    put(folder, { [`${index}.lock`]: 'half' });
    const next = await open(root);
    expect(await must(next.snapshot())).toBe(id);
    expect(readdirSync(folder).filter((name) => name.startsWith('index-'))).toHaveLength(1);
  });

  it('is quick with 20,000 files', async () => {
    const { root, shadow } = await rig();
    for (let i = 0; i < 20_000; i++) {
      if (i % 200 === 0) mkdirSync(join(root, `d${i / 200}`));
      writeFileSync(join(root, `d${Math.floor(i / 200)}/f${i}`), `file ${i}\n`);
    }
    const start = performance.now();
    const one = await must(shadow.snapshot());
    const first = performance.now() - start;
    writeFileSync(join(root, 'd0/f0'), 'changed\n');
    const again = performance.now();
    const two = await must(shadow.snapshot());
    const second = performance.now() - again;
    expect((await must(shadow.diff(one, two))).files).toHaveLength(1);
    if (process.env['FIGURES'] !== undefined)
      process.stderr.write(`20,000 files: ${first} ms, ${second} ms\n`);
    // Generous: this shares its machine. Alone it takes a tenth.
    expect(first).toBeLessThan(25_000);
    expect(second).toBeLessThan(5_000);
  }, 60_000);
});

describe('a diff', () => {
  async function change(): Promise<Rig & { readonly one: string; readonly two: string }> {
    const made = await rig({
      'a.txt': 'one\ntwo\n',
      gone: 'x\n',
      moved: Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join(''),
      'naïve 文件.txt': 'x\n',
      'new\nline': 'x\n',
      bin: Buffer.from([0, 1]),
      'lock.json': 'x\n',
      '.gitattributes': 'lock.json -diff\n',
    });
    const { root, shadow } = made;
    const one = await must(shadow.snapshot());
    put(root, { 'a.txt': 'one\n2\nthree\n', 'naïve 文件.txt': 'y\n', 'new\nline': 'y\n', added: 'new\n' });
    put(root, { bin: Buffer.from([0, 2]), 'lock.json': 'y\n' });
    unlinkSync(join(root, 'gone'));
    renameSync(join(root, 'moved'), join(root, 'to'));
    return { ...made, one, two: await must(shadow.snapshot()) };
  }

  it('lists every file with its lines, by its real name', async () => {
    const { shadow, one, two } = await change();
    const { files, patch, cut } = await must(shadow.diff(one, two));
    const list = files.map((f) => `${f.change} ${f.from ?? ''}>${f.path} +${f.added} -${f.removed}`);
    expect(list.sort()).toEqual([
      'added >added +1 -0',
      'changed >a.txt +2 -1',
      'changed >bin +null -null',
      'changed >lock.json +1 -1',
      'changed >naïve 文件.txt +1 -1',
      'changed >new\nline +1 -1',
      'deleted >gone +0 -1',
      'moved moved>to +0 -0',
    ]);
    expect(cut).toBe(false);
    expect(patch).toContain('+++ b/naïve 文件.txt');
    expect(patch).toContain('-two\n+2\n+three\n');
  });

  it('makes a patch that gives the second from the first', async () => {
    const { shadow, one, two } = await change();
    const patch = await must(shadow.patch(one, two));
    const folder = join(tempFolder(), 'copy');
    await must(shadow.materialise(one, folder));
    writeFileSync(join(folder, '../p'), patch);
    git(folder, 'apply', '../p');
    expect(tree(folder)).toEqual(await restored(shadow, two));
  });

  it('is cut after a whole file, and names what is left out', async () => {
    const { root, shadow } = await rig();
    const one = await must(shadow.snapshot());
    put(root, { a: 'a\n'.repeat(100), b: 'b\n'.repeat(10_000), c: 'c\n' });
    const two = await must(shadow.snapshot());
    const { files, patch, cut } = await must(shadow.diff(one, two, 5_000));
    expect(cut).toBe(true);
    expect(files).toHaveLength(3);
    expect(patch).toContain('+++ b/a');
    expect(patch).not.toContain('+++ b/b');
    expect(patch).toMatch(/it leaves out "b", "c"\]\n$/);
  });

  it('of a snapshot that is not there is refused, whatever it is called', async () => {
    const { shadow } = await rig({ a: 'x' });
    const id = await must(shadow.snapshot());
    for (const bad of ['HEAD', '--output=/tmp/x', '', '0'.repeat(40), `${id}^`, '../x']) {
      expect(await shadow.diff(id, bad)).toMatchObject({ fault: { code: 'no_snapshot' } });
      expect(await shadow.materialise(bad, join(tempFolder(), 'x'))).toMatchObject({
        fault: { code: 'no_snapshot' },
      });
    }
  });
});

describe('what cannot be done is said', () => {
  it('a folder that holds something is not written into', async () => {
    const { root, shadow } = await rig({ a: 'x' });
    const id = await must(shadow.snapshot());
    expect(await shadow.materialise(id, root)).toMatchObject({ fault: { code: 'not_empty' } });
    expect(await shadow.materialise(id, join(root, 'a'))).toMatchObject({ fault: { code: 'not_empty' } });
  });

  it('git is missing, or too old', async () => {
    const root = tempFolder();
    const env = { PATH: join(root, 'nothing') };
    expect(await openShadowGit({ root, stateDir: join(root, 's'), env })).toMatchObject({
      fault: { code: 'git_missing' },
    });
    put(root, { 'bin/git': '#!/bin/sh\necho git version 2.37.9\n' });
    chmodSync(join(root, 'bin/git'), 0o755);
    expect(
      await openShadowGit({ root, stateDir: join(root, 's'), env: { PATH: `${root}/bin` } }),
    ).toMatchObject({ fault: { code: 'git_old' } });
    expect(existsSync(join(root, 's'))).toBe(false);
    const versions = ['git version 2.38.0', 'git version 2.39.5 (Apple Git-154)', 'git version 3.0.0', 'x'];
    expect(versions.map(isNewEnough)).toEqual([true, true, true, false]);
  });

  it('git hangs, and is ended with all it started', async () => {
    const root = tempFolder();
    put(root, { 'bin/git': '#!/bin/sh\n/bin/sleep 1000\n' });
    chmodSync(join(root, 'bin/git'), 0o755);
    const options = { root, stateDir: join(root, 's'), env: { PATH: `${root}/bin` }, timeout: 200 };
    expect(await openShadowGit(options)).toMatchObject({ fault: { code: 'git_slow' } });
  });
});
