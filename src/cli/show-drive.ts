/** Drives a run and shows it: what `run` and `resume` do once they hold the lease. */

import type { Result } from '../contract/fault.ts';
import { complain, type Context } from './context.ts';
import { driveRun, type DriveRun } from './drive-run.ts';
import { exitOfRun } from './exit.ts';
import { makePresenter } from './presenter.ts';
import { exitOfSignal } from './signals.ts';

/** The value is the exit code. */
export async function showDrive(
  context: Context,
  driving: Omit<DriveRun, 'onStored' | 'onPausing'>,
): Promise<Result<number>> {
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
    return { ok: true, value: complain(context, { code: 'refused', message: refused }) };
  }
  presenter.end(view);
  const paused = view.status === 'paused' && view.why === 'user';
  return { ok: true, value: signal && paused ? exitOfSignal(signal) : exitOfRun(view) };
}
