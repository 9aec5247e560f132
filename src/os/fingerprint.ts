/**
 * Names the present state of a workspace, so that a check that was green need not run again on the very same one.
 *
 * What is hashed is what lstat tells of each entry, ignored files and `.git` included. No content is read: whatever
 * changes a file also moves its ctime, and no program can set a ctime back. So two equal fingerprints mean that
 * nothing changed; unequal ones may also mean that something was written again as it was, which costs one needless
 * check and nothing else. Not seen: what lies behind a symbolic link that leads out of the workspace, and changes
 * that another machine makes on a network file system whose clock is behind ours.
 */

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

export interface FingerprintSpec {
  readonly workspace: string;
  /** What the program itself writes there while the workspace stands still is left out; whatever else is there counts. */
  readonly stateDir: string;
  readonly maxEntries?: number;
  /** Milliseconds. */
  readonly maxTime?: number;
}

/**
 * Two changes within one tick of the kernel's clock get the same ctime, and a tick is at most 10 ms. When the newest
 * ctime is older than this, each later change gets a newer one.
 */
const SETTLED_NS = 20_000_000n;
const WALKS = 3;

/** Null when the state cannot be told: too large, too slow, unreadable, or changing all the time. */
export async function fingerprint(spec: FingerprintSpec): Promise<string | null> {
  const deadline = performance.now() + (spec.maxTime ?? 5_000);
  try {
    const walk = {
      root: bytesOf(realpathSync(spec.workspace)),
      leftOut: bytesOf(realIfThere(spec.stateDir)),
      maxEntries: spec.maxEntries ?? 200_000,
      deadline,
    };
    // Nothing would be left to tell one state from another.
    if (`${walk.root}/`.startsWith(`${walk.leftOut}/`)) return null;
    for (let tries = 0; tries < WALKS; tries++) {
      if (tries > 0) await delay(Number(SETTLED_NS / 1_000_000n) + 5);
      const start = BigInt(Date.now()) * 1_000_000n;
      const state = await hashTree(walk);
      if (state === 'given up') return null;
      if (state !== 'moved' && state.newest < start - SETTLED_NS) return state.hash;
    }
  } catch {
    // Unreadable, or gone altogether.
  }
  return null;
}

interface Walk {
  /** Paths have one character for each byte, because not every file name is UTF-8. */
  readonly root: string;
  readonly leftOut: string;
  readonly maxEntries: number;
  readonly deadline: number;
}

interface TreeState {
  readonly hash: string;
  readonly newest: bigint;
}

/** Entries between two looks at the time and at what else the program has to do. */
const SLICE = 500;

async function hashTree(walk: Walk): Promise<TreeState | 'moved' | 'given up'> {
  const hash = createHash('sha256');
  let newest = 0n;
  let entries = 0;
  const todo = [walk.root];
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (path === walk.leftOut) {
      const names = ifThere(() => readdirSync(Buffer.from(path, 'latin1'), 'latin1')) ?? [];
      for (const name of names.filter(isForeign).sort().reverse()) todo.push(`${path}/${name}`);
      continue;
    }
    if (++entries > walk.maxEntries) return 'given up';
    if (entries % SLICE === 0) {
      if (performance.now() > walk.deadline) return 'given up';
      await nextTurn();
    }
    const found = ifThere(() => lstatSync(Buffer.from(path, 'latin1'), { bigint: true }));
    if (found === null) return 'moved';
    if (found.ctimeNs > newest) newest = found.ctimeNs;
    const { mode, size, mtimeNs, ctimeNs, ino } = found;
    hash.update(`${path}\0${mode} ${size} ${mtimeNs} ${ctimeNs} ${ino}\0`, 'latin1');
    if (!found.isDirectory()) continue;
    const names = ifThere(() => readdirSync(Buffer.from(path, 'latin1'), 'latin1'));
    if (names === null) return 'moved';
    for (const name of names.sort().reverse()) todo.push(`${path}/${name}`);
  }
  return { hash: hash.digest('hex'), newest };
}

/** Not one of the program's own files: someone may have put the state directory where other things are. */
function isForeign(name: string): boolean {
  return name !== '.gitignore' && !/^(journal|lease)\.db|^(owner|shadow\.git|copies|homes|runs)$/.test(name);
}

/** Null when it vanished while we walked. */
function ifThere<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

function realIfThere(path: string): string {
  return ifThere(() => realpathSync(path)) ?? path;
}

function bytesOf(path: string): string {
  return Buffer.from(path).toString('latin1');
}
