/** A stored run, gone through again event by event: the state after each is what a live run showed then. */

import type { StoredEvent } from '../../contract/ports.ts';
import type { RunView } from '../../contract/view.ts';
import { keepRecords } from '../../graph/records.ts';
import { applyRun } from '../../graph/run.ts';
import { NO_RUN } from '../../graph/run-state.ts';
import { viewOf } from '../../graph/view.ts';

export interface Playback {
  /** Takes the next event. */
  readonly take: (stored: StoredEvent) => void;
  /** After the events so far. */
  readonly view: () => RunView;
}

/** The events of one run, which have been folded before: one that does not follow is a bug. */
export function playback(first: StoredEvent | undefined): Playback {
  const created = first?.event;
  if (created?.type !== 'run.created') throw new Error('a run begins with its creation');
  const records = keepRecords();
  let state = NO_RUN;
  return {
    take({ version, event }) {
      const applied = applyRun(state, event);
      if (!applied.ok) throw new Error(`event ${version} does not follow: ${applied.why}`);
      state = applied.next;
      records.add(event);
    },
    view: () => viewOf(created, state, records),
  };
}

/**
 * With the moments from which times of running and waiting are counted moved by so many milliseconds. Whoever shows a
 * view counts to the present, and this one is of another time.
 */
export function movedBy(view: RunView, ms: number): RunView {
  const moved = (at: number | null): number | null => (at === null ? null : at + ms);
  return {
    ...view,
    runningSince: moved(view.runningSince),
    deadline: moved(view.deadline),
    nodes: view.nodes.map((node) => ({
      ...node,
      startedAt: moved(node.startedAt),
      goal: node.goal && { ...node.goal, until: moved(node.goal.until) },
    })),
  };
}
