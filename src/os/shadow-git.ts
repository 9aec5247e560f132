/**
 * Snapshots of a workspace, kept in a repository of our own in the state directory. The user's repository is read to
 * learn what it ignores and tracks, and never written. A snapshot is a tree, not a commit: it needs no name, no date
 * and no signature, and the same files have the same one.
 *
 * What a tree does not hold is not kept: empty folders, times, owners, and modes other than the executable bit.
 */

import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok } from '../contract/fault.ts';
import type { Environment } from './pipes.ts';
import { diffTrees, patchOf } from './shadow-git-diff.ts';
import type { SnapshotDiff } from './shadow-git-diff.ts';
import { listFiles, type ListSpec } from './shadow-git-list.ts';
import { makeGitRunner } from './shadow-git-run.ts';
import type { GitRunner, SnapshotFault, SnapshotResult } from './shadow-git-run.ts';

/** 40 hex digits. Equal for equal content. */
export type SnapshotId = string;

export interface ShadowGit {
  /** One at a time; who comes meanwhile waits. */
  snapshot(): Promise<SnapshotResult<SnapshotId>>;
  /** To be read: capped, and characters that are not UTF-8 are replaced. */
  diff(a: SnapshotId, b: SnapshotId, maxBytes?: number): Promise<SnapshotResult<SnapshotDiff>>;
  /** To be applied with `git apply`. */
  patch(a: SnapshotId, b: SnapshotId): Promise<SnapshotResult<Buffer>>;
  /** Writes the files into a folder that is empty or not there. */
  materialise(id: SnapshotId, folder: string): Promise<SnapshotResult<null>>;
  /** What a snapshot would hold, relative to the root, sorted; names that are not UTF-8 are left out. */
  files(): Promise<SnapshotResult<readonly string[]>>;
}

export interface ShadowGitOptions {
  readonly root: string;
  readonly stateDir: string;
  /** PATH and TMPDIR are all that is taken from it. */
  readonly env: Environment;
  /** Milliseconds for one git command. */
  readonly timeout?: number;
}

interface Shadow {
  readonly git: GitRunner;
  readonly root: string;
  readonly stateDir: string;
  readonly gitDir: string;
  readonly index: string;
}

const TIMEOUT = 120_000;
const MAX_DIFF = 256 * 1024;

/** Stronger than any `.gitattributes`: what is stored is what the file holds, and what is shown is what is stored. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding !eol !diff !merge\n';

/** The caller owns the state directory: two of these at once on the same one are a bug. */
export async function openShadowGit(options: ShadowGitOptions): Promise<SnapshotResult<ShadowGit>> {
  const { root, stateDir, env, timeout = TIMEOUT } = options;
  const git = makeGitRunner({ env, timeout });
  const version = await checkVersion(git, root);
  if (!version.ok) return version;
  const gitDir = join(stateDir, 'shadow.git');
  const made = await git.run({ args: ['init', '-q', '--bare', '--template=', gitDir], cwd: root });
  if (!made.ok) return made;
  await mkdir(join(gitDir, 'info'), { recursive: true });
  await writeFile(join(gitDir, 'info/attributes'), ATTRIBUTES);
  const shadow: Shadow = { git, root, stateDir, gitDir, index: await ownIndex(gitDir) };
  const inTurn = makeQueue();
  return ok({
    snapshot: () => inTurn(() => snapshotTwice(shadow)),
    diff: (a, b, maxBytes = MAX_DIFF) =>
      withTrees(shadow, [a, b], () => diffTrees({ git, gitDir, a, b }, maxBytes)),
    patch: (a, b) => withTrees(shadow, [a, b], () => patchOf({ git, gitDir, a, b })),
    materialise: (id, folder) => withTrees(shadow, [id], () => materialise(shadow, id, folder)),
    files: () => namesOf(shadow),
  });
}

/** The same for whoever only looks, also beside an owner; null when no repository of ours is there yet. */
export async function readFiles(
  options: ShadowGitOptions,
): Promise<SnapshotResult<readonly string[] | null>> {
  const { root, stateDir, env, timeout = TIMEOUT } = options;
  const gitDir = join(stateDir, 'shadow.git');
  if ((await stat(gitDir).catch(() => null)) === null) return ok(null);
  return namesOf({ git: makeGitRunner({ env, timeout }), gitDir, root, stateDir });
}

async function namesOf(spec: ListSpec): Promise<SnapshotResult<readonly string[]>> {
  const files = await listFiles(spec);
  return files.ok ? ok(files.value.flatMap(utf8Name).sort()) : files;
}

async function checkVersion(git: GitRunner, cwd: string): Promise<SnapshotResult<null>> {
  const output = await git.run({ args: ['version'], cwd });
  if (!output.ok) return output;
  const text = output.value.bytes.toString('utf8').trim();
  return isNewEnough(text)
    ? ok(null)
    : fail({ code: 'git_old', message: `This is ${text}. Install git 2.38 or newer.` });
}

export function isNewEnough(version: string): boolean {
  const match = /^git version (\d+)\.(\d+)/.exec(version);
  const [major, minor] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  return major > 2 || (major === 2 && minor >= 38);
}

/**
 * An index of a new name, with what the newest old one knows. A git of an owner that was killed may still be at work;
 * what it writes now goes to a name that nobody reads.
 */
