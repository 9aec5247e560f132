/** Between which snapshots the work of each node, and of the whole run, lies. */

import type { RunEvent } from '../../contract/event.ts';
import type { NodeId } from '../../contract/ids.ts';
import type { StoredEvent } from '../../contract/ports.ts';

export interface Span {
  /** Snapshots. */
  readonly base: string;
  readonly tree: string;
}

export interface Spans {
  /** From the first base of the run to its newest snapshot; null before there is one. */
  readonly total: Span | null;
  /** From each node's newest base to the newest snapshot of its work. */
  readonly nodes: ReadonlyMap<NodeId, Span>;
}

export function spansOf(events: readonly StoredEvent[]): Spans {
  let total = null as Span | null;
  const nodes = new Map<NodeId, Span>();
  for (const { event } of events) {
    if (event.type === 'base.ended') {
      // A node that began anew is compared with its new base, the run always with its first.
      nodes.set(event.node, { base: event.tree, tree: event.tree });
      total = { base: total?.base ?? event.tree, tree: event.tree };
    }
    if (!isAtTree(event)) continue;
    const { node, tree } = event;
    const known = nodes.get(node);
    if (tree === null || known === undefined) continue;
    nodes.set(node, { ...known, tree });
    if (total !== null) total = { ...total, tree };
  }
  return { total, nodes };
}

type AtTree = Extract<RunEvent, { type: 'round.ended' | 'vote.ended' | 'move.ended' | 'node.kept' }>;

function isAtTree(event: RunEvent): event is AtTree {
  const { type } = event;
  return type === 'round.ended' || type === 'vote.ended' || type === 'move.ended' || type === 'node.kept';
}
