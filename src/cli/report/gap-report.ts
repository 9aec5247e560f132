/** The gaps that were found, with what the worker said it had done when each was closed. */

import type { RunEvent } from '../../contract/event.ts';
import type { NodeId } from '../../contract/ids.ts';
import type { StoredEvent } from '../../contract/ports.ts';
import type { GapView } from '../../contract/view.ts';

export interface GapReport extends GapView {
  readonly by: string | null;
}

/** What the worker said at the end of each round; of a node that began anew, of its last try. */
export type Summaries = ReadonlyMap<NodeId, ReadonlyMap<number, string>>;

export function summariesOf(events: readonly StoredEvent[]): Summaries {
  const all = new Map<NodeId, Map<number, string>>();
  for (const { event } of events) {
    if (isAnew(event)) all.delete(event.node);
    if (event.type !== 'round.ended' || event.report === null) continue;
    const rounds = all.get(event.node) ?? new Map<number, string>();
    all.set(event.node, rounds.set(event.round, event.report.summary));
  }
  return all;
}

function isAnew(event: RunEvent): event is Extract<RunEvent, { type: 'node.retried' | 'node.edited' }> {
  return event.type === 'node.retried' || event.type === 'node.edited';
}

export function gapReports(
  gaps: readonly GapView[],
  said: ReadonlyMap<number, string> | undefined,
): readonly GapReport[] {
  return gaps.map((gap) => ({
    ...gap,
    by: gap.closedIn === null ? null : (said?.get(gap.closedIn) ?? null),
  }));
}
