import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAtSnapshot } from '../../src/os/shadow-git-read.ts';
import { openShadowGit } from '../../src/os/shadow-git.ts';
import { tempFolder } from '../support/os.ts';

const env = { PATH: process.env['PATH'] };

async function rig() {
  const root = tempFolder();
  const stateDir = join(root, '.state');
  mkdirSync(join(root, 'sub'));
  mkdirSync(stateDir);
  writeFileSync(join(root, 'sub/a b.txt'), 'old\n');
  symlinkSync('sub', join(root, 'link'));
  const opened = await openShadowGit({ root, stateDir, env });
  if (!opened.ok) throw new Error(opened.fault.message);
  const id = await opened.value.snapshot();
  if (!id.ok) throw new Error(id.fault.message);
  const read = (path: string, snapshot = id.value, maxBytes = 100) =>
    readAtSnapshot({ stateDir, env, maxBytes }, snapshot, path);
  return { root, read };
}

it('reads a file as it was, whatever has become of it', async () => {
  const { root, read } = await rig();
  writeFileSync(join(root, 'sub/a b.txt'), 'new\n');
  expect(await read('sub/a b.txt')).toEqual({ ok: true, value: Buffer.from('old\n') });
  expect(await read('link')).toEqual({ ok: true, value: Buffer.from('sub') });
});

it('says null for what the snapshot has no file for', async () => {
  const { read } = await rig();
  for (const path of ['none', 'sub', 'link/a b.txt', './sub/a b.txt', '../x', '', '.']) {
    expect(await read(path)).toEqual({ ok: true, value: null });
  }
});

it('is a fault when there is no such snapshot, or the file is too large', async () => {
  const { read } = await rig();
  for (const id of ['0'.repeat(40), 'HEAD', '--help']) {
    expect(await read('sub/a b.txt', id)).toMatchObject({ ok: false, fault: { code: 'no_snapshot' } });
  }
  expect(await read('sub/a b.txt', undefined, 2)).toMatchObject({ ok: false, fault: { code: 'too_large' } });
});
