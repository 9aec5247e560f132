import { randomBytes } from 'node:crypto';
import { open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, ok } from '../contract/fault.ts';
import type { Fault, Result } from '../contract/fault.ts';

/**
 * Replaces the whole file or nothing of it, also when the power fails. A symbolic link is followed; the mode of an
 * existing file is kept.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<Result<null>> {
  let temporary: string | null = null;
  try {
    const target = await realpath(path).catch(() => path);
    const mode = await stat(target).then(
      (found) => found.mode & 0o7777,
      () => null,
    );
    // In the same folder, because a rename across file systems is a copy.
    temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
    await writeDurably(temporary, data, mode);
    await rename(temporary, target);
    await syncFolder(dirname(target));
    return ok(null);
  } catch (error) {
    if (temporary !== null) await unlink(temporary).catch(() => undefined);
    return fail(writeFault(path, error as NodeJS.ErrnoException));
  }
}

async function writeDurably(path: string, data: string | Uint8Array, mode: number | null): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(data);
    if (mode !== null) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Without this the name may be lost though the content is not. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch {
    // Some file systems do not sync folders; they have nothing better to offer.
  } finally {
    await folder.close();
  }
}

/** For a folder or a file that cannot be written. */
export function writeFault(path: string, error: NodeJS.ErrnoException): Fault {
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return { code: 'store_full', message: `No space is left to write ${path}. Free some and try again.` };
    case 'EACCES':
    case 'EPERM':
      return {
        code: 'store_io',
        message: `${path} may not be written: permission denied. Change its permissions.`,
      };
    case 'EROFS':
      return { code: 'store_io', message: `${path} is on a read-only file system. Choose another place.` };
    case 'ENOENT':
      return { code: 'store_io', message: `The folder of ${path} does not exist. Create it first.` };
    case 'ENOTDIR':
    case 'EEXIST':
      return {
        code: 'store_io',
        message: `A part of ${path} is a file, not a folder. Choose another place.`,
      };
    case 'EISDIR':
      return { code: 'store_io', message: `${path} is a folder. Name a file.` };
    case undefined:
    default:
      return { code: 'store_io', message: `${path} cannot be written: ${error.message}. Check the disk.` };
  }
}
