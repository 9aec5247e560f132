/**
 * Throw-away copies of the workspace, for skeptics and for checks that are run again. Each lies in the state
 * directory, which the sandbox hides but for the copy that is worked in.
 */

import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import { nothingIfGone, provideIgnored } from './copy-ignored.ts';
import type { ShadowGit, SnapshotId } from './shadow-git.ts';
import type { SnapshotFaultCode } from './shadow-git-run.ts';

export interface CopyFault {
  /** `io`: the system's own words are in the message. */
  readonly code: SnapshotFaultCode | 'io';
  /** For a person; the last sentence says what to do next. */
  readonly message: string;
}

export interface Copy {
  /** Absolute and real. */
  readonly root: string;
  /** What cannot be removed now is removed at the next start. */
  remove(): Promise<void>;
}

export interface Copies {
  /** The snapshot, with what git ignores in the workspace beside it. */
  copy(tree: SnapshotId): Promise<Result<Copy, CopyFault>>;
  /** Puts these paths of the copy back to what they were in `base`; those that it did not have are removed. */
  restore(copy: Copy, base: SnapshotId, paths: readonly string[]): Promise<Result<null, CopyFault>>;
}

export interface CopiesOptions {
  readonly shadow: Pick<ShadowGit, 'materialise' | 'files'>;
  /** The workspace; absolute. */
  readonly root: string;
  readonly stateDir: string;
}

const FOLDER = 'copies';

const NO_SPACE: CopyFault = {
  code: 'no_space',
  message: 'No space is left for a copy of the workspace. Free some and try again.',
};

export function makeCopies(options: CopiesOptions): Copies {
  return {
    copy: (tree) => asValue(() => makeCopy(options, tree)),
    restore: (copy, base, paths) => asValue(() => restore(options, { copy, base, paths })),
  };
}

/** Removes what a dead owner has left. To be called by the owner of the state directory, before any copy is made. */
export function clearCopies(stateDir: string): Promise<Result<null, CopyFault>> {
  return asValue(async () => {
    await removeTree(join(stateDir, FOLDER));
    return ok(null);
  });
}

async function makeCopy(options: CopiesOptions, tree: SnapshotId): Promise<Result<Copy, CopyFault>> {
  const { shadow, stateDir } = options;
  const folder = newFolder(stateDir);
  const made = await asValue(async () => {
    const written = await writeOut(shadow, tree, folder);
    if (!written.ok) return written;
    const listed = await shadow.files();
    if (!listed.ok) return listed;
    const root = realpathSync(folder);
    const real = { root: realpathSync(options.root), stateDir: realpathSync(stateDir) };
    await provideIgnored({ ...real, copy: root, listed: listed.value });
    return ok({ root, remove: () => removeQuietly(folder) });
  });
  if (!made.ok) await removeQuietly(folder);
  return made;
}

async function writeOut(
  shadow: CopiesOptions['shadow'],
  id: SnapshotId,
  folder: string,
): Promise<Result<null, CopyFault>> {
  const written = await shadow.materialise(id, folder);
  if (written.ok || written.fault.code !== 'git_failed') return written;
  // Of a file that it could open and not write git does not say why; there is hardly another reason.
  return written.fault.message.includes('unable to write file') ? fail(NO_SPACE) : written;
}

interface Restore {
  readonly copy: Copy;
  readonly base: SnapshotId;
  readonly paths: readonly string[];
}

async function restore(
  { shadow, stateDir }: CopiesOptions,
  { copy, base, paths }: Restore,
): Promise<Result<null, CopyFault>> {
  const stranger = paths.find((path) => !isInside(path));
  if (stranger !== undefined) return fail({ code: 'io', message: `${stranger} is no path of a snapshot.` });
  const folder = newFolder(stateDir);
  try {
    const written = await writeOut(shadow, base, folder);
    if (!written.ok) return written;
    // All go before any comes: one may have been a folder, and be a file in its base.
    for (const path of paths) await removePath(copy.root, path);
    for (const path of paths) await bringBack(folder, copy.root, path);
    return ok(null);
  } finally {
    await removeQuietly(folder);
  }
}

function isInside(path: string): boolean {
  return (
    path !== '' && normalize(path) === path && !/^(?:\/|\.\.?(?:\/|$))|(?:^|\/)\.git(?:\/|$)/i.test(path)
  );
}

/** Never through a link: the copy holds links that lead out of it. */
async function removePath(root: string, path: string): Promise<void> {
  const names = path.split('/');
  for (const [i] of names.entries()) {
    const at = join(root, ...names.slice(0, i + 1));
    const found = await lstat(at).catch(nothingIfGone);
    if (found === null || (!found.isDirectory() && i < names.length - 1)) return;
    if (i === names.length - 1) await removeTree(at);
  }
}

async function bringBack(from: string, root: string, path: string): Promise<void> {
  const source = join(from, path);
  if (!(await isReal(from, path))) return;
  let at = root;
  for (const name of path.split('/').slice(0, -1)) {
    at = join(at, name);
    const found = await lstat(at).catch(nothingIfGone);
    if (found !== null && !found.isDirectory()) await rm(at);
    await mkdir(at, { recursive: true });
  }
  await rename(source, join(root, path));
}

/** Whether the base has it, and has it at this place and not behind a link. */
async function isReal(root: string, path: string): Promise<boolean> {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    if ((await lstat(join(root, at)).catch(nothingIfGone))?.isDirectory() !== true) return false;
  }
  return (await lstat(join(root, path)).catch(nothingIfGone)) !== null;
}

function newFolder(stateDir: string): string {
  return join(stateDir, FOLDER, randomBytes(8).toString('hex'));
}

async function removeQuietly(folder: string): Promise<void> {
  await removeTree(folder).catch(() => undefined);
}

async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // What was run in it may have taken its own right to write away.
    await unlock(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function unlock(path: string): Promise<void> {
  const found = await lstat(path).catch(nothingIfGone);
  if (found?.isDirectory() !== true) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await unlock(join(path, name));
}

async function asValue<T>(task: () => Promise<Result<T, CopyFault>>): Promise<Result<T, CopyFault>> {
  try {
    return await task();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string') throw error;
    return fail(faultOf(error as NodeJS.ErrnoException));
  }
}

function faultOf({ code, message }: NodeJS.ErrnoException): CopyFault {
  if (code === 'ENOSPC' || code === 'EDQUOT') return NO_SPACE;
  return {
    code: 'io',
    message: `A copy of the workspace could not be handled: ${message}. Mend that first.`,
  };
}
