/** Exit codes: what a script, or a person in the morning, learns from the number alone. */

import type { Fault } from '../contract/fault.ts';
import { never } from '../contract/never.ts';
import type { RunView } from '../contract/view.ts';

export const EXIT = {
  complete: 0,
  /** Stuck with a failed node. */
  failed: 1,
  usage: 2,
  /** Paused or cleared by a person, a plan that waits for a yes, stuck with only blocked nodes, or at a step of a flow. */
  paused: 3,
  /** Budget, deadline, or moves of a flow. */
  limit: 4,
  /** Provider, machine or store. */
  infra: 5,
  sigint: 130,
  sigterm: 143,
} as const;

export function exitOfRun({ status, why, counts }: Pick<RunView, 'status' | 'why' | 'counts'>): number {
  if (status === 'complete') return EXIT.complete;
  if (status === 'cleared' || why === null) return EXIT.paused;
  switch (why) {
    case 'user':
      return EXIT.paused;
    case 'stuck':
      return counts.failed > 0 ? EXIT.failed : EXIT.paused;
    case 'budget':
    case 'deadline':
    case 'moves':
      return EXIT.limit;
    case 'provider':
    case 'infra':
      return EXIT.infra;
    default:
      return never(why);
  }
}

export function exitOfFault({ code }: Fault): number {
  switch (code) {
    case 'usage':
    case 'plan':
    case 'plan_file':
    case 'workspace':
    case 'no_run':
    case 'run_open':
    case 'refused':
    case 'owned':
    case 'model':
      return EXIT.usage;
    case 'deadline':
      return EXIT.limit;
    case 'store_full':
    case 'store_corrupt':
    case 'store_newer':
    case 'store_io':
    case 'conflict':
    case 'journal':
    case 'leftovers':
    case 'provider':
    case 'sandbox':
      return EXIT.infra;
    default:
      return never(code);
  }
}
