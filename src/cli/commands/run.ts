/** `goalgraph run FILE`: a plan file, run to its end. */

import { resolve } from 'node:path';
import { ok } from '../../contract/fault.ts';
import type { Limits } from '../../contract/limits.ts';
import { WATCHED, type Unwatched } from '../away.ts';
import type { ConfigFlags } from '../config.ts';
import { complain, type Context } from '../context.ts';
import { settleModels } from '../models.ts';
import { gateFile } from '../plan-file.ts';
import { startRun } from '../start-run.ts';
import { withSession } from '../session.ts';
import { mayBeLeft } from '../unattended.ts';
import { workspaceOfPlan } from '../workspace.ts';

export interface RunOptions {
  readonly limits: Limits;
  /** Null: as the workspace's configuration says. */
  readonly concurrency: number | null;
  readonly flags: ConfigFlags;
  /** Whether to look first at what the models' server serves. */
  readonly look: boolean;
  readonly unwatched?: Unwatched;
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
  // A model of the configuration is for objectives: a plan file is worked on by models only if that is said with it.
  const byModel = options.flags.model !== undefined;
  const idle = byModel ? null : idleFlag(options);
  if (idle !== null) {
    const message = `${idle} is for models, and none works on this plan: name one with --model, or leave it out.`;
    return complain(context, { code: 'usage', message });
  }
  const { unwatched = WATCHED } = options;
  const left = mayBeLeft({ ...unwatched, approve: false }, byModel ? options.limits : null);
  if (!left.ok) return complain(context, left.fault);
  const gated = await gateFile(context, { name: file, path, byModel, limits: options.limits });
  if (!gated.ok) return gated.fault;
  const { plan } = gated.value;
  const workspace = workspaceOfPlan({ file: path, workspace: plan.workspace, dir: context.dir });
  if (!workspace.ok) return complain(context, workspace.fault);
  const { flags, limits, concurrency, look } = options;
  const drives = { trust: context.trust ?? false };
  const place = { workspace: workspace.value, create: true, flags, drives };
  const shown = await withSession(place, async (session) => {
    const priced = limits.cost !== null;
    const models = byModel ? await settleModels(session.config, { dir: context.dir, priced }) : ok(null);
    if (!models.ok) return models;
    const start = { context, session, plan, limits, concurrency, look, unwatched };
    return startRun({ ...start, objective: plan.objective, models: models.value, approve: false });
  });
  return shown.ok ? shown.value.code : complain(context, shown.fault);
}

/** What would be relied on, and do nothing. */
function idleFlag({ limits, flags }: RunOptions): string | null {
  if (limits.tokens !== null) return '--budget';
  if (limits.cost !== null) return '--max-cost';
  if (flags.verifierModel !== undefined) return '--verifier-model';
  if (flags.sandbox !== undefined) return '--sandbox';
  return flags.allowNet === undefined ? null : '--allow-net';
}
