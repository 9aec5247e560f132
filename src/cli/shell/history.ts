/**
 * The lines that were typed, for the next time: `history` in the state directory, for its owner only, without secrets. Kept
 * only where there is a state directory: opening the shell makes none.
 */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { maskSecrets } from '../../os/mask.ts';

export const MOST_LINES = 1_000;

const MOST_BYTES = 4 * 1024 * 1024;

/** Longer lines are not worth keeping. */
const LONGEST = 4_096;

export interface History {
  /** The newest first. */
  readonly lines: () => readonly string[];
  readonly add: (line: string) => void;
}

export function openHistory(stateDir: string, secrets: readonly string[]): History {
  const file = join(stateDir, 'history');
  let lines = read(file);
  return {
    lines: () => lines,
    add(line) {
      const kept = maskSecrets(line.trim(), secrets);
      if (kept === '' || kept.length > LONGEST || /[\r\n]/.test(kept) || kept === lines[0]) return;
      // Another shell may have written since.
      const before = existsSync(file) ? read(file) : lines;
      lines = [kept, ...before.filter((other) => other !== kept)].slice(0, MOST_LINES);
      if (existsSync(stateDir)) write(file, lines);
    },
  };
}

/** Empty when it cannot be read: a history is no reason to stop. Never through a link, never from a pipe. */
function read(file: string): readonly string[] {
  let handle: number | null = null;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = fstatSync(handle);
    if (!fstatSync(handle).isFile() || size > MOST_BYTES) return [];
    const bytes = Buffer.alloc(size);
    const length = readSync(handle, bytes, 0, size, 0);
    const lines = bytes.toString('utf8', 0, length).split('\n');
    return lines
      .filter((line) => line !== '')
      .reverse()
      .slice(0, MOST_LINES);
  } catch {
    return [];
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

/** Put in place whole: a crash leaves the old one, and what stands there under its name is not written through. */
function write(file: string, newestFirst: readonly string[]): void {
  const fresh = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(fresh, `${newestFirst.toReversed().join('\n')}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}
