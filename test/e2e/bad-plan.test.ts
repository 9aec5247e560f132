/** Plan files that are none: named, with the place and the fix; nothing is started and no state directory is made. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { asOrdinaryUser, inLanes, test, type Rig } from '../support/rig.ts';

interface Row {
  readonly name: string;
  /** Puts it in its place, if there is anything to put. */
  readonly make: (path: string) => void;
  /** What the message holds besides the name. */
  readonly words: readonly string[];
}

const content =
  (data: string | Uint8Array): Row['make'] =>
  (path) =>
    writeFileSync(path, data);

const node = (slug: string, deps: readonly string[], run = `touch ${slug}`) => ({
  slug,
  title: slug,
  spec: slug,
  deps,
  run,
  checks: [{ run: 'test -d .' }],
});

const json = (nodes: readonly unknown[]) => JSON.stringify({ objective: 'x', nodes }, null, 1);

const ROWS: readonly Row[] = [
  { name: 'missing.md', make: () => undefined, words: ['does not exist'] },
  { name: 'folder.md', make: (path) => mkdirSync(path), words: ['is a folder'] },
  { name: 'empty.md', make: content(''), words: ['is empty'] },
  { name: 'blank.json', make: content(' \n\n'), words: ['is empty'] },
  {
    name: 'binary.md',
    make: content(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2])),
    words: ['not a text file'],
  },
  {
    name: 'latin1.md',
    make: content(Buffer.from('# X\n\n## a: Caf\xe9\n', 'latin1')),
    words: ['UTF-8', 'line 3'],
  },
  { name: 'utf16.md', make: content(Buffer.from('\ufeff# X', 'utf16le')), words: ['UTF-16', 'UTF-8'] },
  { name: 'huge.md', make: content('x'.repeat(16 * 1024 * 1024 + 1)), words: ['larger than'] },
  { name: 'loop.md', make: (path) => symlinkSync(path, path), words: ['symbolic link'] },
  { name: 'pipe.md', make: (path) => void execFileSync('mkfifo', [path]), words: ['is a pipe'] },
  { name: 'half.json', make: content(json([node('a', [])]).slice(0, 60)), words: ['half.json:', 'parse'] },
  { name: 'list.json', make: content('[]'), words: ['list.json', 'parse'] },
  {
    name: 'half.md',
    make: content('# X\n\n## a: A\ncheck:\n```\nnpm test\n'),
    words: ['half.md:5', 'never closed'],
  },
  { name: 'prose.md', make: content('Once upon a time there was no plan.\n'), words: ['prose.md', 'empty'] },
  {
    name: 'cycle.json',
    make: content(json([node('a', ['c']), node('b', ['a']), node('c', ['b']), node('d', ['c'])])),
    words: ['cycle', 'a', 'b', 'c'],
  },
  {
    name: 'unknown.json',
    make: content(json([node('alpha', []), node('b', ['alhpa'])])),
    words: ['alhpa', 'alpha'],
  },
  { name: 'selfdep.json', make: content(json([node('a', ['a'])])), words: ['self_dep'] },
  { name: 'twice.json', make: content(json([node('a', []), node('A', [])])), words: ['duplicate_slug'] },
  {
    name: 'reserved.json',
    make: content(json([node('gn-final', [])])),
    words: ['reserved_slug', 'gn-final'],
  },
  {
    name: 'unproven.json',
    make: content(json([{ ...node('a', []), checks: [{ run: 'true' }] }])),
    words: ['unverifiable', 'true'],
  },
  {
    name: 'nowhere.json',
    make: content(JSON.stringify({ objective: 'x', workspace: 'not/there', nodes: [node('a', [])] })),
    words: ['not/there'],
  },
];

async function refused(rig: Rig, command: string, { name, words }: Row): Promise<void> {
  const path = join(rig.root, name);
  const { exit, stdout, stderr } = await rig.run([command, path]);
  expect({ command, name, exit, stdout }).toEqual({ command, name, exit: 2, stdout: '' });
  for (const word of [name, ...words]) expect(stderr, `${command} ${name}`).toContain(word);
}

describe('a plan file that is none', () => {
  test('is refused with its name, the place and the fix, by run as by check', async ({ rig }) => {
    for (const row of ROWS) row.make(join(rig.root, row.name));
    await inLanes(3, ROWS, async (row) => {
      await refused(rig, 'run', row);
      if (row.name !== 'nowhere.json') await refused(rig, 'check', row);
    });
    expect(readdirSync(rig.workspace)).toEqual([]);
  });

  test('has all of its faults told at once', async ({ rig }) => {
    const path = join(rig.root, 'many.json');
    writeFileSync(path, json([node('a b', []), node('b', ['zzz']), node('c', ['c']), node('d', [], '')]));
    const { exit, stderr } = await rig.run(['run', path]);
    expect(exit).toBe(2);
    for (const code of ['bad_slug', 'unknown_dep', 'self_dep']) expect(stderr).toContain(`[${code}]`);
    expect(stderr).toMatch(/\d faults: nothing was started\.\n$/);
  });

  test('may not be readable for who asks', async ({ rig }) => {
    const who = asOrdinaryUser(rig);
    const path = rig.plan({ nodes: [{ slug: 'a', run: 'true' }] });
    execFileSync('chmod', ['000', path]);
    const { exit, stderr } = await rig.run(['run', path], who);
    expect(exit).toBe(2);
    expect(stderr).toContain(`${path} may not be read`);
    expect(readdirSync(rig.workspace)).toEqual([]);
  });
});

describe('a plan that is refused', () => {
  test('leaves a run that is there alone', async ({ rig }) => {
    const a = rig.puppet('a');
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }] })]);
    const call = await a.called();
    const bad = join(rig.root, 'bad.json');
    writeFileSync(bad, '{');
    expect((await rig.run(['run', bad])).exit).toBe(2);
    expect((await rig.status()).status).toBe('running');
    call.exit(0);
    expect((await owner.ended).exit).toBe(0);
  });
});
