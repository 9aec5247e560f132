/** The patch between two snapshots, for whoever only looks: nothing is made or changed, and no owner is disturbed. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../contract/fault.ts';
import type { Environment } from './pipes.ts';
import type { SnapshotId } from './shadow-git.ts';
import { patchOf } from './shadow-git-diff.ts';
import { makeGitRunner, type SnapshotResult } from './shadow-git-run.ts';

export interface PatchOptions {
  readonly stateDir: string;
  /** PATH and TMPDIR are all that is taken from it. */
  readonly env: Environment;
}

const TIMEOUT = 60_000;

/** To be applied with `git apply`; empty when there is no difference. */
export async function patchBetween(
  { stateDir, env }: PatchOptions,
  a: SnapshotId,
  b: SnapshotId,
): Promise<SnapshotResult<Buffer>> {
  const gitDir = join(stateDir, 'shadow.git');
  const stranger = [a, b].find((id) => !/^[0-9a-f]{40}$/.test(id));
  if (stranger !== undefined || !existsSync(gitDir)) {
    return fail({ code: 'no_snapshot', message: 'The snapshots of this run are not there any more.' });
  }
  return patchOf({ git: makeGitRunner({ env, timeout: TIMEOUT }), gitDir, a, b });
}
