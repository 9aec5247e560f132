/**
 * `pause resume retry skip edit clear`: a person's requests. If a process drives the run, the request goes to its
 * inbox and its answer is waited for; if none does, this process takes the lease, steps the request itself and lets go.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { fail, ok, type Result } from '../../contract/fault.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Owner } from '../../contract/ports.ts';
import type { Request } from '../../contract/request.ts';
import { loadRun, type LoadedRun } from '../../engine/load.ts';
import { proposalOf } from '../../engine/control.ts';
import { endChildren, isAbandoned, openings } from '../../engine/restore.ts';
import { stepRun } from '../../graph/run.ts';
import type { RunState } from '../../graph/run-state.ts';
import { WATCHED, type Unwatched } from '../away.ts';
import type { ConfigFlags } from '../config.ts';
import { complain, type Context } from '../context.ts';
import { driveRun, LEAVING as IS_LEAVING, type DriveRun } from '../drive-run.ts';
import { jsonLine } from '../presenter.ts';
import { changedModels } from '../models.ts';
import { openWorld } from '../model-world.ts';
import { owned } from '../../store/lease.ts';
import { loadChosen, withSession, type Session } from '../session.ts';
import { safeJson } from '../safe-json.ts';
import { showDrive } from '../show-drive.ts';
import { mayBeLeft } from '../unattended.ts';
import { workspaceHere } from '../workspace.ts';

/** Milliseconds to wait for an owner's answer, or for an owner that is on its way out. */
const PATIENCE = 10_000;

/** Milliseconds after which an owner that seems to drive does: another command holds the lease for an instant only. */
const LEAVING = 1_000;

/** `flags`: with `resume`, what models are from now on; empty for no change. `unwatched`: how it is left alone then. */
export async function control(
  context: Context,
  request: Request,
  flags: ConfigFlags = {},
  unwatched = WATCHED,
): Promise<number> {
  const workspace = workspaceHere(context.dir);
  if (!workspace.ok) return complain(context, workspace.fault);
  const goesOn = request.type === 'resume' || request.type === 'approve';
  const drives = goesOn ? { drives: { trust: context.trust ?? false } } : {};
  const code = await withSession({ workspace: workspace.value, create: false, ...drives }, (session) =>
    ask({ context, session, request, flags, unwatched }),
  );
  return code.ok ? code.value : complain(context, code.fault);
}

interface Asking {
  readonly context: Context;
  readonly session: Session;
  readonly request: Request;
  readonly flags: ConfigFlags;
  readonly unwatched: Unwatched;
}

async function ask(asking: Asking): Promise<Result<number>> {
  const { context, session, request } = asking;
  const { store } = session;
  for (const since = Date.now(); ;) {
    const loaded = await loadChosen(store.log, context.run);
    if (!loaded.ok) return loaded;
    const { created, state } = loaded.value;
    // Looking costs nothing, and taking a lease that is held does: so look first.
    const holder = store.lease.holder();
    if (!holder.ok) return holder;
    if (holder.value === null) {
      const stepped = await takeAndStep(asking, created.run);
      if (stepped) return stepped;
    } else if (holder.value.run !== created.run || Date.now() - since > PATIENCE) {
      return fail(owned(holder.value));
    } else if (isAbandoned(state)) {
      // As far as the journal says, it drives.
      if (request.type !== 'resume') {
        const answered = await askOwner(asking, holder.value);
        if (answered) return answered;
      } else if (Date.now() - since > LEAVING) {
        return fail({ code: 'refused', message: runningAlready(holder.value) });
      }
    } else if (state.graph.context.paused?.why === 'provider' && Date.now() - since > LEAVING) {
      // Anything else at rest is on its way out, and the lease comes free. This may wait for its provider.
      const answered = await askWaiting(asking, holder.value, Date.now() - since);
      if (answered) return answered;
    }
    await wait(20);
  }
}

