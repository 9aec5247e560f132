/** Cycles of a graph, exactly: the nodes that go round, not what hangs off them. */

const NEW = 0;
const OPEN = 1;
const DONE = 2;

/**
 * Cycles that share no node, and as many that without their nodes nothing goes round any more. In each, a node has
 * the next one as a dep, the last one the first; the first is the earliest. `deps[i]` are the places `i` depends on;
 * a dep on itself is not looked at.
 */
export function findCycles(deps: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const state = new Uint8Array(deps.length);
  const edge = new Int32Array(deps.length);
  const cycles: (readonly number[])[] = [];
  for (let root = 0; root < deps.length; root++) {
    if (state[root] !== NEW) continue;
    // Depth first with a stack of our own: a chain of 10,000 nodes would overflow the call stack.
    const path: number[] = [root];
    state[root] = OPEN;
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const dep = deps[node]?.[edge[node] ?? 0];
      edge[node] = (edge[node] ?? 0) + 1;
      if (dep === undefined) {
        state[node] = DONE;
        path.pop();
      } else if (state[dep] === NEW) {
        state[dep] = OPEN;
        path.push(dep);
      } else if (state[dep] === OPEN && dep !== node) {
        // The cycle leaves the graph; what led to it goes on from where it was.
        const cycle = path.splice(path.lastIndexOf(dep));
        for (const member of cycle) state[member] = DONE;
        cycles.push(fromEarliest(cycle));
      }
    }
  }
  return cycles.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

function fromEarliest(cycle: readonly number[]): readonly number[] {
  const at = cycle.reduce((best, node, i) => (node < (cycle[best] ?? node) ? i : best), 0);
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}