async function ownIndex(gitDir: string): Promise<string> {
  const index = join(gitDir, `index-${randomBytes(6).toString('hex')}`);
  const olds: { readonly path: string; readonly time: number }[] = [];
  for (const name of await readdir(gitDir)) {
    if (!/^index-/.test(name)) continue;
    const path = join(gitDir, name);
    olds.push({ path, time: name.endsWith('.lock') ? 0 : (await stat(path)).mtimeMs });
  }
  const newest = olds.sort((a, b) => b.time - a.time)[0];
  if (newest !== undefined && newest.time > 0) await copyFile(newest.path, index);
  for (const { path } of olds) await rm(path, { force: true });
  return index;
}

/** A file may become a folder between the list and the look; the second time it is listed as what it is. */
async function snapshotTwice(shadow: Shadow): Promise<SnapshotResult<SnapshotId>> {
  const first = await takeSnapshot(shadow);
  return first.ok || first.fault.code !== 'git_failed' ? first : takeSnapshot(shadow);
}

async function takeSnapshot(shadow: Shadow): Promise<SnapshotResult<SnapshotId>> {
  const { root, gitDir, index } = shadow;
  // Left by a git that we have ended.
  await rm(`${index}.lock`, { force: true });
  const files = await listFiles(shadow);
  if (!files.ok) return files;
  const isFirst = (await stat(index).catch(() => null)) === null;
  // The first time there is much to store: one pack then, instead of a file each.
  const asPack = isFirst ? ['-c', 'core.bigFileThreshold=1'] : [];
  const update = (options: readonly string[], names: readonly string[]): ReturnType<GitRunner['run']> =>
    shadow.git.run({
      args: [
        ...asPack,
        `--git-dir=${gitDir}`,
        `--work-tree=${root}`,
        'update-index',
        ...options,
        '-z',
        '--stdin',
      ],
      cwd: root,
      env: { GIT_INDEX_FILE: index },
      input: names.map((name) => `${name}\0`).join(''),
    });
  const added = await update(['--add', '--remove', '--replace'], files.value);
  if (!added.ok) return added;
  const known = await onIndex(shadow, ['ls-files', '-z']);
  if (!known.ok) return known;
  const wanted = new Set(files.value);
  const gone = known.value
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '' && !wanted.has(name));
  if (gone.length > 0) {
    const removed = await update(['--force-remove'], gone);
    if (!removed.ok) return removed;
  }
  const tree = await onIndex(shadow, ['write-tree']);
  return tree.ok ? ok(tree.value.toString('latin1').trim()) : tree;
}

async function onIndex(shadow: Shadow, args: readonly string[]): Promise<SnapshotResult<Buffer>> {
  const output = await shadow.git.run({
    args: [`--git-dir=${shadow.gitDir}`, `--work-tree=${shadow.root}`, ...args],
    cwd: shadow.root,
    env: { GIT_INDEX_FILE: shadow.index },
  });
  return output.ok ? ok(output.value.bytes) : output;
}

async function materialise(shadow: Shadow, id: SnapshotId, folder: string): Promise<SnapshotResult<null>> {
  const ready = await emptyFolder(folder);
  if (ready !== null) return fail(ready);
  const index = join(shadow.gitDir, `materialise-${randomBytes(6).toString('hex')}`);
  const run = (args: readonly string[]): ReturnType<GitRunner['run']> =>
    shadow.git.run({
      args: [`--git-dir=${shadow.gitDir}`, `--work-tree=${folder}`, ...args],
      cwd: folder,
      env: { GIT_INDEX_FILE: index },
    });
  const read = await run(['read-tree', id]);
  const written = read.ok ? await run(['checkout-index', '-a', '-q']) : read;
  await rm(index, { force: true });
  return written.ok ? ok(null) : written;
}

async function emptyFolder(folder: string): Promise<SnapshotFault | null> {
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length === 0) return null;
  } catch (error) {
    return {
      code: 'not_empty',
      message: `${folder} cannot be used: ${(error as Error).message}. Name another.`,
    };
  }
  return { code: 'not_empty', message: `${folder} is not empty. Name a folder that is not there yet.` };
}

/** A name of a tree and nothing else: `HEAD`, an option or a path would mean something to git. */
async function withTrees<T>(
  shadow: Shadow,
  ids: readonly SnapshotId[],
  use: () => Promise<SnapshotResult<T>>,
): Promise<SnapshotResult<T>> {
  for (const id of ids) {
    const fault: SnapshotFault = { code: 'no_snapshot', message: `There is no snapshot ${id.slice(0, 60)}.` };
    if (!/^[0-9a-f]{40}$/.test(id)) return fail(fault);
    const args = [`--git-dir=${shadow.gitDir}`, 'cat-file', '-e', `${id}^{tree}`];
    const found = await shadow.git.run({ args, cwd: shadow.gitDir }, [1, 128]);
    if (!found.ok) return found;
    if (found.value.exit !== 0) return fail(fault);
  }
  return use();
}

type InTurn = <T>(task: () => Promise<T>) => Promise<T>;

function makeQueue(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    // The next one starts whatever became of this one.
    last = mine.catch(() => undefined);
    return mine;
  };
}

function utf8Name(name: string): readonly string[] {
  const bytes = Buffer.from(name, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? [text] : [];
}
