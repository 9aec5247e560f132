/** Writes the reports of a run. A folder that cannot be written is said, and stops nothing. */

import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, ok, type Result } from '../../contract/fault.ts';
import { writeFault, writeFileAtomic } from '../../os/atomic-write.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';
import type { ReportData } from './report-data.ts';

export type ReportFormat = 'md' | 'html';

export interface Written {
  readonly format: ReportFormat;
  /** Absolute, when the folder is. */
  readonly path: string;
}

const MAKE: Readonly<Record<ReportFormat, (data: ReportData) => string>> = { md: toMarkdown, html: toHtml };

/** `folder` is made if it is not there. All of these formats, or the first fault. */
export async function writeReports(
  folder: string,
  data: ReportData,
  formats: readonly ReportFormat[] = ['md', 'html'],
): Promise<Result<readonly Written[]>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await isWhereItSays(folder)))
      return fail(unwritten(`${folder} leads elsewhere by a link. Remove it.`));
  } catch (error) {
    return fail(unwritten(writeFault(folder, error as NodeJS.ErrnoException).message));
  }
  const written: Written[] = [];
  for (const format of formats) {
    const path = join(folder, `report.${format}`);
    const done = await writeFileAtomic(path, MAKE[format](data));
    if (!done.ok) return fail(unwritten(done.fault.message));
    written.push({ format, path });
  }
  return ok(written);
}

/** A state directory may have come with a repository, links and all. */
async function isWhereItSays(folder: string): Promise<boolean> {
  const runs = dirname(folder);
  const real = await realpath(dirname(runs));
  return (await realpath(folder)) === join(real, basename(runs), basename(folder));
}

function unwritten(why: string): { readonly code: 'store_io'; readonly message: string } {
  return {
    code: 'store_io',
    message: `The report could not be written; the run is not touched by it. ${why}`,
  };
}

/** Where the reports of a run are. A run that names a way out of its folder has none. */
export function reportFolder(stateDir: string, run: string): Result<string> {
  if (/^[A-Za-z0-9][\w.-]{0,99}$/.test(run)) return ok(join(stateDir, 'runs', run));
  return fail({ code: 'journal', message: `${JSON.stringify(run)} cannot be the name of a folder.` });
}
