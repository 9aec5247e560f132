import { readFileSync, statSync } from 'node:fs';
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
    return found.isFile() && readFileSync(entry, 'utf8').startsWith('gitdir: ');
  } catch {
    return false;
  }
}
