/** Who comes before whom, for all pairs of nodes: one bit each, 6 MB for 10,000 nodes. */

export interface Reach {
  /** Row `n` has a bit for each place up to `n`, 32 to a word: bit `a` is set when `n` comes after `a`, directly or not. */
  readonly bits: Uint32Array;
  /** Where the row of each node starts in `bits`. */
  readonly rows: Int32Array;
  /** Deps that another dep of the same node implies. */
  readonly redundant: readonly { readonly node: number; readonly dep: number }[];
}

/** `deps[i]` are places before `i`. */
export function reachOf(deps: readonly (readonly number[])[]): Reach {
  const rows = new Int32Array(deps.length + 1);
  for (let i = 0; i < deps.length; i++) rows[i + 1] = (rows[i] ?? 0) + (i >>> 5) + 1;
  const bits = new Uint32Array(rows[deps.length] ?? 0);
  const redundant: { node: number; dep: number }[] = [];
  for (let node = 0; node < deps.length; node++) {
    const row = rows[node] ?? 0;
    // From the last dep down: one that is implied already brings nothing new and costs nothing.
    for (const dep of (deps[node] ?? []).toSorted((a, b) => b - a)) {
      const at = row + (dep >>> 5);
      const bit = 1 << (dep & 31);
      if (((bits[at] ?? 0) & bit) !== 0) {
        redundant.push({ node, dep });
        continue;
      }
      const from = rows[dep] ?? 0;
      const words = (dep >>> 5) + 1;
      for (let w = 0; w < words; w++) bits[row + w] = (bits[row + w] ?? 0) | (bits[from + w] ?? 0);
      bits[at] = (bits[at] ?? 0) | bit;
    }
  }
  return { bits, rows, redundant };
}

/** Whether `node` comes after `earlier`, which stands before it. */
export function comesAfter(reach: Reach, node: number, earlier: number): boolean {
  if (earlier >= node) return false;
  const word = reach.bits[(reach.rows[node] ?? 0) + (earlier >>> 5)] ?? 0;
  return ((word >>> (earlier & 31)) & 1) === 1;
}