/** Null when another process was faster. */
async function takeAndStep(asking: Asking, run: string): Promise<Result<number> | null> {
  const { store } = asking.session;
  const owner = store.lease.take(run);
  if (!owner.ok) return owner.fault.code === 'owned' ? null : owner;
  // Read only now: until the lease was ours, its last owner may have written.
  const loaded = await loadRun(store.log, run);
  return loaded.ok ? stepHere(asking, { loaded: loaded.value, owner: owner.value }) : loaded;
}

/** Of an owner that waits, a pause ends the wait: the run itself is paused already, so it has no event for that. */
async function askWaiting(asking: Asking, owner: Owner, waited: number): Promise<Result<number> | null> {
  const { session, request, flags } = asking;
  if (request.type === 'resume' && Object.keys(flags).length > 0) {
    if (waited < PATIENCE / 2) return null;
    const message = `Run ${owner.run} waits for its provider in process ${owner.pid}, with the models that it has. End that with goalgraph pause; then resume with others.`;
    return fail({ code: 'refused', message });
  }
  const isPaused = async (): Promise<boolean> => {
    const loaded = await loadRun(session.store.log, owner.run);
    return loaded.ok && loaded.value.state.graph.value === 'paused';
  };
  return askOwner(asking, owner, async (refused) =>
    request.type === 'pause' && (await isPaused()) ? null : refused,
  );
}

function runningAlready({ run, pid }: Owner): string {
  return `Run ${run} is running already (process ${pid}).`;
}

/** Null when the owner went away without an answer, or is about to. `meant`: what its refusal, or null, means. */
async function askOwner(
  { context, session, request }: Asking,
  owner: Owner,
  meant = (refused: string | null): Promise<string | null> => Promise.resolve(refused),
): Promise<Result<number> | null> {
  const told = async (answer: string) => {
    const refused = refusedIn(answer);
    return refused === IS_LEAVING ? null : ok(report(context, request, await meant(refused)));
  };
  const { inbox, lease } = session.store;
  const posted = await inbox.post({ run: owner.run, epoch: owner.epoch, request: JSON.stringify(request) });
  if (!posted.ok) return posted;
  for (const since = Date.now(); Date.now() - since < PATIENCE;) {
    // In this order: an owner may answer and go away between two looks, and the answer must not be missed.
    const holder = lease.holder();
    const answer = await inbox.answer(posted.value);
    if (!answer.ok) return answer;
    if (answer.value !== null) return told(answer.value);
    if (holder.ok && holder.value?.epoch !== owner.epoch) return null;
    await wait(10);
  }
  const late = await inbox.withdraw(posted.value);
  if (!late.ok) return late;
  if (late.value !== null) return told(late.value);
  const message = `Process ${owner.pid} drives run ${owner.run} but does not answer, so the request was taken back. If the process hangs, end it; then try again.`;
  return fail({ code: 'owned', message });
}

function refusedIn(answer: string): string | null {
  const parsed: unknown = JSON.parse(answer);
  const refused =
    typeof parsed === 'object' && parsed !== null && 'refused' in parsed ? parsed.refused : null;
  return typeof refused === 'string' ? refused : null;
}

