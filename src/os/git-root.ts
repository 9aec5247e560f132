import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The nearest folder, upwards from this one, that is the top of a git work tree; null when there is none. Looks at
 * the file system only: git itself would obey its environment, its configuration and what they make it start.
 */
export function gitRoot(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (isGitRoot(at)) return at;
    if (dirname(at) === at) return null;
  }
}

/** A repository of its own, or, in a linked work tree or a submodule, a file that says where it is. */
function isGitRoot(folder: string): boolean {
  const entry = join(folder, '.git');
  try {
    const found = statSync(entry);
    if (found.isDirectory()) return statSync(join(entry, 'HEAD')).isFile();
    return readSmallFile(entry)?.startsWith('gitdir: ') === true;
  } catch {
    return false;
  }
}

/** Longer than any path. */
const SMALL = 4096;

/**
 * The text of a file in which git keeps a path; null for anything else. A command may have put a pipe there, which
 * would never end, or a link to a device.
 */
export function readSmallFile(path: string): string | null {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile() || found.size > SMALL) return null;
    const bytes = Buffer.alloc(SMALL);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, SMALL, 0));
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
