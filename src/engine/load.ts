/** A run as its journal tells it: the state folded from its events, and the records that people are shown. */

import type { RunCreated } from '../contract/event.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { EventLog, StoredEvent } from '../contract/ports.ts';
import { keepRecords, type Records } from '../graph/records.ts';
import { applyRun } from '../graph/run.ts';
import { NO_RUN, type RunState } from '../graph/run-state.ts';
import { fold } from '../kernel/step.ts';

export interface LoadedRun {
  readonly created: RunCreated;
  readonly state: RunState;
  /** Version of the last event. */
  readonly version: number;
  readonly records: Records;
  readonly events: readonly StoredEvent[];
}

export async function loadRun(log: Pick<EventLog, 'read'>, run: string): Promise<Result<LoadedRun>> {
  const read = await log.read(run);
  if (!read.ok) return read;
  const events = read.value.map((stored) => stored.event);
  const [created] = events;
  if (created?.type !== 'run.created') return fail({ code: 'no_run', message: noRun(run) });
  const folded = fold(applyRun, NO_RUN, events);
  if (!folded.ok) {
    const type = events[folded.index]?.type ?? '?';
    const message = `Run ${run}: event ${folded.index + 1} (${type}) does not follow from those before it: ${folded.why}. Nothing was changed; use the version of goalgraph that wrote it.`;
    return fail({ code: 'journal', message });
  }
  const records = keepRecords();
  for (const event of events) records.add(event);
  return ok({ created, state: folded.state, version: events.length, records, events: read.value });
}

/** The run with this id, else the newest: there is at most one open run in a workspace, and it is the newest. */
export async function chooseRun(log: Pick<EventLog, 'runs'>, wanted: string | null): Promise<Result<string>> {
  const rows = await log.runs();
  if (!rows.ok) return rows;
  const row = rows.value.find(({ run }) => wanted === null || run === wanted);
  if (row) return ok(row.run);
  const message =
    wanted === null
      ? 'There is no run in this workspace yet. Start one: goalgraph run FILE'
      : `${noRun(wanted)} goalgraph runs lists them.`;
  return fail({ code: 'no_run', message });
}

function noRun(run: string): string {
  return `There is no run ${run} in this workspace.`;
}
