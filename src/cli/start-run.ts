/** Starts a run: what `run`, `graph` and `goal` do once they know what it is for. */

import { randomBytes } from 'node:crypto';
import type { RunCreated } from '../contract/event.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowRun } from '../contract/flow.ts';
import type { Limits } from '../contract/limits.ts';
import type { Plan } from '../contract/plan.ts';
import type { EventLog } from '../contract/ports.ts';
import type { ModelSettings } from '../contract/settings.ts';
import { endChildren } from '../engine/restore.ts';
import type { Unwatched } from './away.ts';
import type { Context } from './context.ts';
import { nothingYet } from './drive-run.ts';
import { openWorld } from './model-world.ts';
import type { Session } from './session.ts';
import { showDrive, type Shown } from './show-drive.ts';

export interface Start {
  readonly context: Context;
  readonly session: Session;
  readonly objective: string;
  /** Null when a model is to write it. */
  readonly plan: Plan | null;
  /** The chart that its only node follows; a run of a plan has none. */
  readonly flow?: FlowRun | null;
  /** Null when no model works on it. */
  readonly models: ModelSettings | null;
  readonly approve: boolean;
  readonly limits: Limits;
  /** Null: as the configuration says. */
  readonly concurrency: number | null;
  /** Whether to look first at what the server serves. */
  readonly look: boolean;
  /** How it is left alone; when not given, it is not. */
  readonly unwatched?: Unwatched;
}

export async function startRun(start: Start): Promise<Result<Shown>> {
  const { context, session, objective, plan, models, approve, limits, look } = start;
  const { store, workspace, config } = session;
  const id = newRunId(Date.now());
  const owner = store.lease.take(id);
  if (!owner.ok) return owner;
  const free = await noOpenRun(store.log);
  if (!free.ok) return free;
  const ended = await endChildren(store.children);
  if (!ended.ok) return ended;
  const standing = nothingYet();
  const world = models
    ? await openWorld({ session, run: id, objective, settings: models, look, standing })
    : null;
  if (world && !world.ok) return world;
  const concurrency = start.concurrency ?? config.concurrency;
  const created: Omit<RunCreated, 'at'> = {
    type: 'run.created',
    run: id,
    machine: 1,
    objective,
    plan,
    models,
    flow: start.flow ?? null,
    approve,
    workspace,
    concurrency,
    limits,
  };
  const first = [(_: unknown, at: number) => ok({ ...created, at })];
  const driving = { session, owner: owner.value, workspace, concurrency, standing, first };
  const { unwatched } = start;
  const open = world?.value ?? null;
  const shown = await showDrive(context, {
    ...driving,
    models,
    limits,
    open,
    ...(unwatched && { unwatched }),
  });
  if (!shown.ok || shown.value.status !== 'complete' || !world) return shown;
  const unasked = world.value.unasked();
  if (unasked.length === 0) return shown;
  const message = `The script has ${unasked.length} steps that nobody asked for, so it tells another story than this run: ${unasked.join(', ')}.`;
  return fail({ code: 'provider', message });
}

/** One open run per workspace: the newest, if it is neither complete nor cleared. */
async function noOpenRun(log: EventLog): Promise<Result<null>> {
  const rows = await log.runs();
  if (!rows.ok) return rows;
  const [newest] = rows.value;
  if (!newest) return ok(null);
  const last = await log.lifecycle(newest.run);
  if (!last.ok) return last;
  if (last.value?.type === 'run.completed' || last.value?.type === 'run.cleared') return ok(null);
  const message = `Run ${newest.run} is still open in this workspace. Go on with it: goalgraph resume. Or give it up: goalgraph clear`;
  return fail({ code: 'run_open', message });
}

/** Sorts by time, reads as a date, and does not collide with one of the same second. */
function newRunId(now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, '').slice(0, 15).replace('T', '-');
  return `${stamp}-${randomBytes(2).toString('hex')}`;
}
