/** Drives a run and shows it: what `run` and `resume` do once they hold the lease. */

import { ok, type Result } from '../contract/fault.ts';
import type { RunView } from '../contract/view.ts';
import { complain, type Context } from './context.ts';
import { driveRun, type DriveRun } from './drive-run.ts';
import { exitOfRun } from './exit.ts';
import { makePresenter } from './presenter.ts';
import { exitOfSignal } from './signals.ts';

export interface Shown {
  /** The exit code. */
  readonly code: number;
  readonly status: RunView['status'];
}

export async function showDrive(
  context: Context,
  driving: Omit<DriveRun, 'onStored' | 'onPausing'>,
): Promise<Result<Shown>> {
  const presenter = makePresenter(context.output, context.json);
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
