/** Who comes before whom, for all pairs of nodes: one bit each, 6 MB for 10,000 nodes. */

export interface Reach {
  /** Row `n` has a bit for each place up to `n`, 32 to a word: bit `a` is set when `n` comes after `a`, directly or not. */
  readonly bits: Uint32Array;
  /** Where the row of each node starts in `bits`. */
  readonly rows: Int32Array;
  /** Of each node that has such: the deps that another of its deps implies, in order. */
  readonly redundant: readonly { readonly node: number; readonly deps: readonly number[] }[];
}

/** `deps[i]` are places before `i`, in order. */
export function reachOf(deps: readonly (readonly number[])[]): Reach {
  const rows = new Int32Array(deps.length + 1);
  for (let i = 0; i < deps.length; i++) rows[i + 1] = (rows[i] ?? 0) + (i >>> 5) + 1;
  const bits = new Uint32Array(rows[deps.length] ?? 0);
  const redundant: { node: number; deps: readonly number[] }[] = [];
  for (let node = 0; node < deps.length; node++) {
    const row = rows[node] ?? 0;
    // From the last dep down: one that is implied already brings nothing new and costs nothing.
    const list = deps[node] ?? [];
    const implied: number[] = [];
    for (let d = list.length - 1; d >= 0; d--) {
      const dep = list[d] ?? 0;
      const at = row + (dep >>> 5);
      const bit = 1 << (dep & 31);
      if (((bits[at] ?? 0) & bit) !== 0) {
        implied.push(dep);
        continue;
      }
      const from = rows[dep] ?? 0;
      const words = (dep >>> 5) + 1;
      for (let w = 0; w < words; w++) bits[row + w] = (bits[row + w] ?? 0) | (bits[from + w] ?? 0);
      bits[at] = (bits[at] ?? 0) | bit;
    }
    if (implied.length > 0) redundant.push({ node, deps: implied.reverse() });
  }
  return { bits, rows, redundant };
}
