/** Drives one run in this process until it rests: the wiring of `run` and `resume`. */

import type { RunCreated, RunEvent } from '../contract/event.ts';
import type { Result } from '../contract/fault.ts';
import type { Owner, StoredEvent } from '../contract/ports.ts';
import type { RunView } from '../contract/view.ts';
import { watchInbox } from '../engine/control.ts';
import { drive } from '../engine/drive.ts';
import type { Proposal } from '../engine/say.ts';
import { commandPerformer, DEFAULT_TIMEOUTS } from '../engine/perform.ts';
import { modelPerformer } from '../engine/play/perform.ts';
import type { World } from '../engine/play/world.ts';
import { keepRecords, type Records } from '../graph/records.ts';
import { NO_RUN, type RunState } from '../graph/run-state.ts';
import { viewOf } from '../graph/view.ts';
import { endLeftovers } from '../os/leftovers.ts';
import { makeRunner } from '../os/runner.ts';
import { realClock } from './real-clock.ts';
import { parseRequest } from './request-schema.ts';
import { secretsOf } from './secrets.ts';
import type { Session } from './session.ts';
import { onSignals, type Stop } from './signals.ts';

/** Where a run stands before this process goes on with it. */
export interface Standing {
  readonly created: RunCreated | null;
  readonly state: RunState;
  readonly version: number;
  readonly records: Records;
  readonly events: readonly RunEvent[];
}

export function nothingYet(): Standing {
  return { created: null, state: NO_RUN, version: 0, records: keepRecords(), events: [] };
}

export interface Driven {
  readonly view: RunView;
  /** The signal that paused it, if one did. */
  readonly signal: Stop | null;
}

export interface DriveRun {
  readonly session: Session;
  readonly owner: Owner;
  readonly workspace: string;
  readonly concurrency: number;
  readonly standing: Standing;
  /** Null for a run without models, and where nothing is started. Its records are those of the standing. */
  readonly world: World | null;
  /** What to do first, in order; a refused one ends the drive if the run is then at rest. */
  readonly first: readonly Proposal[];
  /** Called for what is stored, as it is stored. */
  readonly onStored: (events: readonly StoredEvent[], view: () => RunView) => void;
  readonly onPausing: (signal: Stop) => void;
}

export async function driveRun(options: DriveRun): Promise<Result<Driven & { refused: string | null }>> {
  const { session, owner, standing } = options;
  const { store } = session;
  let { created } = standing;
  let refused: string | null = null;
  const view = (state: RunState) => {
    if (!created) throw new Error('a run is shown before it was created');
    return viewOf(created, state, standing.records);
  };
  const driving = drive({
    run: owner.run,
    state: standing.state,
    version: standing.version,
    log: store.log,
    clock: realClock,
    perform: options.world
      ? modelPerformer(options.world)
      : commandPerformer(runnerOf(options), DEFAULT_TIMEOUTS),
    slots: options.concurrency,
    onStored(events, state) {
      const [first] = events;
      if (first?.event.type === 'run.created') created = first.event;
      for (const { event } of events) {
        standing.records.add(event);
        options.world?.index.add(event);
      }
      options.onStored(events, () => view(state));
    },
  });
  const unwatch = watchInbox({
    run: owner.run,
    epoch: owner.epoch,
    inbox: store.inbox,
    clock: realClock,
    drive: driving,
    parse: parseRequest,
  });
  const signals = onSignals({
    pause(signal) {
      options.onPausing(signal);
      driving.propose((_, at) => ({
        ok: true,
        value: { type: 'run.paused', at, why: 'user', detail: signal, resetAt: null },
      }));
    },
    kill: () => killChildren(session),
  });
  for (const proposal of options.first) {
    driving.propose(proposal, { reply: (why) => (refused ??= why) });
  }
  const ended = await driving.ended;
  unwatch();
  signals.stop();
  if (!ended.ok) return ended;
  return { ok: true, value: { view: view(ended.value), signal: signals.first(), refused } };
}

function runnerOf({ session, owner, workspace }: DriveRun) {
  const { log, children } = session.store;
  return makeRunner({
    workspace,
    stateDir: session.config.stateDir,
    env: process.env,
    secrets: secretsOf(process.env),
    children,
    putBlob: (bytes) => log.putBlob(bytes),
    run: owner.run,
  });
}

async function killChildren(session: Session): Promise<void> {
  const rows = session.store.children.all();
  if (rows.ok) await endLeftovers(rows.value);
}
