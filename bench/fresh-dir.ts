/** A folder for one measurement, on the disk of the checkout: /tmp is memory on many machines, where a sync costs nothing. */

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STATE = fileURLToPath(new URL('../state', import.meta.url));

export async function inFreshDir<T>(use: (dir: string) => T | Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(STATE, 'bench-'));
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
