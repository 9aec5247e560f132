/** Drives one run in this process until it rests: the wiring of `run` and `resume`. */

import type { RunCreated, RunEvent } from '../contract/event.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { Clock, Owner, StoredEvent } from '../contract/ports.ts';
import type { Request } from '../contract/request.ts';
import type { RunView } from '../contract/view.ts';
import { proposalOf, watchInbox } from '../engine/control.ts';
import { drive, type Drive, type Perform } from '../engine/drive.ts';
import type { Proposal } from '../engine/say.ts';
import { commandPerformer, DEFAULT_TIMEOUTS } from '../engine/perform.ts';
import { modelPerformer } from '../engine/play/perform.ts';
import type { World } from '../engine/play/world.ts';
import { keepRecords, type Records } from '../graph/records.ts';
import { NO_RUN, type RunState } from '../graph/run-state.ts';
import { viewOf } from '../graph/view.ts';
import { endLeftovers } from '../os/leftovers.ts';
import { makeRunner } from '../os/runner.ts';
import type { Ask } from './front.ts';
import { realClock } from './real-clock.ts';
import { parseRequest } from './request-schema.ts';
import { secretsOf } from './secrets.ts';
import type { Session } from './session.ts';
import { onSignals, type Signals, type SignalHandlers, type Stop } from './signals.ts';

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
  /** Whether a person has asked for a pause from another terminal. */
  readonly asked: boolean;
  /** Whether it went on after a pause. */
  readonly resumed: boolean;
  readonly refused: string | null;
  /** From where it can be driven on. */
  readonly standing: Standing;
}

/** A run at rest that goes on by itself. */
export interface Wait {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What is proposed then, unless something was stored before. */
  readonly resume: Proposal;
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
  /** Hears how to ask for something from within this process; null when it is too late for that. */
  readonly onDriving?: (ask: Ask | null) => void;
  /** With nothing to do first: it stays at rest until this time, or until a person asks for something. */
  readonly wait?: Wait | null;
}

/** What a drive needs of the world; tests have their own. */
export interface DriveWorld {
  readonly clock: Clock;
  readonly perform: Perform;
  readonly listen: (handlers: SignalHandlers) => Signals;
}

export function realWorld(options: DriveRun): DriveWorld {
  const perform = options.world
    ? modelPerformer(options.world)
    : commandPerformer(runnerOf(options), DEFAULT_TIMEOUTS);
  return { clock: realClock, perform, listen: onSignals };
}

/** Milliseconds: the timers of a machine stand still while it sleeps, so the clock on the wall is looked at now and then. */
const LOOK_UP = 60_000;

/** What is found out while it drives. */
interface Seen {
  created: RunCreated | null;
  version: number;
  asked: boolean;
  resumed: boolean;
  refused: string | null;
}

export async function driveRun(options: DriveRun, around = realWorld(options)): Promise<Result<Driven>> {
  const { session, owner, standing, wait = null } = options;
  const { clock, perform } = around;
  const { created, version } = standing;
  const seen: Seen = { created, version, asked: false, resumed: false, refused: null };
  let disarm = (): void => undefined;
  const view = (state: RunState) => {
    if (!seen.created) throw new Error('a run is shown before it was created');
    return viewOf(seen.created, state, standing.records);
  };
  const driving = drive({
    run: owner.run,
    state: standing.state,
    version,
    log: session.store.log,
    clock,
    perform,
    slots: options.concurrency,
    onStored(events, state) {
      disarm();
      for (const stored of events) {
        see(seen, stored);
        standing.records.add(stored.event);
        options.world?.index.add(stored.event);
      }
      options.onStored(events, () => view(state));
    },
  });
  const unheed = heed(options, { around, driving, seen });
  const propose = (proposal: Proposal) =>
    driving.propose(proposal, { reply: (why) => (seen.refused ??= why) });
  options.first.forEach(propose);
  options.onDriving?.((request) => {
    note(seen, request);
    return new Promise((reply) => driving.propose(proposalOf(request), { reply }));
  });
  const sleep = ({ at, resume }: Wait): void => {
    const look = Math.min(at, clock.now() + LOOK_UP);
    disarm = clock.at(look, () => (clock.now() < at ? sleep({ at, resume }) : propose(resume)));
  };
  if (wait) sleep(wait);
  const ended = await driving.ended;
  options.onDriving?.(null);
  disarm();
  const signal = unheed();
  if (!ended.ok) return ended;
  const { asked, resumed, refused } = seen;
  const next = { ...standing, created: seen.created, version: seen.version, state: ended.value, events: [] };
  return ok({ view: view(ended.value), signal, asked, resumed, refused, standing: next });
}

/** Whoever asks for a pause gets one, whether the run is at rest or not. */
function note(seen: Seen, request: Request | null): void {
  seen.asked ||= request?.type === 'pause';
}

function see(seen: Seen, { event, version }: StoredEvent): void {
  seen.version = version;
  if (event.type === 'run.created') seen.created = event;
  if (event.type === 'run.resumed') seen.resumed = true;
}

/** Said to whoever wants to go on with a run that this process has paused, and is about to let go. */
export const LEAVING = 'its process is ending what was in flight';

/** Who resumes a paused run drives it, but for one that waits to go on. */
function unlessLeaving(made: ReturnType<Proposal>, isLeaving: boolean): ReturnType<Proposal> {
  return isLeaving && made.ok && made.value.type === 'run.resumed' ? fail(LEAVING) : made;
}

interface Heeding {
  readonly around: DriveWorld;
  readonly driving: Drive;
  readonly seen: Seen;
}

/** Listens to other terminals and to signals. The returned function ends that, and tells the first signal that came. */
function heed(
  { session, owner, onPausing, wait }: DriveRun,
  { around, driving, seen }: Heeding,
): () => Stop | null {
  const isLeaving = (): boolean => !wait || seen.resumed;
  const unwatch = watchInbox({
    run: owner.run,
    epoch: owner.epoch,
    inbox: session.store.inbox,
    clock: around.clock,
    drive: {
      ...driving,
      propose: (proposal, asked) =>
        driving.propose((state, at) => unlessLeaving(proposal(state, at), isLeaving()), asked),
    },
    parse(text) {
      const request = parseRequest(text);
      note(seen, request);
      return request;
    },
  });
  const signals = around.listen({
    pause(signal) {
      onPausing(signal);
      driving.propose((_, at) => ({
        ok: true,
        value: { type: 'run.paused', at, why: 'user', detail: signal, resetAt: null },
      }));
    },
    kill: () => killChildren(session),
  });
  return () => {
    unwatch();
    signals.stop();
    return signals.first();
  };
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
