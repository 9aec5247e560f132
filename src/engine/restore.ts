/** Going on with a run after its process: what must be over first, and what is said first. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { ChildLog } from '../contract/ports.ts';
import type { Request } from '../contract/request.ts';
import { isMoving, type RunState } from '../graph/run-state.ts';
import { endLeftovers } from '../os/leftovers.ts';
import { proposalOf } from './control.ts';
import type { Proposal } from './say.ts';

/** True when the run's last process died while it drove: nothing has paused the run since. */
export function isAbandoned(state: RunState): boolean {
  return isMoving(state);
}

/** True when its process died after a pause, before all that was in flight had ended: nobody has paid for it. */
function hasUnpaid({ graph, ledger }: RunState): boolean {
  return graph.value === 'paused' && ledger !== null && ledger.open.length > 0;
}

/** What a new owner proposes: that the old one is gone, if it died; then what the person asks. */
export function openings(state: RunState, request: Request): readonly Proposal[] {
  const restored: Proposal = (_, at) => ok({ type: 'run.restored', at });
  return [...(isAbandoned(state) || hasUnpaid(state) ? [restored] : []), proposalOf(request)];
}

/** Ends the processes that an owner which died has left running. Comes before anything is started again. */
export async function endChildren(children: ChildLog): Promise<Result<null>> {
  const rows = children.all();
  if (!rows.ok) return rows;
  const { gone, survivors, around } = await endLeftovers(rows.value);
  for (const { token } of gone) children.forget(token);
  if (around.length > 0) {
    const message = `This process was itself started by a command of the run whose owner is gone. Go on from outside of it.`;
    return fail({ code: 'leftovers', message });
  }
  if (survivors.length === 0) return ok(null);
  const pids = survivors.join(', ');
  const message = `What the last process of this run had started is still alive and cannot be ended (${pids}). End it by hand, then try again; nothing was started.`;
  return fail({ code: 'leftovers', message });
}
