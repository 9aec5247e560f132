/** Which nodes may write the same place at the same time. */

import type { Reach } from './reach.ts';
import { cutsOf } from './scope.ts';

export interface ScopeGroup {
  /** The place, cut as scopes are; empty for the whole workspace. */
  readonly cut: string;
  /** Nodes whose own scope is this place and that overlap another one which may run beside them. */
  readonly owners: readonly number[];
  /** The owners, and the nodes that write somewhere inside. */
  readonly members: readonly number[];
}

/**
 * One group for each place that some node claims as a whole while another, which neither waits for it nor is waited
 * for, writes there too. Nodes are places in topological order.
 */
export function scopeGroups(scopes: readonly (readonly string[])[], reach: Reach): readonly ScopeGroup[] {
  const claims = scopes
    .flatMap((scope, node) => cutsOf(scope).map((cut) => ({ cut, node })))
    .sort((a, b) => (a.cut < b.cut ? -1 : a.cut > b.cut ? 1 : a.node - b.node));
  const groups: ScopeGroup[] = [];
  for (let from = 0; from < claims.length;) {
    const cut = claims[from]?.cut ?? '';
    // Sorted, everything inside a place follows it without a gap.
    let own = from;
    while (claims[own]?.cut === cut) own += 1;
    let to = own;
    while (claims[to]?.cut.startsWith(cut)) to += 1;
    const nodes = [...new Set(claims.slice(from, to).map(({ node }) => node))].sort((a, b) => a - b);
    const owners = new Set(claims.slice(from, own).map(({ node }) => node));
    if (nodes.length > 1) {
      const clashing = clashes({ nodes, owners, reach });
      const members = nodes.filter((node) => has(clashing, node));
      if (members.length > 0)
        groups.push({ cut, members, owners: members.filter((node) => owners.has(node)) });
    }
    from = own;
  }
  return groups;
}

interface Clash {
  readonly nodes: readonly number[];
  readonly owners: ReadonlySet<number>;
  readonly reach: Reach;
}

/** A bit for each owner and each partner of one: a node inside that is neither before nor after it. */
function clashes({ nodes, owners, reach }: Clash): Uint32Array {
  const { bits, rows } = reach;
  const words = ((nodes.at(-1) ?? 0) >>> 5) + 1;
  const inside = bitsOf(nodes, words);
  const owning = bitsOf(owners, words);
  const found = new Uint32Array(words);
  for (const node of nodes) {
    const partners = owners.has(node) ? inside : owning;
    const last = node >>> 5;
    const row = rows[node] ?? 0;
    let any = false;
    // Each pair is met once, at its later node.
    for (let w = 0; w <= last; w++) {
      const upTo = w === last ? (1 << (node & 31)) - 1 : -1;
      const beside = (partners[w] ?? 0) & ~(bits[row + w] ?? 0) & upTo;
      if (beside === 0) continue;
      found[w] = (found[w] ?? 0) | beside;
      any = true;
    }
    if (any) set(found, node);
  }
  return found;
}

function bitsOf(nodes: Iterable<number>, words: number): Uint32Array {
  const bits = new Uint32Array(words);
  for (const node of nodes) set(bits, node);
  return bits;
}

function set(bits: Uint32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
}

function has(bits: Uint32Array, at: number): boolean {
  return (((bits[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1;
}
