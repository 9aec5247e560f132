/** From a run in the store to its reports. */

import { ok, type Result } from '../../contract/fault.ts';
import type { EventLog } from '../../contract/ports.ts';
import { loadRun, type LoadedRun } from '../../engine/load.ts';
import { viewOf } from '../../graph/view.ts';
import type { PatchOptions } from '../../os/shadow-git-patch.ts';
import { readDiffs } from './read-diffs.ts';
import { reportData, type ReportData } from './report-data.ts';
import { reportFolder, writeReports, type ReportFormat, type Written } from './write-reports.ts';

export async function gatherReport(loaded: LoadedRun, options: PatchOptions): Promise<ReportData> {
  const { created, state, records, events } = loaded;
  const diffs = await readDiffs(options, events);
  return reportData({ view: viewOf(created, state, records), events, diffs });
}

export interface ReportRun extends PatchOptions {
  readonly log: Pick<EventLog, 'read'>;
  readonly run: string;
  readonly formats?: readonly ReportFormat[];
}

/** For whoever has driven a run to its rest, and for whoever asks later. */
export async function reportRun({
  log,
  run,
  formats,
  ...options
}: ReportRun): Promise<Result<readonly Written[]>> {
  const folder = reportFolder(options.stateDir, run);
  if (!folder.ok) return folder;
  const loaded = await loadRun(log, run);
  if (!loaded.ok) return loaded;
  const data = await gatherReport(loaded.value, options);
  const written = await writeReports(folder.value, data, formats);
  return written.ok ? ok(written.value) : written;
}
