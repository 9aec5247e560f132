/** Drives a run and shows it: what `run` and `resume` do once they hold the lease. */

import { ok, type Result } from '../contract/fault.ts';
import type { Limits } from '../contract/limits.ts';
import type { ModelSettings } from '../contract/settings.ts';
import type { RunView } from '../contract/view.ts';
import type { ModelEvent } from '../contract/model.ts';
import { never } from '../contract/never.ts';
import type { SessionId } from '../contract/session-event.ts';
import { complain, visible, type Context } from './context.ts';
import { driveRun, type DriveRun } from './drive-run.ts';
import { exitOfRun } from './exit.ts';
import type { OpenWorld } from './model-world.ts';
import { makePresenter, type Preview } from './presenter.ts';
import { exitOfSignal } from './signals.ts';

export interface Shown {
  /** The exit code. */
  readonly code: number;
  readonly status: RunView['status'];
}

export interface Show extends Omit<DriveRun, 'onStored' | 'onPausing' | 'world'> {
  /** Null for a run without models, and where nothing is started. */
  readonly open: OpenWorld | null;
  readonly limits: Limits;
  /** Null for a run without models. */
  readonly models: ModelSettings | null;
}

export async function showDrive(context: Context, driving: Show): Promise<Result<Shown>> {
  const { output, json } = context;
  const preview = driving.models ? await previewOf(driving.models) : null;
  const presenter = makePresenter({ output, json, preview });
  const { open, limits } = driving;
  for (const notice of open ? [...open.notices, ...limitNotice(limits)] : []) presenter.say(notice);
  open?.watch((event) => {
    const line = progressLine(event);
    if (line !== null) presenter.say(visible(open.world.mask(line)));
  });
  const driven = await driveRun({
    ...driving,
    world: open?.world ?? null,
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

/** Whoever leaves a run alone should know that nothing will stop it. */
function limitNotice({ tokens, cost, maxTime, until }: Limits): readonly string[] {
  if (tokens !== null || cost !== null) return [];
  const time = maxTime !== null || until !== null ? 'only its time is limited' : 'nothing limits it';
  return [`There is no budget: ${time}. Give --budget 2m or --max-cost 5usd to have one.`];
}

/** Trouble with a provider that is not over; null for what is no news. */
function progressLine(event: ModelEvent & { readonly session: SessionId }): string | null {
  const { role } = event.session;
  switch (event.type) {
    case 'retrying': {
      const at = new Date(event.at).toTimeString().slice(0, 8);
      return `${role}: trying again at ${at} (after try ${event.attempt}): ${event.fault.message}`;
    }
    case 'adapted':
      return `${role}: the provider refused a part of the request and was asked without it (${event.to}): ${event.message}`;
    case 'text':
    case 'reasoning':
    case 'calling':
    case 'done':
    case 'failed':
      return null;
    default:
      return never(event);
  }
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
