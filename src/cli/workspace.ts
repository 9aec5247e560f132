/** Which folder a command works in. */

import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fail, ok, type Result } from '../contract/fault.ts';
import { gitRoot } from '../os/git-root.ts';
import { hasMarks } from './config.ts';

/** The workspace of a plan file: what the file says (relative to itself), else `-C`, else the git root upwards. */
export function workspaceOfPlan(plan: {
  file: string;
  workspace: string | null;
  dir: string | null;
}): Result<string> {
  if (plan.workspace !== null)
    return folder(resolve(dirname(plan.file), plan.workspace), `workspace: in ${plan.file}`);
  if (plan.dir !== null) return folder(resolve(plan.dir), '-C');
  return ok(gitRoot(process.cwd()) ?? process.cwd());
}

/** The workspace whose runs a command speaks of: the nearest folder upwards with goalgraph's marks, else the git root. */
export function workspaceHere(dir: string | null): Result<string> {
  const start = folder(resolve(dir ?? '.'), '-C');
  if (!start.ok) return start;
  for (let here = start.value; ; here = dirname(here)) {
    if (hasMarks(here)) return ok(here);
    if (here === dirname(here)) break;
  }
  return ok(gitRoot(start.value) ?? start.value);
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
