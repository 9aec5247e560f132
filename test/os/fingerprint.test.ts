import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/os/fingerprint.ts';
import { tempFolder } from '../support/os.ts';

function workspace(): string {
  const root = tempFolder();
  for (const folder of ['src', '.git', 'node_modules/x', '.state'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, '.gitignore'), 'ignored\nnode_modules\n');
  for (const file of [
    'src/a',
    'src/b',
    '.git/HEAD',
    'node_modules/x/index',
    'ignored',
    '.state/journal.db',
  ]) {
    writeFileSync(join(root, file), `content of ${file}\n`);
    // Whole seconds can be set back exactly.
    utimesSync(join(root, file), 1_000, 1_000);
  }
  symlinkSync('a', join(root, 'src/link'));
  return root;
}

function print(root: string): Promise<string | null> {
  return fingerprint({ workspace: root, stateDir: join(root, '.state') });
}

describe('equals itself', () => {
  it('when nothing happened', async () => {
    const root = workspace();
    const before = await print(root);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(await print(root)).toBe(before);
  });

  it('when something was read', async () => {
    const root = workspace();
    const before = await print(root);
    readFileSync(join(root, 'src/a'));
    expect(await print(root)).toBe(before);
  });

  it('when the state directory changed', async () => {
    const root = workspace();
    const before = await print(root);
    writeFileSync(join(root, '.state/journal.db'), 'other');
    writeFileSync(join(root, '.state/journal.db-wal'), 'new');
    writeFileSync(join(root, '.state/owner'), 'new');
    expect(await print(root)).toBe(before);
  });

  it('but not when somebody keeps things of their own in the state directory', async () => {
    const root = workspace();
    const before = await print(root);
    writeFileSync(join(root, '.state/out'), 'built');
    const after = await print(root);
    expect(after).not.toBe(before);
    rmSync(join(root, '.state/out'));
    expect(await print(root)).not.toBe(after);
  });

  it('when the workspace is reached by a symbolic link', async () => {
    const root = workspace();
    const link = join(tempFolder(), 'link');
    symlinkSync(root, link);
    expect(await print(link)).toBe(await print(root));
  });
});

const EDITS: readonly (readonly [string, (root: string) => void])[] = [
  [
    'a file is written anew with the same size and its old times',
    (root) => rewriteUnseen(join(root, 'src/a')),
  ],
  ['a file is written again as it was', (root) => rewrite(join(root, 'src/a'))],
  ['a file becomes executable', (root) => chmodSync(join(root, 'src/a'), 0o755)],
  ['a file is new', (root) => writeFileSync(join(root, 'src/new'), '')],
  ['a folder is new', (root) => mkdirSync(join(root, 'src/folder'))],
  ['a file is gone', (root) => unlinkSync(join(root, 'src/b'))],
  ['a file has another name', (root) => renameSync(join(root, 'src/b'), join(root, 'src/c'))],
  ['two files have changed places', (root) => swap(join(root, 'src/a'), join(root, 'src/b'))],
  ['a link leads elsewhere', (root) => relink(join(root, 'src/link'))],
  ['a file has a second name', (root) => linkSync(join(root, 'src/a'), join(root, 'src/hard'))],
  ['an ignored file changed', (root) => rewriteUnseen(join(root, 'ignored'))],
  ['an ignored folder changed', (root) => rewriteUnseen(join(root, 'node_modules/x/index'))],
  ['git changed something of its own', (root) => rewriteUnseen(join(root, '.git/HEAD'))],
  ['a name that is not UTF-8 is new', (root) => writeFileSync(Buffer.from(`${root}/\xff`, 'latin1'), '')],
];

describe('changes', () => {
  it.each(EDITS)('when %s', async (_, edit) => {
    const root = workspace();
    const before = await print(root);
    edit(root);
    const after = await print(root);
    expect(after).not.toBeNull();
    expect(after).not.toBe(before);
    expect(await print(root)).toBe(after);
  });

  it('when it is edited right after it was taken, however fast', async () => {
    const root = workspace();
    const file = join(root, 'src/a');
    for (let i = 0; i < 20; i++) {
      // The file is as new as can be when the fingerprint is taken.
      writeFileSync(file, String(i % 10));
      const before = await print(root);
      writeFileSync(file, String((i + 1) % 10));
      expect(await print(root)).not.toBe(before);
    }
  });

  it('at every one of some random edits', async () => {
    const edits = fc.array(fc.constantFrom(...EDITS), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(edits, async (chosen) => {
        const root = workspace();
        const seen = new Set([await print(root)]);
        for (const [, edit] of chosen) {
          if (!attempt(() => edit(root))) continue;
          const next = await print(root);
          expect(seen.has(next)).toBe(false);
          seen.add(next);
        }
        expect(seen.has(null)).toBe(false);
      }),
      { numRuns: 15 },
    );
  });
});

describe('gives up', () => {
  it('when there is too much', async () => {
    const root = workspace();
    expect(await fingerprint({ workspace: root, stateDir: join(root, '.state'), maxEntries: 10 })).toBeNull();
  });

  it('when it takes too long', async () => {
    const root = workspace();
    for (let i = 0; i < 600; i++) writeFileSync(join(root, String(i)), '');
    expect(await fingerprint({ workspace: root, stateDir: join(root, '.state'), maxTime: 0 })).toBeNull();
  });

  it('when there is no workspace', async () => {
    expect(await print('/no/such/folder')).toBeNull();
  });

  it('when the state directory is all there is', async () => {
    const root = workspace();
    expect(await fingerprint({ workspace: root, stateDir: root })).toBeNull();
    expect(await fingerprint({ workspace: join(root, 'src'), stateDir: root })).toBeNull();
  });

  it('when something changes all the time', async () => {
    const root = workspace();
    const stop = new AbortController();
    const writer = (async () => {
      while (!stop.signal.aborted) {
        writeFileSync(join(root, 'src/a'), 'x');
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    expect(await print(root)).toBeNull();
    stop.abort();
    await writer;
  });
});

it('takes a state that stands still though files vanished on the way', async () => {
  const root = workspace();
  for (let i = 0; i < 1_200; i++) writeFileSync(join(root, 'src', String(i)), '');
  // From now on it stands still, so the first walk alone would do.
  await print(root);
  const taking = print(root);
  // The walk gives way after some hundred entries; the names it has read by then are gone when it gets there.
  setImmediate(() => rmSync(join(root, 'src'), { recursive: true }));
  const taken = await taking;
  expect(taken).not.toBeNull();
  expect(taken).toBe(await print(root));
});

function rewriteUnseen(file: string): void {
  const { atime, mtime, size } = lstatSync(file);
  writeFileSync(file, 'x'.repeat(size));
  utimesSync(file, atime, mtime);
}

function rewrite(file: string): void {
  writeFileSync(file, readFileSync(file));
}

function swap(a: string, b: string): void {
  renameSync(a, `${a}.tmp`);
  renameSync(b, a);
  renameSync(`${a}.tmp`, b);
}

function relink(link: string): void {
  unlinkSync(link);
  symlinkSync('b', link);
}

/** False when an earlier edit has taken away what this one needs. */
function attempt(edit: () => void): boolean {
  try {
    edit();
    return true;
  } catch {
    return false;
  }
}
