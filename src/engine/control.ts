/** Control requests that other processes left in the inbox, stepped by the process that drives the run. */

import { fail } from '../contract/fault.ts';
import type { Clock, Inbox } from '../contract/ports.ts';
import type { Request } from '../contract/request.ts';
import { eventOf } from '../graph/request.ts';
import type { Drive } from './drive.ts';
import type { Proposal } from './say.ts';

/** Milliseconds between looks at the inbox; a request is answered within two. */
const EVERY = 50;

/** What the inbox holds is written by goalgraph's own commands, but maybe by another version of it. */
export type ParseRequest = (text: string) => Request | null;

export interface Watched {
  readonly run: string;
  readonly epoch: number;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly drive: Drive;
  readonly parse: ParseRequest;
}

/** Returns the function that stops watching. A store that cannot be read is left to the drive's next append to report. */
export function watchInbox({ run, epoch, inbox, clock, drive, parse }: Watched): () => void {
  let changes = NaN;
  let last = 0;
  let stopped = false;
  let cancel = clock.at(clock.now(), look);

  function look() {
    void takeAll().then(() => {
      if (!stopped) cancel = clock.at(clock.now() + EVERY, look);
    });
  }

  async function takeAll() {
    const seen = inbox.changes();
    if (seen === changes) return;
    const open = await inbox.open(run, epoch);
    if (!open.ok) return;
    changes = seen;
    for (const { id, request } of open.value) {
      // Proposed, but not yet answered in the store.
      if (id <= last) continue;
      last = id;
      drive.propose(proposalOf(parse(request)), { request: id });
    }
  }

  return () => {
    stopped = true;
    cancel();
  };
}

export function proposalOf(request: Request | null): Proposal {
  if (!request)
    return () => fail('this request is not understood: both commands must be of the same version');
  return (state, at) => eventOf(state, request, at);
}
