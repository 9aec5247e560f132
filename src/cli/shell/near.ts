/** Near misses of keywords: asked about, never taken for something else. */

import { editDistance } from '../../graph/nearest.ts';

/** The keyword that was probably meant: the same but for its case, or for a slip of a letter or two. */
export function nearest(word: string, keywords: readonly string[]): string | null {
  const typed = word.toLowerCase();
  // A slip in a short word makes another word.
  let limit = typed.length <= 4 ? 1 : 2;
  let best: string | null = null;
  for (const keyword of keywords) {
    const apart = editDistance(typed, keyword.toLowerCase(), limit);
    if (apart === null) continue;
    best = keyword;
    limit = apart - 1;
  }
  return best;
}
