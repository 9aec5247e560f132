import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PathFaultCode } from '../../src/contract/tool.ts';
import { readInside, writeInside } from '../../src/tool/open-inside.ts';
import { resolvePath } from '../../src/tool/resolve.ts';
import { readTool } from '../../src/tool/read.ts';
import { writeTool } from '../../src/tool/write.ts';
import { fault, put, workspace } from './workspace.ts';

/** Refused for reading and for writing alike. */
const ESCAPES: readonly (readonly [string, PathFaultCode])[] = [
  ['', 'bad_path'],
  ['src/a.ts\0.png', 'bad_path'],
  ['src/a\nb', 'bad_path'],
  ['a'.repeat(5_000), 'bad_path'],
  ['n'.repeat(300), 'bad_path'],
  ['..', 'parent'],
  ['../outside/secret.txt', 'parent'],
  ['src/../../outside/secret.txt', 'parent'],
  ['src/../src/a.ts', 'parent'],
  ['./..//outside/secret.txt', 'parent'],
  ['/etc/passwd', 'absolute'],
  ['/', 'absolute'],
  ['~/.ssh/id_rsa', 'absolute'],
  ['~', 'absolute'],
  ['~root/.profile', 'absolute'],
  ['file:///etc/passwd', 'absolute'],
  ['/proc/self/environ', 'absolute'],
  ['/dev/tcp/127.0.0.1/80', 'absolute'],
  ['C:x', 'drive'],
  ['c:/Windows/win.ini', 'drive'],
  ['C:\\Windows\\win.ini', 'drive'],
  ['\\\\server\\share\\x', 'unc'],
  ['//server/share/x', 'unc'],
  ['\\\\?\\C:\\x', 'unc'],
  ['\\\\.\\pipe\\x', 'unc'],
  ['/??/C:/x', 'special'],
  ['\\??\\C:\\x', 'special'],
  ['src\\..\\..\\outside\\secret.txt', 'backslash'],
  ['src/..\\../outside/secret.txt', 'backslash'],
  ['src\\a.ts', 'backslash'],
  ['link-file-out', 'outside'],
  ['link-relative-out', 'outside'],
  ['link-folder-out/secret.txt', 'outside'],
  ['link-folder-out/new.txt', 'outside'],
  ['link-folder-out', 'outside'],
  ['out/link-out/deep/new.txt', 'outside'],
  ['link-proc/environ', 'outside'],
  ['link-proc/root/etc/passwd', 'outside'],
  ['link-null', 'outside'],
  ['link-dangling', 'dangling'],
  ['link-dangling-in', 'dangling'],
  ['link-dangling/x', 'dangling'],
  ['link-loop', 'loop'],
  ['link-loop/x', 'loop'],
  ['src/a.ts/x', 'not_folder'],
  ['.git/HEAD', 'git'],
  ['.git', 'git'],
  ['.git/hooks/pre-commit', 'git'],
  ['.GIT/config', 'git'],
  ['.Git', 'git'],
  ['.git./config', 'git'],
  ['.git /config', 'git'],
  ['.git::$INDEX_ALLOCATION/config', 'git'],
  ['git~1/config', 'git'],
  ['.g\u200cit/config', 'git'],
  ['src/.git/config', 'git'],
  ['sub/.git/HEAD', 'git'],
  ['link-git/HEAD', 'git'],
  ['.state', 'state'],
  ['.state/journal.db', 'state'],
  ['.state/new', 'state'],
  ['./.state//journal.db', 'state'],
  ['link-state/journal.db', 'state'],
  ['fifo', 'special'],
  ['socket', 'special'],
];

