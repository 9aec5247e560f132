/**
 * Opens what was resolved without following a link: folder by folder from the root, each by the handle of the one
 * before, so that nobody can put a link in the way between the look and the use. Without /proc, Node has no way to
 * open relative to a handle; then only the last component is safe.
 */

import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { ToolFault } from '../contract/tool.ts';
import { shown } from './path-text.ts';
import type { Resolved } from './resolve.ts';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A pipe would keep us waiting for its writer. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export const MAX_FILE = 16 * 1024 * 1024;

/** The whole file, its mode, and nothing else than a file. */
export async function readInside(root: string, file: Resolved): Promise<Result<Buffer, ToolFault>> {
  if (file.kind === 'folder') return fail(isFolder(file));
  return inFolder(root, file, false, async (nameAt) => {
    const handle = await open(nameAt(basename(file.path)), FILE);
    try {
      const found = await handle.stat();
      if (!found.isFile()) return fail(moved(file));
      if (found.size > MAX_FILE) return fail(tooLarge(file, found.size));
      return ok(await handle.readFile());
    } finally {
      await handle.close();
    }
  });
}

/**
 * Replaces the whole file or nothing of it, and makes the folders on the way. A name that has become a link since is
 * replaced, not followed; a file with a second name elsewhere (a hard link) keeps its content there.
 */
export async function writeInside(
  root: string,
  file: Resolved,
  data: string,
): Promise<Result<null, ToolFault>> {
  return inFolder(root, file, true, async (nameAt) => {
    const name = basename(file.path);
    const mode = await modeOf(nameAt(name));
    const temporary = nameAt(`.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}${HALF}`);
    try {
      const handle = await open(temporary, 'wx');
      try {
        await handle.writeFile(data);
        if (mode !== null) await handle.chmod(mode);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, nameAt(name));
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
    return ok(null);
  });
}

type NameAt = (name: string) => string;

/** Calls `use` while the folder of the file is held open. */
async function inFolder<T>(
  root: string,
  file: Resolved,
  create: boolean,
  use: (nameAt: NameAt) => Promise<Result<T, ToolFault>>,
): Promise<Result<T, ToolFault>> {
  const held: FileHandle[] = [];
  try {
    held.push(await open(root, FOLDER));
    let nameAt = names(held, root);
    for (const segment of dirname(file.relative).split('/')) {
      if (segment === '.') continue;
      if (create) await mkdir(nameAt(segment)).catch(ignoreExisting);
      const path = nameAt(segment);
      held.push(await open(path, FOLDER));
      nameAt = names(held, path);
    }
    return await use(nameAt);
  } catch (error) {
    return fail(ioFault(file, error as NodeJS.ErrnoException));
  } finally {
    for (const handle of held) await handle.close();
  }
}

/** Ends the name of a file until it is whole. */
const HALF = '.goalgraph-tmp';

/** Left by a process that was killed while it wrote; no file of anybody's has such a name. */
export function isHalfWritten(path: string): boolean {
  return /(?:^|\/)\.[^/]+\.[0-9a-f]{12}\.goalgraph-tmp$/.test(path);
}

const HAS_PROC = existsSync('/proc/self/fd');

function names(held: readonly FileHandle[], path: string): NameAt {
  const folder = HAS_PROC ? `/proc/self/fd/${held.at(-1)?.fd ?? ''}` : path;
  return (name) => join(folder, name);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function modeOf(path: string): Promise<number | null> {
  try {
    const handle = await open(path, FILE);
    const found = await handle.stat();
    await handle.close();
    return found.mode & 0o777;
  } catch {
    return null;
  }
}

function moved(file: Resolved): ToolFault {
  return {
    code: 'changed',
    message: `${shown(file.relative)} has just become something else. Look again what is there.`,
  };
}

function isFolder(file: Resolved): ToolFault {
  const message = `${shown(file.relative || '.')} is a folder. Name a file in it; glob lists what there is.`;
  return { code: 'is_folder', message };
}

function tooLarge(file: Resolved, size: number): ToolFault {
  const message = `${shown(file.relative)} has ${size} bytes, too many for this tool. Use grep, or bash with head, tail or sed -n.`;
  return { code: 'too_large', message };
}

export function ioFault(file: Resolved, error: NodeJS.ErrnoException): ToolFault {
  const name = shown(file.relative);
  switch (error.code) {
    case 'ENOENT':
      return { code: 'not_found', message: `${name} does not exist. Use glob to find the right name.` };
    case 'ELOOP':
    case 'ENOTDIR':
    case 'ENXIO':
      return moved(file);
    case 'EISDIR':
      return isFolder(file);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return { code: 'denied', message: `The system does not permit that with ${name} (${error.code}).` };
    case undefined:
    default:
      return {
        code: 'io',
        message: `${name}: ${error.code ?? error.message}. Report blocked if it stays so.`,
      };
  }
}
