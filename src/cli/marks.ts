/** What marks a folder as a goalgraph workspace. Apart from the configuration's schema, which takes long to load. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const CONFIG_FILE = 'goalgraph.json';
export const DEFAULT_STATE_DIR = '.goalgraph';

/** Whether a folder holds goalgraph's own marks: its configuration or its default state folder. */
export function hasMarks(folder: string): boolean {
  return existsSync(join(folder, CONFIG_FILE)) || existsSync(join(folder, DEFAULT_STATE_DIR));
}
