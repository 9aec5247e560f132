import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFileAtomic } from '../../src/os/atomic-write.ts';
import { gitRoot } from '../../src/os/git-root.ts';
import { sha256 } from '../../src/os/hash.ts';
import { ensureStateDir } from '../../src/os/state-dir.ts';
import { readTextFile } from '../../src/os/text-file.ts';
import { tempFolder } from '../support/os.ts';

describe('reading a text file', () => {
  it('gives the text as it is, byte order mark and line ends included', async () => {
    const file = join(tempFolder(), 'plan.md');
    writeFileSync(file, '\ufeff# Ünïcode 🎉\r\n');
    expect(await readTextFile(file, 100)).toEqual({ ok: true, value: '\ufeff# Ünïcode 🎉\r\n' });
  });

  it('takes a file of exactly the cap, and of several reads', async () => {
    const file = join(tempFolder(), 'plan.md');
    writeFileSync(file, 'x'.repeat(200_000));
    expect(await readTextFile(file, 200_000)).toEqual({ ok: true, value: 'x'.repeat(200_000) });
    expect(await problem(file, 199_999)).toBe(`${file} is larger than 199999 bytes. Make it smaller.`);
  });

  it.each<[string, string | Buffer, string]>([
    ['nothing', '', 'is empty. Write something into it, or name another file.'],
    ['blanks', '\ufeff \r\n\t\n', 'is empty. Write something into it, or name another file.'],
    ['a NUL byte', 'a\nb\0', 'is not a text file: there is a NUL byte in line 2. Name a text file.'],
    ['Latin-1', Buffer.from('fine\n\nnaïve\n', 'latin1'), 'is not UTF-8: see line 3. Save it as UTF-8.'],
    ['a cut character', Buffer.from('🎉').subarray(0, 3), 'is not UTF-8: see line 1. Save it as UTF-8.'],
    ['UTF-16', Buffer.from('\ufeffplan', 'utf16le'), 'is UTF-16 text. Save it as UTF-8.'],
  ])('refuses %s', async (_, content, expected) => {
    const file = join(tempFolder(), 'plan.md');
    writeFileSync(file, content);
    expect(await problem(file)).toBe(`${file} ${expected}`);
  });

  it('refuses what is no file, without waiting for it', async () => {
    const folder = tempFolder();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const socket = join(folder, 'socket');
    const server = createServer().listen(socket);
    await once(server, 'listening');
    symlinkSync('loop', join(folder, 'loop'));
    expect(await problem(folder)).toBe(`${folder} is a folder. Name the file in it.`);
    expect(await problem(pipe)).toContain('is a pipe or a device. Write its content to a file');
    expect(await problem('/dev/zero')).toContain('is a pipe or a device.');
    expect(await problem(socket)).toContain('is a socket or a device.');
    expect(await problem(join(folder, 'loop'))).toContain('leads back to itself');
    expect(await problem(join(folder, 'none'))).toContain('does not exist. Check the name');
    expect(await problem(join(pipe, 'below'))).toContain('does not exist: a part of it is a file');
    server.close();
  });

  it('refuses what may not be read', async () => {
    const file = join(tempFolder(), 'plan.md');
    writeFileSync(file, 'secret', { mode: 0o000 });
    chmodSync(join(file, '..'), 0o755);
    await asOrdinaryUser(async () => {
      expect(await problem(file)).toBe(`${file} may not be read: permission denied. Change its permissions.`);
    });
  });

  it('reads files whose size the system does not tell', async () => {
    expect(await readTextFile('/proc/self/status', 100_000)).toMatchObject({ ok: true });
  });
});

describe('replacing a file', () => {
  it('makes it, replaces it, keeps its mode, and leaves nothing else', async () => {
    const folder = tempFolder();
    const file = join(folder, 'report.md');
    expect(await writeFileAtomic(file, 'one')).toEqual({ ok: true, value: null });
    chmodSync(file, 0o640);
    expect(await writeFileAtomic(file, Buffer.from('two'))).toEqual({ ok: true, value: null });
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['two', 0o640]);
    expect(readdirSync(folder)).toEqual(['report.md']);
  });

  it('writes through a symbolic link', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'real'), 'one');
    symlinkSync('real', join(folder, 'link'));
    await writeFileAtomic(join(folder, 'link'), 'two');
    expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('two');
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
  });

  it('is never seen half done', async () => {
    const file = join(tempFolder(), 'file');
    const texts = ['a', 'b'].map((letter) => letter.repeat(300_000));
    await writeFileAtomic(file, texts[0] ?? '');
    const writing = Promise.all(
      Array.from({ length: 20 }, (_, i) => writeFileAtomic(file, texts[i % 2] ?? '')),
    );
    let done = false;
    void writing.then(() => (done = true));
    while (!(done as boolean)) {
      expect(texts).toContain(readFileSync(file, 'utf8'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await writing).every((result) => result.ok)).toBe(true);
    expect(readdirSync(join(file, '..'))).toEqual(['file']);
  });

  it('says why it cannot, and leaves nothing', async () => {
    const folder = tempFolder();
    const write = async (path: string) => {
      const result = await writeFileAtomic(path, 'x');
      return result.ok ? 'written' : result.fault.message;
    };
    mkdirSync(join(folder, 'full/of'), { recursive: true });
    writeFileSync(join(folder, 'file'), '');
    expect(await write(join(folder, 'none/x'))).toContain('does not exist. Create it first.');
    expect(await write(join(folder, 'file/x'))).toContain('is a file, not a folder.');
    expect(await write(join(folder, 'full'))).toContain('is a folder. Name a file.');
    chmodSync(folder, 0o755);
    await asOrdinaryUser(async () => {
      expect(await write(join(folder, 'x'))).toContain('may not be written: permission denied.');
    });
    expect(readdirSync(folder).sort()).toEqual(['file', 'full']);
  });
});

