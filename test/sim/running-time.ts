/** Running time as the observer counts it, from events alone. */

import type { RunEvent } from '../../src/contract/event.ts';
import type { Limits } from '../../src/contract/limits.ts';

export interface RunningTime {
  readonly maxTime: number | null;
  readonly until: number | null;
  readonly ran: number;
  readonly since: number | null;
  readonly last: number;
  /** A plan that a model wrote waits for a yes, at rest. */
  readonly approve: boolean;
}

export function newTime(
  limits: Pick<Limits, 'maxTime' | 'until'> = { maxTime: null, until: null },
  approve = false,
): RunningTime {
  return { maxTime: limits.maxTime, until: limits.until, ran: 0, since: null, last: 0, approve };
}

export function passTime(time: RunningTime, event: RunEvent): RunningTime {
  const stop = (at: number) => ({
    ...time,
    ran: time.since === null ? time.ran : time.ran + (at - time.since),
    since: null,
    last: event.at,
  });
  switch (event.type) {
    case 'run.planned':
      return time.approve ? stop(event.at) : { ...time, last: event.at };
    case 'run.created':
    case 'run.approved':
      return { ...time, since: event.at, last: event.at };
    case 'run.resumed': {
      const { maxTime, until } = event.limits;
      return { ...time, maxTime, until, since: event.at, last: event.at };
    }
    case 'run.paused':
    case 'run.completed':
    case 'run.cleared':
      return stop(event.at);
    case 'run.restored':
      return stop(time.last);
    default:
      return { ...time, last: event.at };
  }
}

export function deadlineOf({ maxTime, until, ran, since }: RunningTime): number | null {
  if (since === null) return null;
  const ends = [until, maxTime === null ? null : since + maxTime - ran].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}
