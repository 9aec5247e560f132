/** How an effect that takes long tells what happens on the way: events of its own, stored before it goes on. */

import type { RunEvent } from '../contract/event.ts';
import type { Result } from '../contract/fault.ts';
import type { RunState } from '../graph/run-state.ts';

/** Makes the event of a wish, against the state it will meet; or says why it cannot be. */
export type Proposal = (state: RunState, at: number) => Result<RunEvent, string>;

export interface Say {
  /** As of the last batch that was stored. */
  state(): RunState;
  /**
   * Queues an event. Resolves once it is durable: to null, or to why it was refused; then it is not stored. Events
   * queued in the same turn of the event loop are stored in one transaction, in order. When the journal cannot be
   * written any more it resolves to a reason, too, and everything in flight is aborted.
   */
  store(proposal: Proposal): Promise<string | null>;
  /** Calls back for every event of this run, after it was stored, until the returned function is called. */
  listen(heard: (event: RunEvent) => void): () => void;
}
