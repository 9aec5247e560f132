/**
 * What a build needs and a snapshot leaves out: git's ignored files and folders of the workspace, provided in a copy.
 * Small ones are copied, for builds write into their own output; packages and large ones are linked to the original,
 * which the sandbox keeps read-only.
 *
 * Ignored is what is in the workspace and not in the list of its snapshot; so this holds outside of git, too.
 */

import { constants } from 'node:fs';
import type { Dirent } from 'node:fs';
import { cp, lstat, mkdir, open, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

export interface IgnoredSpec {
  /** The workspace, and the folder of the copy; real paths. */
  readonly root: string;
  readonly copy: string;
  /** Real; never provided. */
  readonly stateDir: string;
  /** What a snapshot of the workspace would hold now, relative to the root. */
  readonly listed: readonly string[];
  /** Copied in all; what is beyond it is linked. */
  readonly maxBytes?: number;
  readonly maxEntries?: number;
}

/** Installed by a tool, read by a build: never worth a copy. */
const PACKAGES = [
  '.venv',
  'venv',
  'vendor',
  '.tox',
  '.nox',
  '.gradle',
  '.m2',
  '.yarn',
  'Pods',
  'site-packages',
];
/** Written by whoever uses the packages; a copy has its own. */
const CACHES = ['.cache', '.vite', '.vite-temp', '.vitest'];

interface Work extends IgnoredSpec {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** What may still be copied. */
  readonly left: { bytes: number; entries: number };
}

/** To see whether it may be read, and wait for nobody, should it be something else by now. */
const MERELY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Rejects with the system's own error. */
export async function provideIgnored(spec: IgnoredSpec): Promise<void> {
  const folders = new Set<string>();
  for (const file of spec.listed) {
    for (let at = dirname(file); at !== '.' && !folders.has(at); at = dirname(at)) folders.add(at);
  }
  const left = { bytes: spec.maxBytes ?? 64 * 1024 * 1024, entries: spec.maxEntries ?? 10_000 };
  await visit({ ...spec, files: new Set(spec.listed), folders, left }, '');
}

/** Goes down where the snapshot has something, and provides what it has not. */
async function visit(work: Work, folder: string): Promise<void> {
  for (const entry of (await entriesOf(join(work.root, folder))) ?? []) {
    const path = join(folder, entry.name);
    if (isNever(work, path) || work.files.has(path)) continue;
    if (work.folders.has(path) && entry.isDirectory()) await visit(work, path);
    else await provide(work, path, entry);
  }
}

/** Names that are not UTF-8 cannot be told from one another here. Null: we may not read it. */
async function entriesOf(folder: string): Promise<readonly Dirent[] | null> {
  try {
    const entries = await readdir(folder, { withFileTypes: true }).catch(nothingIfGone);
    return (entries ?? []).filter(({ name }) => !name.includes('\uFFFD'));
  } catch (error) {
    return nothingIfNotAllowed(error);
  }
}

function isNever({ root, stateDir }: Work, path: string): boolean {
  return /(?:^|\/)\.git$/i.test(path) || join(root, path) === stateDir;
}

async function provide(work: Work, path: string, entry: Dirent): Promise<void> {
  if (isNever(work, path) || !(await hasRealFolder(work.copy, dirname(path)))) return;
  const [from, to] = [join(work.root, path), join(work.copy, path)];
  const there = await lstat(to).catch(nothingIfGone);
  // A tracked file may lie in an ignored folder; the copy has it from the snapshot.
  if (there !== null && !(there.isDirectory() && entry.isDirectory())) return;
  if (entry.isSymbolicLink()) return provideLink(work, path);
  if (entry.isFile()) return (await fits(work, from)) ? copyOf(from, to) : symlink(from, to);
  // Sockets, pipes and devices are nobody's build.
  if (!entry.isDirectory()) return;
  const entries = await entriesOf(from);
  if (entries === null) return there === null ? symlink(from, to) : undefined;
  const isOpened = there !== null || entries.length === 0 || `${work.stateDir}/`.startsWith(`${from}/`);
  if (isOpened || entry.name === 'node_modules') {
    await mkdir(to, { recursive: true });
    return entry.name === 'node_modules' ? packages(work, path, entries) : each(work, path, entries);
  }
  if (PACKAGES.includes(entry.name) || !(await fits(work, from))) return symlink(from, to);
  return copyOf(from, to);
}

async function each(work: Work, folder: string, entries: readonly Dirent[]): Promise<void> {
  for (const entry of entries) await provide(work, join(folder, entry.name), entry);
}

/** One link a package, so that links into the workspace lead into the copy, and caches are its own. */
async function packages(work: Work, folder: string, entries: readonly Dirent[]): Promise<void> {
  for (const entry of entries.filter(({ name }) => !CACHES.includes(name))) {
    const path = join(folder, entry.name);
    const [from, to] = [join(work.root, path), join(work.copy, path)];
    if ((await lstat(to).catch(nothingIfGone)) !== null) continue;
    const scoped = entry.name.startsWith('@') && entry.isDirectory() ? await entriesOf(from) : null;
    if (entry.isSymbolicLink()) await provideLink(work, path);
    else if (scoped !== null) {
      await mkdir(to);
      await packages(work, path, scoped);
    } else await symlink(from, to);
  }
}

/** A link within the workspace stays one within the copy. */
async function provideLink({ root, copy }: Work, path: string): Promise<void> {
  const text = await readlink(join(root, path)).catch(nothingIfNotAllowed);
  if (text === null) return;
  const inside = relative(root, resolve(dirname(join(root, path)), text));
  const leadsOut = isAbsolute(text) || inside.startsWith('..');
  await symlink(leadsOut ? resolve(dirname(join(root, path)), text) : text, join(copy, path));
}

/** Takes what it needs from what is left, or nothing; what cannot be read does not fit. */
async function fits({ left }: Work, path: string): Promise<boolean> {
  const need = await needOf(left, path).catch(nothingIfNotAllowed);
  if (need === null) return false;
  left.bytes -= need.bytes;
  left.entries -= need.entries;
  return true;
}

/** Null: it is more than is left, or nothing that is copied. */
async function needOf(left: Work['left'], path: string): Promise<Work['left'] | null> {
  const need = { bytes: 0, entries: 0 };
  const todo = [path];
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    const found = await lstat(at).catch(nothingIfGone);
    if (found === null) continue;
    need.bytes += found.isFile() ? found.size : 0;
    need.entries++;
    if (need.bytes > left.bytes || need.entries > left.entries) return null;
    if (found.isDirectory()) {
      const names = (await readdir(at).catch(nothingIfGone)) ?? [];
      for (const name of names) todo.push(join(at, name));
    } else if (found.isFile()) await (await open(at, MERELY).catch(nothingIfGone))?.close();
    else if (!found.isSymbolicLink()) return null;
  }
  return need;
}

/** With its times: a build would make anew what is older than its sources. */
async function copyOf(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }).catch(
    nothingIfGone,
  );
}

/** Makes the folder if it can be made without following a link of the snapshot's. */
async function hasRealFolder(copy: string, folder: string): Promise<boolean> {
  let at = copy;
  for (const name of folder === '.' ? [] : folder.split('/')) {
    at = join(at, name);
    const found = await lstat(at).catch(nothingIfGone);
    if (found === null) await mkdir(at);
    else if (!found.isDirectory()) return false;
  }
  return true;
}

/** Someone else may be at work in the workspace. */
export function nothingIfGone(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

/** A folder or file of somebody else's is linked or left out: it is no reason to have no copy. */
function nothingIfNotAllowed(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return null;
  throw error;
}
