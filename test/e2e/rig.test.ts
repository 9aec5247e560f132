/** The rig itself: a test that leaves something behind, or a command line that crashes, must not pass. */

import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bearersOfMark, MARK } from '../support/rig-processes.ts';
import { withRig } from '../support/rig.ts';

test('the rig tells of a process that is left behind, and ends it', async () => {
  let root = '';
  let mark = '';
  const use = withRig((rig) => {
    ({ root } = rig);
    mark = rig.env[MARK] ?? '';
    const child = spawn('sleep', ['1000'], { env: rig.env, detached: true, stdio: 'ignore' });
    return new Promise<void>((resolve) => child.once('spawn', resolve));
  });
  await expect(use).rejects.toThrow(/^left behind: process \d+ \(sleep 1000\)$/);
  expect(bearersOfMark(mark)).toEqual([]);
  expect(existsSync(root)).toBe(false);
});

test('the rig tells of a command line that is still going, and ends it with its children', async () => {
  let mark = '';
  const use = withRig(async (rig) => {
    mark = rig.env[MARK] ?? '';
    rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: 'exec sleep 1000' }] })]);
    while (!rig.alive().some(({ command }) => command === 'sleep 1000')) await new Promise(setImmediate);
  });
  await expect(use).rejects.toThrow(/left behind: process \d+ \(sleep 1000\)/);
  expect(bearersOfMark(mark)).toEqual([]);
});

test('the rig tells of temporary files that are left behind', async () => {
  const use = withRig((rig) => {
    writeFileSync(join(rig.env['TMPDIR'] ?? '', 'litter'), '');
    return Promise.resolve();
  });
  await expect(use).rejects.toThrow('left behind in TMPDIR: litter');
});
