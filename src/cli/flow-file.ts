/** Files that hold a skill or a chart. */

import { basename, extname } from 'node:path';
import type { FlowLanguage } from '../contract/flow.ts';
import { readTextFile } from '../os/text-file.ts';

const LANGUAGES: ReadonlyMap<string, FlowLanguage> = new Map([
  ['.mmd', 'mermaid'],
  ['.mermaid', 'mermaid'],
  ['.d2', 'd2'],
]);

/** Of a chart by itself; null for other files. */
export function languageOf(path: string): FlowLanguage | null {
  return LANGUAGES.get(extname(path).toLowerCase()) ?? null;
}

/** Whether a file of this name is a skill or a chart, whatever stands in it. */
export function isFlowFile(path: string): boolean {
  return basename(path).toLowerCase() === 'skill.md' || languageOf(path) !== null;
}

/** Bytes of a file that is looked into for what it is. */
const MOST_BYTES = 1024 * 1024;

/** By its name, or because it has front matter: a plan file has none. */
export async function holdsFlow(path: string): Promise<boolean> {
  if (isFlowFile(path)) return true;
  if (extname(path).toLowerCase() !== '.md') return false;
  const text = await readTextFile(path, MOST_BYTES);
  if (!text.ok || !/^\ufeff?\s*---/.test(text.value)) return false;
  const { hasFrontMatter } = await import('../flow/skill.ts');
  return hasFrontMatter(text.value);
}
