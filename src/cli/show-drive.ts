/** Drives a run and shows it: what `run` and `resume` do once they hold the lease. */

import { ok, type Result } from '../contract/fault.ts';
import type { ModelSettings } from '../contract/settings.ts';
import type { RunView } from '../contract/view.ts';
import { complain, type Context } from './context.ts';
import { driveRun, type DriveRun } from './drive-run.ts';
import { exitOfRun } from './exit.ts';
import { makePresenter, type Preview } from './presenter.ts';
import { exitOfSignal } from './signals.ts';

export interface Shown {
  /** The exit code. */
  readonly code: number;
  readonly status: RunView['status'];
}

export interface Show extends Omit<DriveRun, 'onStored' | 'onPausing'> {
  /** Null for a run without models. */
  readonly models: ModelSettings | null;
}

export async function showDrive(context: Context, driving: Show): Promise<Result<Shown>> {
  const { output, json } = context;
  const preview = driving.models ? await previewOf(driving.models) : null;
  const presenter = makePresenter({ output, json, preview });
  const driven = await driveRun({
    ...driving,
    onStored: (events, view) => presenter.stored(events, view),
    onPausing: (signal) =>
      presenter.say(`${signal}: pausing; what is in flight is ended first (again: kill it at once)`),
  });
  if (!driven.ok) {
    presenter.close();
    return driven;
  }
  const { view, signal, refused } = driven.value;
  if (refused !== null) {
    presenter.close();
    return ok({ code: complain(context, { code: 'refused', message: refused }), status: view.status });
  }
  presenter.end(view);
  const paused = view.status === 'paused' && view.why === 'user';
  return ok({ code: signal && paused ? exitOfSignal(signal) : exitOfRun(view), status: view.status });
}

/** Loaded only for models: their prompts are counted. */
async function previewOf({ panel }: ModelSettings): Promise<Preview> {
  const { estimate } = await import('../engine/roles/estimate.ts');
  const { planPreview } = await import('./render/plan-preview.ts');
  return (plan, budget, screen) => {
    const { nodes, total } = estimate(plan, { panel, hasModel: true, planning: true });
    const perNode = new Map(nodes.map(({ id, tokens }) => [id, tokens]));
    return planPreview(plan, { perNode, total, budget }, screen);
  };
}
