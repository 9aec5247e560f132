/**
 * Whose state directory it is. What lies in a workspace may have come with the repository, and going on with a run
 * sends and runs what its journal says. So a state directory holds an id that, beside it, only its user's own folder
 * holds.
 */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fail, ok, type Result } from '../contract/fault.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Claim {
  readonly stateDir: string;
  /** The person has said that it is theirs. */
  readonly trust: boolean;
  readonly env: Env;
}

/** Of the user. A relative path would be the workspace's choice. */
export function ownerFile(env: Env): string {
  const xdg = env['XDG_STATE_HOME'] ?? '';
  const folder = isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.local', 'state');
  return join(folder, 'goalgraph', 'owner');
}

/** Makes a state directory that holds nothing of a run the user's. One that does must be theirs, or trusted. */
export function claim({ stateDir, trust, env }: Claim): Result<null> {
  const own = ownId(ownerFile(env));
  if (!own.ok) return trust ? ok(null) : own;
  const file = join(stateDir, 'owner');
  if (isSaid(file, own.value)) return ok(null);
  try {
    if (!trust && holdsRun(stateDir)) return fail({ code: 'refused', message: strange(stateDir) });
    const temporary = writeBeside(file, own.value);
    // Replaces a link, and does not follow it.
    renameSync(temporary, file);
    return ok(null);
  } catch (error) {
    const message = `${file} cannot be made (${why(error)}). Mend that, or go on with --trust.`;
    return trust ? ok(null) : fail({ code: 'store_io', message });
  }
}

function strange(stateDir: string): string {
  return `The state in ${stateDir} was not made by you on this machine: it may have come with the repository, and going on would run what it says. If it is yours, go on with --trust; else remove ${stateDir}.`;
}

/** Git and the sandbox go by what these hold, as runs do by their journal. */
function holdsRun(stateDir: string): boolean {
  const left = ['shadow.git', 'copies', 'homes'];
  return readdirSync(stateDir).some((name) => name.startsWith('journal.db') || left.includes(name));
}

/** A link could lead to the user's own file. */
function isSaid(file: string, id: string): boolean {
  try {
    const found = lstatSync(file);
    return found.isFile() && found.size < 100 && readFileSync(file, 'utf8').trim() === id;
  } catch {
    return false;
  }
}

/** Made on first need, and by one of those who need it first. */
function ownId(file: string): Result<string> {
  try {
    return readId(file) ?? makeId(file);
  } catch (error) {
    const message = `${file}, which tells your state directories from those of others, cannot be read or made (${why(error)}). Mend that, or go on with --trust.`;
    return fail({ code: 'store_io', message });
  }
}

function makeId(file: string): Result<string> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const id = randomBytes(16).toString('hex');
  const temporary = writeBeside(file, id);
  try {
    linkSync(temporary, file);
    return ok(id);
  } catch (error) {
    const made = isCode(error, 'EEXIST') ? readId(file) : null;
    if (made === null) throw error;
    return made;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Null when it is not there. */
function readId(file: string): Result<string> | null {
  try {
    const id = readFileSync(file, 'utf8').trim();
    if (/^[0-9a-f]{32}$/.test(id)) return ok(id);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
  return fail({ code: 'store_io', message: `${file} holds no id. Remove it, or go on with --trust.` });
}

/** Whole, and on the disk; the value is its path. */
function writeBeside(file: string, id: string): string {
  const temporary = join(dirname(file), `.owner.${randomBytes(6).toString('hex')}.tmp`);
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(fd, `${id}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return temporary;
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}

function why(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
