/** Screens as files: compared, and written anew by `vitest -u`. */

import { expect } from 'vitest';
import { fileURLToPath } from 'node:url';

export async function expectScreen(name: string, lines: readonly string[]): Promise<void> {
  const file = new URL(`../golden/screens/${name}.txt`, import.meta.url);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(fileURLToPath(file));
}
