/** Near misses of keywords: asked about, never taken for something else. */

/** The keyword that was probably meant: the same but for its case, or for a slip of a letter or two. */
export function nearest(word: string, keywords: readonly string[]): string | null {
  const typed = word.toLowerCase();
  // A slip in a short word makes another word.
  const most = typed.length <= 4 ? 1 : 2;
  let best: string | null = null;
  let least = most + 1;
  for (const keyword of keywords) {
    const apart = distance(typed, keyword);
    if (apart < least) [best, least] = [keyword, apart];
  }
  return best;
}

/** Insertions, deletions, changes and swaps of neighbours that make one word of the other. */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Infinity;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(i - 2, j - 2) + 1);
      }
      rows[i]?.push(cost);
    }
  }
  return at(a.length, b.length);
}
