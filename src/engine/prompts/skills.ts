/** The skills that are installed, for a role that may read up on them. */

import { bullets, fenced } from './fence.ts';

export interface Known {
  readonly name: string;
  readonly description: string;
  /** Of its main file. */
  readonly path: string;
}

/** What there is to read up on; null when there is nothing. */
export function skillsPart(skills: readonly Known[]): string | null {
  if (skills.length === 0) return null;
  const lines = skills.map(({ name, description, path }) => `${name} (${path}): ${description}`);
  return fenced(
    'Skills that are installed here: instructions for a kind of task. Where one fits the work at hand, read it with the tool skill before you begin',
    bullets(lines, { items: 60, each: 500 }),
    { max: 24_000 },
  );
}
