/** What whoever started us has left open. */

import { closeSync, fstatSync, readdirSync } from 'node:fs';

/**
 * Closes the folders among it (`exec 5</` in a shell): a command would inherit them too, and through an open folder
 * the way out of a sandbox is free. To be called before anything of ours is open.
 */
export function closeInheritedFolders(): void {
  for (const name of openFiles()) {
    const file = Number(name);
    if (file > 2 && isFolder(file)) closeSync(file);
  }
}

/** Nothing where the system does not tell: there is no sandbox either. */
function openFiles(): readonly string[] {
  try {
    return readdirSync('/proc/self/fd');
  } catch {
    return [];
  }
}

/** The one that was open for the list is closed by now. */
function isFolder(file: number): boolean {
  try {
    return fstatSync(file).isDirectory();
  } catch {
    return false;
  }
}
