/** A topological order that keeps the given order wherever the edges leave a choice. */

/**
 * Places of all nodes, each after its deps; each step takes the earliest one whose deps are placed. `deps[i]` are
 * the places that `i` comes after; repeats do no harm. What stands in a cycle, or after one, is left out.
 */
export function stableOrder(deps: readonly (readonly number[])[]): readonly number[] {
  const left = new Int32Array(deps.length);
  const dependents = dependentsOf(deps, left);
  const ready: number[] = [];
  for (let i = 0; i < deps.length; i++) if (left[i] === 0) push(ready, i);
  const order: number[] = [];
  for (let next = pop(ready); next !== undefined; next = pop(ready)) {
    order.push(next);
    for (let e = dependents.from[next] ?? 0; e < (dependents.from[next + 1] ?? 0); e++) {
      const dependent = dependents.list[e] ?? 0;
      const now = (left[dependent] ?? 0) - 1;
      left[dependent] = now;
      if (now === 0) push(ready, dependent);
    }
  }
  return order;
}

/** The dependents of `i` are `list[from[i]]` up to `list[from[i + 1] - 1]`. */
interface Dependents {
  readonly from: Int32Array;
  readonly list: Int32Array;
}

/** Also counts into `left` how many deps each node has. */
function dependentsOf(deps: readonly (readonly number[])[], left: Int32Array): Dependents {
  const from = new Int32Array(deps.length + 1);
  deps.forEach((list, i) => {
    left[i] = list.length;
    for (const dep of list) from[dep + 1] = (from[dep + 1] ?? 0) + 1;
  });
  for (let i = 0; i < deps.length; i++) from[i + 1] = (from[i + 1] ?? 0) + (from[i] ?? 0);
  const list = new Int32Array(from[deps.length] ?? 0);
  const at = from.slice();
  deps.forEach((of, i) => {
    for (const dep of of) {
      const place = at[dep] ?? 0;
      list[place] = i;
      at[dep] = place + 1;
    }
  });
  return { from, list };
}

/** Adds to a binary heap, smallest first. */
function push(heap: number[], item: number): void {
  let at = heap.length;
  heap.push(item);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const other = heap[above] ?? 0;
    if (other <= item) break;
    heap[at] = other;
    at = above;
  }
  heap[at] = item;
}

/** Takes the smallest from a binary heap. */
function pop(heap: number[]): number | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if ((heap[below + 1] ?? Infinity) < (heap[below] ?? Infinity)) below += 1;
    const other = heap[below] ?? 0;
    if (other >= last) break;
    heap[at] = other;
    at = below;
  }
  heap[at] = last;
  return top;
}
