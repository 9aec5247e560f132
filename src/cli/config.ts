/** `goalgraph.json` of a workspace. It is repository content: it may not name anything outside the workspace. */

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../contract/fault.ts';
import { CONFIG_FILE, DEFAULT_STATE_DIR } from './marks.ts';

const schema = z.strictObject({
  /** Where the journal and the run folders live, inside the workspace. */
  stateDir: z.string().min(1).default(DEFAULT_STATE_DIR),
  /** Nodes in flight at once. */
  concurrency: z.int().min(1).max(64).default(3),
});

export interface Config {
  /** Absolute. */
  readonly stateDir: string;
  readonly concurrency: number;
}

export function readConfig(workspace: string): Result<Config> {
  const file = join(workspace, CONFIG_FILE);
  const parsed = parse(file);
  if (!parsed.ok)
    return fail({ code: 'usage', message: `${file}: ${parsed.fault}. Mend the file or remove it.` });
  const stateDir = resolve(workspace, parsed.value.stateDir);
  // Links are repository content too.
  const inside = relative(realPlace(workspace), realPlace(stateDir));
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) {
    return fail({ code: 'usage', message: `${file}: stateDir must be a folder inside the workspace.` });
  }
  if (isTaken(stateDir, inside)) {
    return fail({
      code: 'usage',
      message: `${file}: stateDir names ${stateDir}, which holds other things. Name a folder of its own.`,
    });
  }
  return ok({ ...parsed.value, stateDir });
}

/** Files that may stand in a state directory before there is a journal. */
const HARMLESS = ['.gitignore', 'README.md'];

/** The state directory ignores itself in git, so it must not be where a person keeps anything, nor in git's own folder. */
function isTaken(stateDir: string, inside: string): boolean {
  if (inside.split(sep)[0] === '.git') return true;
  const names = readNames(stateDir);
  if (names.some((name) => name.startsWith('journal.db'))) return false;
  return names.some((name) => !HARMLESS.includes(name) && !name.startsWith('lease.db'));
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Where a path leads, or would lead once its folders are made. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), basename(path));
  }
}

function parse(file: string): Result<z.infer<typeof schema>, string> {
  let json: unknown;
  try {
    json = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  const result = schema.safeParse(json);
  if (result.success) return ok(result.data);
  return fail(
    result.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`).join('; '),
  );
}
