/** Texts as files under test/golden: compared, and written anew by `vitest -u`. */

import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

export async function expectGolden(name: string, text: string): Promise<void> {
  const file = new URL(`../golden/${name}`, import.meta.url);
  await expect(text).toMatchFileSnapshot(fileURLToPath(file));
}
