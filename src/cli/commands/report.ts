/** `goalgraph report`: (re)writes the reports of a run, and says where they are; `--json` prints what they are made of. */

import { readConfig } from '../config.ts';
import { complain, visible, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { gatherReport } from '../report/make-report.ts';
import { reportFolder, writeReports, type ReportFormat } from '../report/write-reports.ts';
import { safeJson } from '../safe-json.ts';
import { workspaceHere } from '../workspace.ts';
import { look } from './look.ts';

export interface ReportFlags {
  /** Only this one; both when neither is asked for. */
  readonly html?: boolean;
  readonly md?: boolean;
}

export function report(context: Context, flags: ReportFlags = {}): Promise<number> {
  return look(context, async ({ loaded, view }) => {
    const { output, json } = context;
    const workspace = workspaceHere(context.dir);
    if (!workspace.ok) return complain(context, workspace.fault);
    const config = readConfig(workspace.value);
    if (!config.ok) return complain(context, config.fault);
    const { stateDir } = config.value;
    const data = await gatherReport(loaded, { stateDir, env: process.env });
    if (json) {
      output.out(safeJson(data));
      return EXIT.complete;
    }
    const folder = reportFolder(stateDir, view.run);
    if (!folder.ok) return complain(context, folder.fault);
    const written = await writeReports(folder.value, data, formatsOf(flags));
    if (!written.ok) return complain(context, written.fault);
    written.value.forEach(({ path }) => output.out(visible(path)));
    return EXIT.complete;
  });
}

function formatsOf({ html = false, md = false }: ReportFlags): readonly ReportFormat[] {
  if (html === md) return ['md', 'html'];
  return html ? ['html'] : ['md'];
}
