/**
 * Reads many files of a listing, none of them through a link. Synchronous, since for small files the way to a thread
 * and back costs ten times the reading; the caller gives way to others between batches.
 */

import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MAX_FILE } from './open-inside.ts';

export interface Reader {
  /** A file's bytes; what else there is of that name; null when it cannot be read. */
  read(relative: string): Buffer | 'other' | null;
  close(): void;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const HAS_PROC = existsSync('/proc/self/fd');

interface Folder {
  /** Relative to the root. */
  readonly name: string;
  readonly fds: readonly number[];
  readonly path: string;
}

export function makeReader(root: string): Reader {
  let folder: Folder | null = null;
  const leave = (): void => {
    folder?.fds.forEach(closeSync);
    folder = null;
  };
  return {
    read(relative) {
      try {
        const name = dirname(relative);
        // Files of one folder follow each other in a listing.
        if (folder?.name !== name) {
          leave();
          folder = enter(root, name);
        }
        return readFile(join(folder.path, basename(relative)));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return code === 'ELOOP' || code === 'ENOTDIR' || code === 'ENOENT' ? 'other' : null;
      }
    },
    close: leave,
  };
}

/** Folder by folder, each by the handle of the one before, as far as the system has a name for that. */
function enter(root: string, name: string): Folder {
  const fds: number[] = [];
  try {
    let path = root;
    for (const segment of ['.', ...name.split('/')]) {
      if (segment !== '.' || fds.length === 0) {
        const at = fds.length === 0 ? root : join(path, segment);
        const fd = openSync(at, FOLDER);
        fds.push(fd);
        path = HAS_PROC ? `/proc/self/fd/${fd}` : at;
      }
    }
    return { name, fds, path };
  } catch (error) {
    fds.forEach(closeSync);
    throw error;
  }
}

function readFile(path: string): Buffer | 'other' | null {
  const fd = openSync(path, FILE);
  try {
    const found = fstatSync(fd);
    if (!found.isFile()) return 'other';
    return found.size > MAX_FILE ? null : readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
