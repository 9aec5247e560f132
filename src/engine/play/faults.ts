/** What a model's fault means for its effect. */

import { effectKey, type SessionCommand } from '../../contract/command.ts';
import type { EffectFailed } from '../../contract/goal-event.ts';
import type { ModelFault } from '../../contract/model.ts';
import { never } from '../../contract/never.ts';
import { failedEffect } from './world.ts';

/** The provider's or the user's to mend: the run pauses. Null when it is this one conversation's trouble. */
export function providerFailed(
  effect: SessionCommand,
  fault: ModelFault,
  now: number,
): Omit<EffectFailed, 'at'> | null {
  const failed = (resetAt: number | null) =>
    failedEffect(effectKey(effect), { why: 'provider', detail: fault.message, resetAt });
  switch (fault.code) {
    case 'quota':
      return failed(fault.resetAt);
    case 'rate':
    case 'server':
      return failed(fault.retryAfter === null ? null : now + fault.retryAfter);
    case 'auth':
    case 'not_found':
    case 'no_tools':
    case 'network':
    // An outage looks like these, too: it must not fail one node after the other.
    case 'cut':
    case 'idle':
    case 'protocol':
      return failed(null);
    case 'context_length':
    case 'bad_request':
    case 'aborted':
    case 'refused':
      return null;
    default:
      return never(fault);
  }
}

/** The ledger or the journal did not let a session go on though nobody stopped it. */
export function notLet(effect: SessionCommand, detail: string | null): Omit<EffectFailed, 'at'> {
  return failedEffect(effectKey(effect), { why: 'infra', detail: detail ?? 'a session was cut' });
}
