/** Drives a run and shows it: what `run` and `resume` do once they hold the lease. */

import { hasCeiling } from '../contract/ceiling.ts';
import { ok, type Result } from '../contract/fault.ts';
import type { Limits } from '../contract/limits.ts';
import type { ModelSettings } from '../contract/settings.ts';
import type { RunView } from '../contract/view.ts';
import type { ModelEvent } from '../contract/model.ts';
import { never } from '../contract/never.ts';
import type { SessionId } from '../contract/session-event.ts';
import { makeAway, WATCHED, type Away, type Unwatched } from './away.ts';
import { complain, visible, type Context } from './context.ts';
import { tellParent } from './detach.ts';
import { driveRun, realWorld, type DriveRun } from './drive-run.ts';
import { EXIT, exitOfRun } from './exit.ts';
import type { OpenWorld } from './model-world.ts';
import { makePresenter, type Presenter, type Preview } from './presenter.ts';
import { realClock } from './real-clock.ts';
import type { Session } from './session.ts';
import { exitOfSignal, holdSignals } from './signals.ts';
import { driveOn, type DrivenOn } from './unattended.ts';

export interface Shown {
  /** The exit code. */
  readonly code: number;
  readonly status: RunView['status'];
}

export interface Show extends Omit<DriveRun, 'onStored' | 'onPausing' | 'world' | 'wait'> {
  /** Null for a run without models, and where nothing is started. */
  readonly open: OpenWorld | null;
  readonly limits: Limits;
  /** Null for a run without models. */
  readonly models: ModelSettings | null;
  /** How it is left alone; when not given, it is not. */
  readonly unwatched?: Unwatched;
}

export async function showDrive(context: Context, driving: Show): Promise<Result<Shown>> {
  const { output, json } = context;
  const preview = driving.models ? await previewOf(driving.models) : null;
  const presenter = context.front?.presenter(preview) ?? makePresenter({ output, json, preview });
  const { open, limits } = driving;
  for (const notice of open ? [...open.notices, ...limitNotice(limits, driving.session.config)] : [])
    presenter.say(notice);
  open?.watch((event) => {
    const line = progressLine(event);
    if (line !== null) presenter.say(visible(open.world.mask(line)));
    context.front?.heard(event, open.world.mask);
  });
  const { session, unwatched = WATCHED } = driving;
  const away = makeAway({ unwatched, session, clock: realClock, say: (line) => presenter.say(line) });
  const driven = await driveToItsRest({ context, driving, presenter, away });
  if (!driven.ok) {
    presenter.close();
    away.failed(driven.fault);
    return driven;
  }
  const { view, refused } = driven.value;
  if (refused !== null) {
    presenter.close();
    return ok({ code: complain(context, { code: 'refused', message: refused }), status: view.status });
  }
  presenter.end(view);
  const reports = view.status === 'approval' ? [] : await writeReport(context, driving, view.run);
  away.ended(view, reports);
  return ok({ code: exitOfDriven(driven.value), status: view.status });
}

interface Driving {
  readonly context: Context;
  readonly driving: Show;
  readonly presenter: Presenter;
  readonly away: Away;
}

/** On with it after waits, where it is unattended. */
function driveToItsRest({ context, driving, presenter, away }: Driving): Promise<Result<DrivenOn>> {
  const { session, owner, open, unwatched = WATCHED } = driving;
  let told = false;
  const each: Omit<DriveRun, 'onStored'> = {
    ...driving,
    world: open?.world ?? null,
    onDriving: (ask) => context.front?.driving(ask),
    onPausing: (signal) =>
      presenter.say(
        away.isWaiting()
          ? `${signal}: it waits no longer`
          : `${signal}: pausing; what is in flight is ended first (again: kill it at once)`,
      ),
  };
  const onStored: DriveRun['onStored'] = (events, view) => {
    presenter.stored(events, view);
    away.stored(events, view);
    if (!told) tellParent({ run: owner.run, stateDir: session.config.stateDir });
    told = true;
  };
  const { listen, stop } = holdSignals();
  const drive = (options: DriveRun) => driveRun(options, { ...realWorld(options), listen });
  return driveOn({
    unattended: unwatched.unattended,
    now: () => realClock.now(),
    tell: (news) => away.tell(news),
    drive(on) {
      if (!on) return drive({ ...each, onStored });
      const { from, wait } = on;
      const { concurrency } = from.state.graph.context;
      return drive({ ...each, standing: from, first: [], wait, concurrency, onStored });
    },
  }).finally(stop);
}

/** Whoever ends a wait is heard like whoever pauses a run, though the run stays paused by its provider. */
function exitOfDriven({ view, signal, asked, waiting }: DrivenOn): number {
  const byPerson = view.status === 'paused' && (view.why === 'user' || waiting);
  if (byPerson && signal) return exitOfSignal(signal);
  return byPerson && asked ? EXIT.paused : exitOfRun(view);
}

/** Where the reports are. Whether they can be written or not is no matter of the run's. */
async function writeReport(
  { output, json }: Context,
  { session }: Show,
  run: string,
): Promise<readonly string[]> {
  const { store, config } = session;
  const { reportRun } = await import('./report/make-report.ts');
  const { log } = store;
  const written = await reportRun({ log, run, stateDir: config.stateDir, env: process.env });
  if (!written.ok) {
    output.err(visible(written.fault.message));
    return [];
  }
  const paths = written.value.map(({ path }) => path);
  if (!json) output.out(`report: ${paths.map(visible).join(' ')}`);
  return paths;
}

/** Whoever leaves a run alone should know that nothing will stop it. */
function limitNotice(
  { tokens, cost, maxTime, until }: Limits,
  above: Pick<Session['config'], 'limits'>,
): readonly string[] {
  if (tokens !== null || cost !== null) return [];
  if (hasCeiling(above.limits)) {
    return ['The run has no budget of its own: the ceilings of your own configuration are what limits it.'];
  }
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
    const { nodes, total } = estimate(plan, panel);
    const perNode = new Map(nodes.map(({ id, tokens }) => [id, tokens]));
    return planPreview(plan, { perNode, total, budget }, screen);
  };
}
