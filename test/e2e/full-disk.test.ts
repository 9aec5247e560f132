/** A disk that fills up under a run, made real by a small file system in a mount namespace of its own. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test, type Rig } from '../support/rig.ts';

interface SmallDisk {
  /** Runs a program inside the namespace, where the workspace is the small disk. */
  readonly through: readonly string[];
  /** The workspace as it is seen from outside. */
  readonly path: string;
  /** Takes all the space there is. */
  readonly fill: () => void;
  readonly free: () => void;
  readonly close: () => Promise<void>;
}

/** As root a mount namespace is enough; others need a user namespace around it, which most systems grant. */
async function smallDisk(rig: Rig, megabytes: number): Promise<SmallDisk> {
  const root = process.getuid?.() === 0;
  const script = `mount -t tmpfs -o size=${megabytes}m tmpfs "$1" && echo ready && exec sleep 1000`;
  const holder = spawn('unshare', [...(root ? ['-m'] : ['-rm']), 'sh', '-c', script, 'sh', rig.workspace], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')])) as [
    Buffer | number,
  ];
  if (!Buffer.isBuffer(said)) {
    throw new Error('This test mounts a small disk: run it as root, or where user namespaces are allowed.');
  }
  const path = join(`/proc/${holder.pid ?? 0}/root`, rig.workspace);
  const fillers: string[] = [];
  return {
    path,
    through: [
      'nsenter',
      '-t',
      String(holder.pid),
      ...(root ? ['-m'] : ['-U', '--preserve-credentials', '-m']),
      '--',
    ],
    fill() {
      const { bavail, bsize } = statfsSync(path);
      const filler = join(path, `filler-${fillers.length}`);
      fillers.push(filler);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
      expect(statfsSync(path).bavail).toBe(0);
    },
    free: () => fillers.splice(0).forEach((filler) => rmSync(filler)),
    async close() {
      holder.kill('SIGKILL');
      if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit');
    },
  };
}

describe('a disk that is full', () => {
  test('ends a run with exit code 5, and it is gone on with when there is space again', async ({ rig }) => {
    const [a, b] = [rig.puppet('a'), rig.puppet('b')];
    const plan = rig.plan({
      nodes: [
        { slug: 'a', run: a.command },
        { slug: 'b', deps: ['a'], run: b.command },
      ],
    });
    const disk = await smallDisk(rig, 4);
    try {
      const { through } = disk;
      const owner = rig.start(['run', plan], { through });
      const call = await a.called();
      disk.fill();
      // More than the write-ahead log has room for within its present pages.
      call.print('x'.repeat(400_000));
      call.exit(0);
      const { exit, stderr } = await owner.ended;
      expect(exit).toBe(5);
      expect(stderr).toContain('The disk is full');
      expect(stderr).toContain('run the command again');
      expect(b.calls()).toBe(0);
      expect(rig.alive()).toEqual([]);

      // What SQLite tidied away when it closed has given room again.
      disk.fill();
      const refused = await rig.run(['resume'], { through });
      expect(refused.exit).toBe(5);
      expect(refused.stderr).toMatch(/disk is full|No space/);

      disk.free();
      const resumed = rig.start(['resume'], { through });
      const again = await a.called();
      again.exit(0);
      (await b.called()).exit(0);
      expect(await resumed.ended).toMatchObject({ exit: 0, stderr: '' });
    } finally {
      await disk.close();
    }
  });

  test('lets no run begin, and a first journal is not left half made', async ({ rig }) => {
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'true' }] });
    const disk = await smallDisk(rig, 1);
    try {
      const { through } = disk;
      disk.fill();
      const { exit, stdout, stderr } = await rig.run(['run', plan], { through });
      expect([exit, stdout]).toEqual([5, '']);
      expect(stderr).toMatch(/disk is full|No space/);
      expect(existsSync(join(disk.path, '.goalgraph/journal.db'))).toBe(false);
      disk.free();
      expect((await rig.run(['run', plan], { through })).exit).toBe(0);
    } finally {
      await disk.close();
    }
  });
});
