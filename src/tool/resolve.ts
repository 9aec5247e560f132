/**
 * From a path that a model gives to a real one inside the root, or a fault. All tools come through here. What it says
 * is true at the time of asking only: `open-inside.ts` opens what was resolved without following any link again.
 */

import type { Stats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { ToolFault } from '../contract/tool.ts';
import { gitFault, isGitName, pathFlaw, shown } from './path-text.ts';

export interface Place {
  /** Real and absolute: no part of it is a symbolic link. */
  readonly root: string;
  /** Absolute; nothing in it is read or written. */
  readonly stateDir: string;
  /** Whether a node may write this file, given relative to the root with `/` between segments. */
  readonly mayWrite: (path: string) => boolean;
}

export interface Resolved {
  /** Real and absolute. */
  readonly path: string;
  /** Relative to the root, '' for the root itself. */
  readonly relative: string;
  readonly kind: 'file' | 'folder' | 'missing';
}

export type Intent = 'read' | 'write';

/** Resolves the root once; all else is compared with it. */
export async function makePlace(place: Place): Promise<Place> {
  return { ...place, root: await realpath(place.root), stateDir: await realIfThere(place.stateDir) };
}

export async function resolvePath(
  place: Place,
  path: string,
  intent: Intent,
): Promise<Result<Resolved, ToolFault>> {
  const asked = withoutRoot(place.root, path);
  const flaw = pathFlaw(asked);
  if (flaw !== null) return fail(flaw);
  const real = await realPath(join(place.root, asked), path);
  if (!real.ok) return real;
  const inside = relative(place.root, real.value);
  // `relative` answers with `..` in front, or with another drive, for all that is not below.
  if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) return fail(outside(path));
  if (inside.split('/').some(isGitName)) return fail(gitFault(path));
  const found = await statIfThere(real.value);
  const flaw2 = (await stateFlaw(place, real.value, path)) ?? kindFlaw(found, real.value, path);
  if (flaw2 !== null) return fail(flaw2);
  if (intent === 'write' && !place.mayWrite(inside)) return fail(scopeFault(path));
  return ok({ path: real.value, relative: inside, kind: kindOf(found) });
}

/** A model that has seen `pwd` names files by their full path: as good as the relative one, and judged as such. */
function withoutRoot(root: string, path: string): string {
  if (path === root) return '.';
  return root !== '/' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) || '.' : path;
}

/** Follows every link of what is there, and keeps the names that are not there yet. */
async function realPath(path: string, asked: string): Promise<Result<string, ToolFault>> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return ok(join(await realpath(at), ...missing));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') return fail(walkFault(code, asked));
    }
    // There, but leads nowhere: whoever writes through it makes a file in a place nobody checked.
    if ((await lstatIfThere(at)) !== null) return fail(dangling(asked));
    missing.unshift(at.slice(dirname(at).length).replace(/^\//, ''));
  }
}

function walkFault(code: string | undefined, path: string): ToolFault {
  switch (code) {
    case 'ENOTDIR':
      return { code: 'not_folder', message: `A part of ${shown(path)} is a file, not a folder.` };
    case 'ELOOP':
      return { code: 'loop', message: `${shown(path)} is a symbolic link that leads back to itself.` };
    case 'ENAMETOOLONG':
      return { code: 'bad_path', message: 'A name in the path is too long for this file system.' };
    case undefined:
    default:
      return { code: 'denied', message: `${shown(path)} may not be looked at (${code ?? 'unknown'}).` };
  }
}

/**
 * The state directory, however it is spelled: on a file system that takes `State` for `state`, behind a second mount,
 * or reached by a link, its identity is the same.
 */
async function stateFlaw(place: Place, real: string, asked: string): Promise<ToolFault | null> {
  const fault: ToolFault = {
    code: 'state',
    message: `${shown(asked)} belongs to the program that runs you. Leave it alone.`,
  };
  if (`${real}/`.startsWith(`${place.stateDir}/`)) return fault;
  const state = await statIfThere(place.stateDir);
  if (state === null) return null;
  for (let at = real; at.length >= place.root.length; at = dirname(at)) {
    const found = await statIfThere(at);
    if (found !== null && found.ino === state.ino && found.dev === state.dev) return fault;
    if (at === place.root || dirname(at) === at) break;
  }
  return null;
}

/** Files that the kernel makes up; they count only when the root is the whole file system, and mean harm even then. */
const MADE_UP = /^\/(?:proc|sys|dev)(?:\/|$)/;

function kindFlaw(found: Stats | null, real: string, asked: string): ToolFault | null {
  const plain = found === null || found.isFile() || found.isDirectory();
  if (plain && !MADE_UP.test(real)) return null;
  return {
    code: 'special',
    message: `${shown(asked)} is a pipe, a socket or a device, not a file. Leave it alone.`,
  };
}

function kindOf(found: Stats | null): Resolved['kind'] {
  if (found === null) return 'missing';
  return found.isDirectory() ? 'folder' : 'file';
}

function outside(path: string): ToolFault {
  return {
    code: 'outside',
    message: `${shown(path)} leads out of the root folder by a symbolic link. Name a file inside it.`,
  };
}

function dangling(path: string): ToolFault {
  return {
    code: 'dangling',
    message: `${shown(path)} is, or goes through, a symbolic link to nothing. Name the real file.`,
  };
}

function scopeFault(path: string): ToolFault {
  return {
    code: 'scope',
    message: `${shown(path)} is not among the files this task may write. Stay in its scope, or report blocked.`,
  };
}

async function statIfThere(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null);
}

async function lstatIfThere(path: string): Promise<Stats | null> {
  return lstat(path).catch(() => null);
}

async function realIfThere(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