async function stepHere(
  asking: Asking,
  { loaded, owner }: { loaded: LoadedRun; owner: Owner },
): Promise<Result<number>> {
  const { context, session } = asking;
  const ended = await endChildren(session.store.children);
  if (!ended.ok) return ended;
  const { state, created } = loaded;
  const changed = await withModels(asking, state);
  if (!changed.ok) return changed;
  const request = changed.value;
  const models = (request.type === 'resume' ? request.models : null) ?? state.graph.context.models;
  const goesOn = request.type === 'resume' || request.type === 'approve';
  const limits = limitsAfter(state, request) ?? created.limits;
  const left = mayBeLeft({ ...asking.unwatched, approve: false }, models === null ? null : limits);
  if (!left.ok) return left;
  const world =
    goesOn && models && isTaken(state, request)
      ? await openWorld({
          session,
          run: owner.run,
          objective: created.objective,
          settings: models,
          look: true,
          standing: { ...loaded, events: loaded.events.map(({ event }) => event) },
        })
      : null;
  if (world && !world.ok) return world;
  const driving: Omit<DriveRun, 'onStored' | 'onPausing' | 'world'> = {
    session,
    owner,
    workspace: session.workspace,
    concurrency: (request.type === 'resume' ? request.concurrency : null) ?? state.graph.context.concurrency,
    standing: { ...loaded, events: [] },
    first: openings(state, request),
  };
  if (goesOn) {
    const open = world?.value ?? null;
    const { unwatched } = asking;
    const shown = await showDrive(context, { ...driving, models, limits, open, unwatched });
    return shown.ok ? ok(shown.value.code) : shown;
  }
  const driven = await driveRun({
    ...driving,
    world: null,
    onStored: (events) => {
      if (context.json) events.forEach((stored) => context.output.out(jsonLine(stored)));
    },
    onPausing: () => undefined,
  });
  if (!driven.ok) return driven;
  const { refused } = driven.value;
  // Its process had died: taking it over is a pause, and that is what was asked for.
  if (isAbandoned(state) && request.type === 'pause') return ok(report(context, request, null));
  const code = report(context, request, refused);
  if (code === 0 && !context.json && state.graph.value === 'approval' && request.type !== 'clear') {
    context.output.out('Its plan waits for a yes: goalgraph approve');
  }
  return ok(code);
}

/** A resume with other models, if the person named some. */
async function withModels(
  { context, session, request, flags }: Asking,
  state: RunState,
): Promise<Result<Request>> {
  const old = state.graph.context.models;
  if (request.type !== 'resume' || Object.keys(flags).length === 0) return ok(request);
  if (!old) {
    const message = 'No model works on this run: its plan is one of commands.';
    return fail({ code: 'refused', message });
  }
  const priced = request.add.cost !== null || (state.ledger?.limits.cost ?? null) !== null;
  const models = await changedModels(old, flags, { config: session.config, dir: context.dir, priced });
  return models.ok ? ok({ ...request, models: models.value }) : models;
}

/** The limits that the run goes on with; null when it does not take the request. */
function limitsAfter(state: RunState, request: Request): Limits | null {
  const event = proposalOf(request)(state, Math.max(Date.now(), state.lastAt));
  return event.ok && event.value.type === 'run.resumed' ? event.value.limits : null;
}

/** Whether the run takes the request as it stands: models are not looked for in vain, which may fail for reasons of its own. */
function isTaken(state: RunState, request: Request): boolean {
  let next = state;
  for (const proposal of openings(state, request)) {
    const event = proposal(next, Math.max(Date.now(), next.lastAt));
    if (!event.ok) return false;
    const stepped = stepRun(next, event.value);
    if (!stepped.ok) return false;
    next = stepped.next;
  }
  return true;
}

/** What was done, in a line; the exit code says whether the request was taken. */
function report(context: Context, request: Request, refused: string | null): number {
  if (refused !== null) return complain(context, { code: 'refused', message: refused });
  context.output.out(context.json ? safeJson({ refused }) : doneWords(request));
  return 0;
}

/** What was done, in a line. */
export function doneWords(request: Request): string {
  switch (request.type) {
    case 'pause':
      return 'Paused. Go on: goalgraph resume';
    case 'clear':
      return 'Cleared: the run is given up, its records are kept.';
    case 'approve':
      return 'Approved: the plan runs.';
    case 'resume':
      return 'Resumed.';
    case 'choose':
      return `Chosen: ${request.branch}. If the run is paused: goalgraph resume`;
    case 'retry':
      return `${request.node} will run again. If the run is paused: goalgraph resume`;
    case 'skip':
      return `${request.node} is skipped. If the run is paused: goalgraph resume`;
    case 'edit':
      return `${request.node} is edited and will run anew. If the run is paused: goalgraph resume`;
  }
}
