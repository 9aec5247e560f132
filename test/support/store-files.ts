/** Looks at the files of a store, and does to them what disks and crashes do. */

import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Names, and hashes of what is in them; the -shm is an index that SQLite may rebuild at any time. */
export function bytesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      const hash = statSync(path).isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : 'folder';
      return [name, hash];
    }),
  );
}

export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const handle = openSync(path, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
}

/** What a crash at this moment would leave on the disk, or a part of its -wal. */
export function crashCopy(from: string, to: string, walBytes = Infinity): void {
  mkdirSync(to);
  copyFileSync(join(from, 'journal.db'), join(to, 'journal.db'));
  writeFileSync(join(to, 'journal.db-wal'), readFileSync(join(from, 'journal.db-wal')).subarray(0, walBytes));
}
