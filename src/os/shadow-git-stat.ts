/** The files that differ between two snapshots, with their counts of lines, for whoever only looks. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok } from '../contract/fault.ts';
import type { SnapshotId } from './shadow-git.ts';
import { diffTrees, type ChangedFile } from './shadow-git-diff.ts';
import type { PatchOptions } from './shadow-git-patch.ts';
import { makeGitRunner, type SnapshotResult } from './shadow-git-run.ts';

const TIMEOUT = 20_000;

/** Bytes of a patch that nobody reads: it is ended at once. */
const NO_PATCH = 0;

export async function filesBetween(
  { stateDir, env }: PatchOptions,
  a: SnapshotId,
  b: SnapshotId,
): Promise<SnapshotResult<readonly ChangedFile[]>> {
  if (a === b) return ok([]);
  const gitDir = join(stateDir, 'shadow.git');
  const stranger = [a, b].some((id) => !/^[0-9a-f]{40}$/.test(id));
  if (stranger || !existsSync(gitDir)) {
    return fail({ code: 'no_snapshot', message: 'The snapshots of this run are not there any more.' });
  }
  const spec = { git: makeGitRunner({ env, timeout: TIMEOUT }), gitDir, a, b };
  const diff = await diffTrees(spec, NO_PATCH);
  return diff.ok ? ok(diff.value.files) : diff;
}
