/** How long each move of a flow took, from the stored events: pauses do not count. */

import type { RunEvent } from '../../contract/event.ts';
import type { StoredEvent } from '../../contract/ports.ts';

interface Timing {
  /** Of each entry of the trail, in milliseconds of running; null for a person's choice. */
  readonly times: (number | null)[];
  /** When the move in flight, or its present stretch of running, began. */
  since: number | null;
  /** Milliseconds of it before. */
  before: number;
}

export function moveTimes(events: readonly StoredEvent[]): readonly (number | null)[] {
  const timing: Timing = { times: [], since: null, before: 0 };
  let last = events[0]?.event.at ?? 0;
  for (const { event } of events) {
    note(timing, event, last);
    last = Math.max(last, event.at);
  }
  return timing.times;
}

/** `last`: the time of the event before. */
function note(timing: Timing, event: RunEvent, last: number): void {
  switch (event.type) {
    case 'node.started':
      timing.since = event.at;
      break;
    case 'move.ended':
      timing.times.push(timeOf(timing, event.at));
      begin(timing, event.at);
      break;
    case 'flow.chosen':
      timing.times.push(null);
      begin(timing, timing.since === null ? null : event.at);
      break;
    case 'run.paused':
      rest(timing, event.at);
      break;
    case 'run.restored':
      // Nobody knows when its process died: what is known is the last thing it did.
      rest(timing, last);
      break;
    default:
      break;
  }
}

function begin(timing: Timing, at: number | null): void {
  timing.since = at;
  timing.before = 0;
}

function rest(timing: Timing, at: number): void {
  timing.before = timeOf(timing, at);
  timing.since = null;
}

function timeOf({ since, before }: Timing, at: number): number {
  return before + (since === null ? 0 : Math.max(0, at - since));
}
