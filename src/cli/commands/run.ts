/** `goalgraph run FILE`: a plan file, run to its end. */

import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { RunCreated } from '../../contract/event.ts';
import { fail, ok, type Result } from '../../contract/fault.ts';
import type { EventLog } from '../../contract/ports.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Plan } from '../../contract/plan.ts';
import { complain, type Context } from '../context.ts';
import { nothingYet } from '../drive-run.ts';
import { gateFile } from '../plan-file.ts';
import { endChildren } from '../../engine/restore.ts';
import { showDrive } from '../show-drive.ts';
import { withSession, type Session } from '../session.ts';
import { workspaceOfPlan } from '../workspace.ts';

export interface RunOptions {
  readonly limits: Limits;
  /** Null: as the workspace's configuration says. */
  readonly concurrency: number | null;
}

export async function run(context: Context, file: string, options: RunOptions): Promise<number> {
  // Given before the command's name, where it stands for every command.
  if (context.run !== null) {
    return complain(context, {
      code: 'usage',
      message: '--run names a run that is there; run starts a new one.',
    });
  }
  const path = resolve(context.dir ?? '.', file);
  const gated = await gateFile(context, { name: file, path });
  if (!gated.ok) return gated.fault;
  const { plan } = gated.value;
  const workspace = workspaceOfPlan({ file: path, workspace: plan.workspace, dir: context.dir });
  if (!workspace.ok) return complain(context, workspace.fault);
  const code = await withSession({ workspace: workspace.value, create: true }, (session) =>
    start({ context, session, plan, options }),
  );
  return code.ok ? code.value : complain(context, code.fault);
}

interface Start {
  readonly context: Context;
  readonly session: Session;
  readonly plan: Plan;
  readonly options: RunOptions;
}

async function start({ context, session, plan, options }: Start): Promise<Result<number>> {
  const { store, workspace, config } = session;
  const id = newRunId(Date.now());
  const owner = store.lease.take(id);
  if (!owner.ok) return owner;
  const free = await noOpenRun(store.log);
  if (!free.ok) return free;
  const ended = await endChildren(store.children);
  if (!ended.ok) return ended;
  const concurrency = options.concurrency ?? config.concurrency;
  const created: Omit<RunCreated, 'at'> = {
    type: 'run.created',
    run: id,
    machine: 1,
    plan,
    workspace,
    concurrency,
    limits: options.limits,
  };
  const first = [(_: unknown, at: number) => ok({ ...created, at })];
  const driving = { session, owner: owner.value, workspace, concurrency, standing: nothingYet(), first };
  return showDrive(context, driving);
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
