/** Which folder a command works in. */

import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fail, ok, type Result } from '../contract/fault.ts';
import { gitRoot } from '../os/git-root.ts';
import { hasMarks } from './marks.ts';

/**
 * The workspace of a plan file: what the file says (relative to itself), else `-C`, else the project that the current
 * folder is part of.
 */
export function workspaceOfPlan(plan: {
  file: string;
  workspace: string | null;
  dir: string | null;
}): Result<string> {
  if (plan.workspace !== null) {
    return folder(resolve(dirname(plan.file), plan.workspace), `workspace: in ${plan.file}`);
  }
  if (plan.dir !== null) return folder(resolve(plan.dir), '-C');
  return ok(project(process.cwd()));
}

/** The workspace whose runs a command speaks of: the project that the folder is part of. */
export function workspaceHere(dir: string | null): Result<string> {
  const start = folder(resolve(dir ?? '.'), '-C');
  return start.ok ? ok(project(start.value)) : start;
}

/** The nearest folder upwards with goalgraph's marks, but never beyond the git root; the folder itself without either. */
function project(start: string): string {
  const root = gitRoot(start);
  for (let here = start; ; here = dirname(here)) {
    if (here === root || hasMarks(here)) return here;
    if (here === dirname(here)) return start;
  }
}

function folder(path: string, from: string): Result<string> {
  const problem = whyNoFolder(path);
  return problem === null
    ? ok(path)
    : fail({ code: 'workspace', message: `${from} names ${path}, which ${problem}.` });
}

function whyNoFolder(path: string): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return null;
    return `is ${stat ? 'not a folder' : 'not there'}`;
  } catch (error) {
    return `cannot be looked at: ${error instanceof Error ? error.message : String(error)}`;
  }
}
