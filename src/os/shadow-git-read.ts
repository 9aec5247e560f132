/** One file as it is in a snapshot, without writing the snapshot out. */

import { join } from 'node:path';
import { fail, ok } from '../contract/fault.ts';
import type { Environment } from './pipes.ts';
import type { SnapshotId } from './shadow-git.ts';
import { makeGitRunner } from './shadow-git-run.ts';
import type { SnapshotResult } from './shadow-git-run.ts';

export interface SnapshotReadOptions {
  readonly stateDir: string;
  /** PATH and TMPDIR are all that is taken from it. */
  readonly env: Environment;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly maxBytes?: number;
}

const TIMEOUT = 30_000;
const MAX_BYTES = 1024 * 1024;

/** Null when the snapshot has no file at this place. A link is read as the path it leads to. */
export async function readAtSnapshot(
  options: SnapshotReadOptions,
  id: SnapshotId,
  path: string,
): Promise<SnapshotResult<Buffer | null>> {
  const { stateDir, env, timeout = TIMEOUT, maxBytes = MAX_BYTES } = options;
  const none = { code: 'no_snapshot', message: `There is no snapshot ${id.slice(0, 60)}.` } as const;
  if (!/^[0-9a-f]{40}$/.test(id)) return fail(none);
  const git = makeGitRunner({ env, timeout });
  const gitDir = join(stateDir, 'shadow.git');
  const run = (args: readonly string[]): ReturnType<typeof git.run> =>
    git.run({ args: [`--git-dir=${gitDir}`, 'cat-file', ...args], cwd: stateDir, maxBytes }, [1, 128]);
  const tree = await run(['-e', `${id}^{tree}`]);
  if (!tree.ok) return tree;
  if (tree.value.exit !== 0) return fail(none);
  // To git, a path that begins with a dot and a slash is relative to where it runs.
  if (/^\.{1,2}(?:\/|$)/.test(path)) return ok(null);
  const file = await run(['blob', `${id}:${path}`]);
  if (!file.ok) return file;
  if (file.value.cut) return fail({ code: 'too_large', message: `${path} is too large to be read whole.` });
  return ok(file.value.exit === 0 ? file.value.bytes : null);
}