describe('a path that leads nowhere a model may go', () => {
  for (const [path, code] of ESCAPES) {
    it(`is refused as ${code}: ${JSON.stringify(path.slice(0, 60))}`, async () => {
      const { place, root, outside } = await workspace();
      execFileSync('mkfifo', [join(root, 'fifo')]);
      const server = createServer().listen(join(root, 'socket'));
      for (const intent of ['read', 'write'] as const) {
        expect(await resolvePath(place, path, intent)).toMatchObject({ ok: false, fault: { code } });
      }
      expect(await fault(readTool(place), { path })).toMatchObject({ code });
      expect(await fault(writeTool(place), { path, content: 'x' })).toMatchObject({ code });
      await new Promise((resolve) => server.close(resolve));
      expect(readdirSync(outside)).toEqual(['secret.txt']);
      expect(readFileSync(join(root, '.git/HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
      expect(readFileSync(join(root, '.state/journal.db'), 'utf8')).toBe('journal\n');
    });
  }

  it('is refused under a name that differs from the root only behind it', async () => {
    const { place, root } = await workspace();
    put(`${root}-other`, { x: 'x' });
    symlinkSync(`${root}-other/x`, join(root, 'sibling'));
    for (const path of [`${root}-other/x`, 'sibling']) {
      expect(await resolvePath(place, path, 'read')).toMatchObject({ ok: false });
    }
  });

  it('is refused in the state directory that a second name leads to', async () => {
    const { place, root } = await workspace();
    const other = { ...place, stateDir: join(root, 'not-made-yet') };
    expect(await resolvePath(other, 'not-made-yet/x', 'write')).toMatchObject({ fault: { code: 'state' } });
  });

  it('is refused in what the kernel makes up when the root is the whole file system', async () => {
    const { place } = await workspace();
    for (const path of ['proc/self/environ', 'dev/null', 'sys/kernel', 'proc/self/root/etc/passwd/../x']) {
      expect(await resolvePath({ ...place, root: '/' }, path, 'read')).toMatchObject({ ok: false });
    }
  });
});

describe('a path inside', () => {
  const GOOD: readonly (readonly [string, string, string])[] = [
    ['.', '', 'folder'],
    ['src/a.ts', 'src/a.ts', 'file'],
    ['./src//a.ts', 'src/a.ts', 'file'],
    ['src/', 'src', 'folder'],
    ['link-in', 'src/a.ts', 'file'],
    ['link-folder-in/a.ts', 'src/a.ts', 'file'],
    ['new/deep/b.ts', 'new/deep/b.ts', 'missing'],
    ['link-folder-in/new.ts', 'src/new.ts', 'missing'],
    ['.gitignore', '.gitignore', 'missing'],
    ['.github/x.yml', '.github/x.yml', 'missing'],
    ['..a/b..', '..a/b..', 'missing'],
    ['a b/naïve 文件.txt', 'a b/naïve 文件.txt', 'missing'],
    ['.State', '.State', 'missing'],
  ];
  for (const [path, relative, kind] of GOOD) {
    it(`is resolved: ${path}`, async () => {
      const { place } = await workspace();
      expect(await resolvePath(place, path, 'write')).toMatchObject({ ok: true, value: { relative, kind } });
    });
  }

  it('may be given in full', async () => {
    const { place, root } = await workspace();
    expect(await resolvePath(place, join(root, 'src/a.ts'), 'read')).toMatchObject({
      value: { relative: 'src/a.ts' },
    });
    expect(await resolvePath(place, root, 'read')).toMatchObject({ value: { relative: '' } });
    expect(await resolvePath(place, `${root}/../outside/secret.txt`, 'read')).toMatchObject({
      fault: { code: 'parent' },
    });
  });
});

describe('a scope', () => {
  const inOut = (path: string): boolean => path.startsWith('out/');

  it('is asked about the real file', async () => {
    const { place } = await workspace(inOut);
    const codes: string[] = [];
    for (const path of ['out/new.txt', 'out/here.txt', 'out/../src/a.ts', 'out/link/a.ts', 'src/a.ts']) {
      const result = await resolvePath(place, path, 'write');
      codes.push(result.ok ? 'ok' : result.fault.code);
    }
    expect(codes).toEqual(['ok', 'ok', 'parent', 'scope', 'scope']);
  });

  it('does not limit reading', async () => {
    const { place } = await workspace(inOut);
    expect(await resolvePath(place, 'src/a.ts', 'read')).toMatchObject({ ok: true });
  });
});

describe('what was resolved', () => {
  it('is not read through a link that was put there since', async () => {
    const { place, root, outside } = await workspace();
    const file = await resolvePath(place, 'src/a.ts', 'read');
    if (!file.ok) throw new Error('refused');
    renameSync(join(root, 'src'), join(root, 'src-before'));
    put(outside, { 'a.ts': 'stolen' });
    symlinkSync(outside, join(root, 'src'));
    expect(await readInside(root, file.value)).toMatchObject({ fault: { code: 'changed' } });
    expect(await writeInside(root, file.value, 'x')).toMatchObject({ fault: { code: 'changed' } });
    expect(readFileSync(join(outside, 'a.ts'), 'utf8')).toBe('stolen');
  });

  it('is written over a link that was put in the last place, not through it', async () => {
    const { place, root, outside } = await workspace();
    const file = await resolvePath(place, 'out/new.txt', 'write');
    if (!file.ok) throw new Error('refused');
    symlinkSync(join(outside, 'secret.txt'), join(root, 'out/new.txt'));
    expect(await writeInside(root, file.value, 'x')).toMatchObject({ ok: true });
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret\n');
    expect(readFileSync(join(root, 'out/new.txt'), 'utf8')).toBe('x');
  });
});

describe('any path at all', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', '.git', '.state', 'src', 'a.ts', 'out', 'link', '~', 'C:', '\\', '\0'),
    fc.constantFrom(
      'link-folder-out',
      'link-dangling',
      'link-proc',
      'link-folder-in',
      'link-in',
      'secret.txt',
    ),
    fc.string({ maxLength: 6 }),
  );
  const anyPath = fc
    .tuple(fc.constantFrom('', '/', '//', './', '\\\\'), fc.array(part, { maxLength: 6 }))
    .map(([start, parts]) => start + parts.join('/'));

  it('never leaves the root, and never reaches git or the state', async () => {
    const { place, root } = await workspace();
    mkdirSync(join(root, 'empty'));
    await fc.assert(
      fc.asyncProperty(anyPath, fc.constantFrom('read', 'write'), async (path, intent) => {
        const result = await resolvePath(place, path, intent);
        if (!result.ok) {
          expect(result.fault.message).not.toBe('');
          return;
        }
        const real = result.value.path;
        expect(real === root || real.startsWith(`${root}/`)).toBe(true);
        expect(real).not.toMatch(/\/\.git(?:\/|$)/);
        expect(`${real}/`.startsWith(`${root}/.state/`)).toBe(false);
        expect(result.value.kind === 'missing' || existsSync(real)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