describe('the state directory', () => {
  it('is made with all above it, for its owner, and ignored by git', async () => {
    const root = tempFolder();
    const folder = join(root, 'a/.goalgraph');
    expect(await ensureStateDir(folder)).toEqual({ ok: true, value: null });
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n!/skills/\n!/skills/**\n');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    execFileSync('git', ['init', '-q', root]);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })).toBe('');
  });

  it('is left as it is when it is there', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, '.gitignore'), '*\n!README.md\n');
    expect(await ensureStateDir(folder)).toEqual({ ok: true, value: null });
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n!README.md\n');
  });

  it('gets the missing ignore file when a crash came between', async () => {
    const folder = tempFolder();
    await ensureStateDir(folder);
    expect(existsSync(join(folder, '.gitignore'))).toBe(true);
  });

  it('says why it cannot be made', async () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(await ensureStateDir(file)).toMatchObject({ ok: false, fault: { code: 'store_io' } });
    expect(await ensureStateDir(join(file, 'x'))).toMatchObject({ ok: false });
    await asOrdinaryUser(async () => {
      expect(await ensureStateDir('/etc/goalgraph-test')).toMatchObject({ ok: false });
    });
  });
});

describe('the git root', () => {
  it('is the nearest one upwards', () => {
    const root = tempFolder();
    mkdirSync(join(root, 'outer/a/inner/b'), { recursive: true });
    execFileSync('git', ['init', '-q', join(root, 'outer')]);
    execFileSync('git', ['init', '-q', join(root, 'outer/a/inner')]);
    expect(gitRoot(join(root, 'outer/a/inner/b'))).toBe(join(root, 'outer/a/inner'));
    expect(gitRoot(join(root, 'outer/a/inner'))).toBe(join(root, 'outer/a/inner'));
    expect(gitRoot(join(root, 'outer/a'))).toBe(join(root, 'outer'));
    expect(gitRoot(root)).toBeNull();
  });

  it('is that of a linked work tree inside it', () => {
    const root = join(tempFolder(), 'main');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
        stdio: 'pipe',
      });
    mkdirSync(root);
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'x');
    git('worktree', 'add', '-q', join(root, '../linked'));
    mkdirSync(join(root, '../linked/sub'));
    expect(gitRoot(join(root, '../linked/sub'))).toBe(join(root, '../linked'));
  });

  it('is no folder that only looks like one', () => {
    const root = tempFolder();
    mkdirSync(join(root, 'empty/.git'), { recursive: true });
    mkdirSync(join(root, 'odd'));
    writeFileSync(join(root, 'odd/.git'), 'not git');
    mkdirSync(join(root, 'pipe'));
    execFileSync('mkfifo', [join(root, 'pipe/.git')]);
    for (const [name, target] of [
      ['device', '/dev/zero'],
      ['linked pipe', '../pipe/.git'],
    ] as const) {
      mkdirSync(join(root, name));
      symlinkSync(target, join(root, name, '.git'));
    }
    mkdirSync(join(root, 'long'));
    writeFileSync(join(root, 'long/.git'), `gitdir: ${'x'.repeat(5_000)}`);
    for (const name of ['empty', 'odd', 'pipe', 'device', 'linked pipe', 'long', 'missing']) {
      expect(gitRoot(join(root, name))).toBeNull();
    }
  });
});

it('hashes bytes, and text as UTF-8', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('é')).toBe(sha256(Buffer.from([0xc3, 0xa9])));
});

async function problem(path: string, max = 1_000): Promise<string> {
  const result = await readTextFile(path, max);
  return result.ok ? 'none' : result.fault.message;
}

/** Permissions do not hold for root. */
async function asOrdinaryUser(act: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
