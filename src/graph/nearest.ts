/** Which known name a mistyped one was meant to be. */

/** The candidate closest to `name`, letter case aside; the first one of several; null when none is close. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  const wanted = name.toLowerCase();
  let limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  let best: string | null = null;
  let within: string | null = null;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const distance = editDistance(wanted, other, limit);
    if (distance !== null && (best === null || distance < limit)) {
      best = candidate;
      limit = distance;
    }
    if (wanted.length >= 3 && other.startsWith(wanted)) within ??= candidate;
  }
  return best ?? within;
}

/**
 * Letters to insert, drop, replace or swap with their neighbour to make one text of the other; null when that is
 * more than `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number | null {
  if (Math.abs(a.length - b.length) > limit) return null;
  // What they begin and end with alike costs nothing; of names that differ by a number little is left.
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  return distanceOf(a.slice(start, endA), b.slice(start, endB), limit);
}

function distanceOf(a: string, b: string, limit: number): number | null {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(before, j - 2) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return null;
    before = above;
    above = row;
  }
  const distance = at(above, b.length);
  return distance <= limit ? distance : null;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
