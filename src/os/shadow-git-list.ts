/**
 * The files of a workspace as git sees them: what is not ignored, and what is ignored but tracked by the user's git.
 * A repository within the workspace counts as the plain files it consists of, each by its own rules of ignoring.
 *
 * Paths are relative to the root and have one character for each byte.
 */

import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fail, ok } from '../contract/fault.ts';
import { gitRoot, readSmallFile } from './git-root.ts';
import type { GitRunner, SnapshotResult } from './shadow-git-run.ts';

export interface ListSpec {
  readonly git: GitRunner;
  /** A repository of ours that lends its rules: the user's configuration has no say in what is listed. */
  readonly gitDir: string;
  readonly root: string;
  readonly stateDir: string;
}

/** Repositories in repositories; more is a package folder that nobody told git to ignore. */
const MOST_NESTED = 200;

export async function listFiles(spec: ListSpec): Promise<SnapshotResult<readonly string[]>> {
  const root = realpathSync(spec.root);
  const top = await topOf(spec, root);
  if (!top.ok) return top;
  const leftOut = stateInside(spec, root);
  const found = new Set<string>();
  const todo: Repository[] = [{ top: top.value, folder: root, prefix: '' }];
  for (let seen = 0; todo.length > 0; seen++) {
    if (seen > MOST_NESTED) return fail(tooMany());
    const repository = todo.pop();
    if (repository === undefined) break;
    const names = await listRepository(spec, repository, repository.prefix === '' ? leftOut : null);
    if (!names.ok) return names;
    for (const name of names.value) {
      const path = repository.prefix + name;
      if (isLeftOut(path, leftOut)) continue;
      const nested = nestedFolder(root, path);
      if (nested === null) found.add(path);
      else todo.push({ top: nested, folder: nested, prefix: `${path.replace(/\/$/, '')}/` });
    }
  }
  return ok([...found].sort());
}

interface Repository {
  /** The folder that patterns are relative to. */
  readonly top: string;
  /** The folder that is listed: `top` or below. */
  readonly folder: string;
  readonly prefix: string;
}

/** The workspace may be a folder within a work tree, and obeys its rules then, unless they ignore all of it. */
async function topOf(spec: ListSpec, root: string): Promise<SnapshotResult<string>> {
  const top = gitRoot(root);
  if (top === null || top === root) return ok(root);
  const check = ['check-ignore', '-q', '--no-index', '--', relative(top, root)];
  const ignored = await spec.git.run({ args: [...at(spec, top), ...check], cwd: top }, [1]);
  return ignored.ok ? ok(ignored.value.exit === 0 ? root : top) : ignored;
}

async function listRepository(
  spec: ListSpec,
  repository: Repository,
  leftOut: string | null,
): Promise<SnapshotResult<readonly string[]>> {
  const { top, folder } = repository;
  const none = join(spec.gitDir, 'no-index');
  // Spared, not only left out: our own objects would be looked at one by one.
  const spared = leftOut === null ? [] : [`--exclude=/${escaped(relative(top, join(folder, leftOut)))}`];
  const others = await spec.git.run({
    args: [...at(spec, top), 'ls-files', '-z', '--others', '--exclude-standard', ...spared],
    cwd: folder,
    env: { GIT_INDEX_FILE: none },
  });
  if (!others.ok) return others;
  const gitDir = gitDirOf(top);
  if (gitDir === null || !existsSync(join(gitDir, 'index'))) return ok(namesIn(others.value.bytes));
  // The user's own repository is asked, for no other knows how its index is built. This reads only.
  const tracked = await spec.git.run({
    args: [
      `--git-dir=${gitDir}`,
      `--work-tree=${top}`,
      'ls-files',
      '-z',
      '--cached',
      '--ignored',
      '--exclude-standard',
    ],
    cwd: folder,
  });
  if (!tracked.ok) return tracked;
  return ok([
    ...namesIn(others.value.bytes),
    ...namesIn(tracked.value.bytes).filter((name) => isThere(folder, name)),
  ]);
}

function at(spec: ListSpec, top: string): readonly string[] {
  const gitDir = gitDirOf(top);
  const exclude = gitDir === null ? null : join(commonDirOf(gitDir), 'info/exclude');
  const excludes = `core.excludesFile=${exclude ?? '/dev/null'}`;
  return ['-c', excludes, `--git-dir=${spec.gitDir}`, `--work-tree=${top}`];
}

/** Where a work tree keeps its repository: `.git`, or where the file of that name points to. */
function gitDirOf(top: string): string | null {
  const entry = join(top, '.git');
  try {
    if (statSync(entry).isDirectory()) return canBeAsked(entry) ? entry : null;
    const target = /^gitdir: (.*?)\r?\n?$/.exec(readSmallFile(entry) ?? '')?.[1];
    const path = target === undefined ? null : resolve(top, target);
    return path !== null && canBeAsked(path) ? path : null;
  } catch {
    return null;
  }
}

function commonDirOf(gitDir: string): string {
  const text = readSmallFile(join(gitDir, 'commondir'));
  return text === null ? gitDir : resolve(gitDir, text.trim());
}

/** Git, too, would wait for a pipe in the place of one of these, or read a device to its end. */
function canBeAsked(gitDir: string): boolean {
  if (readSmallFile(join(gitDir, 'HEAD')) === null) return false;
  const pointer = join(gitDir, 'commondir');
  if (isThere(gitDir, 'commondir') && readSmallFile(pointer) === null) return false;
  const common = commonDirOf(gitDir);
  const read = ['index', 'config.worktree', 'info/sparse-checkout'].map((name) => join(gitDir, name));
  read.push(join(common, 'config'), join(common, 'info/exclude'));
  return read.every((path) => statSync(path, { throwIfNoEntry: false })?.isFile() !== false);
}

/** Git gives a repository within as a folder, with a slash; a tracked submodule without. */
function nestedFolder(root: string, path: string): string | null {
  const folder = Buffer.from(`${latin1(root)}/${path}`, 'latin1');
  const isFolder =
    path.endsWith('/') || (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false);
  return isFolder ? folder.toString('utf8').replace(/\/$/, '') : null;
}

function isThere(folder: string, name: string): boolean {
  return (
    lstatSync(Buffer.from(`${latin1(folder)}/${name}`, 'latin1'), { throwIfNoEntry: false }) !== undefined
  );
}

/** The state directory relative to the root; null when it lies elsewhere. */
function stateInside(spec: ListSpec, root: string): string | null {
  const state = existsSync(spec.stateDir) ? realpathSync(spec.stateDir) : resolve(spec.stateDir);
  const inside = relative(root, state);
  return inside === '' || inside.startsWith('..') ? null : inside;
}

/** Also what no index takes: a `.git` of any case, which on some systems is the repository itself. */
function isLeftOut(path: string, leftOut: string | null): boolean {
  if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) return true;
  return leftOut !== null && `${path.replace(/\/$/, '')}/`.startsWith(`${latin1(leftOut)}/`);
}

function escaped(path: string): string {
  return path.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
}

function namesIn(bytes: Buffer): readonly string[] {
  return bytes
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '');
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function tooMany(): { readonly code: 'too_large'; readonly message: string } {
  const message = `There are more than ${MOST_NESTED} git repositories in the workspace. Have git ignore the folder they are in.`;
  return { code: 'too_large', message };
}
