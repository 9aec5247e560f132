/** `status show export runs`: what a run's journal tells, also while another process drives it. */

import { ok, type Fault, type Result } from '../../contract/fault.ts';
import { never } from '../../contract/never.ts';
import type { Plan } from '../../contract/plan.ts';
import type { ModelSettings } from '../../contract/settings.ts';
import type { RunView } from '../../contract/view.ts';
import { loadRun, type LoadedRun } from '../../engine/load.ts';
import { viewOf } from '../../graph/view.ts';
import type { Reader } from '../../store/store.ts';
import { complain, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { screenOf } from '../output.ts';
import { drawDag } from '../render/dag.ts';
import { toDot, toMermaid } from '../render/export.ts';
import { flowChart } from '../render/flow-chart.ts';
import { flowDot, flowMermaid } from '../render/flow-export.ts';
import { hasPlan, headerLines } from '../render/header.ts';
import { endTable } from '../render/end-table.ts';
import { planDetails, wholePreview } from '../render/plan-preview.ts';
import type { Screen } from '../render/screen.ts';
import { statusTable } from '../render/table.ts';
import { clip, firstLine, pad, plain } from '../render/text.ts';
import { runWords } from '../render/words.ts';
import { safeJson } from '../safe-json.ts';
import { loadChosen, withReader } from '../session.ts';
import { workspaceHere } from '../workspace.ts';

interface Looked {
  readonly loaded: LoadedRun;
  readonly view: RunView;
  readonly reader: Reader;
}

/** Loads the run that is meant and hands it over. The value is the exit code. */
export async function look(
  context: Context,
  use: (looked: Looked) => Promise<number> | number,
): Promise<number> {
  return read(context, async (reader) => {
    const loaded = await loadChosen(reader.log, context.run);
    if (!loaded.ok) return loaded;
    const { created, state, records } = loaded.value;
    return ok(await use({ loaded: loaded.value, view: viewOf(created, state, records), reader }));
  });
}

async function read(context: Context, use: (reader: Reader) => Promise<Result<number>>): Promise<number> {
  const workspace = workspaceHere(context.dir);
  const code = workspace.ok ? await withReader(workspace.value, use) : workspace;
  return code.ok ? code.value : complain(context, code.fault);
}

export function status(context: Context): Promise<number> {
  return look(context, ({ loaded, view, reader }) => {
    const { output, json } = context;
    const abandoned = isMoving(view) && isFree(reader);
    if (json) {
      output.out(safeJson({ ...view, abandoned }));
      return EXIT.complete;
    }
    // Time stands still for a run that nobody drives.
    const now = abandoned ? loaded.state.lastAt : Date.now();
    // At rest there is more to say than where each node stands: what was checked, what helps, what models did and used.
    const table = isMoving(view) ? statusTable : endTable;
    table(view, { ...screenOf(output), now }).forEach((line) => output.out(line));
    if (abandoned) output.out('Its process is gone. Nothing is lost; go on with it: goalgraph resume');
    const waits = view.why === 'provider' ? reader.lease.holder() : ok(null);
    if (waits.ok && waits.value?.run === view.run) {
      output.out(`Process ${waits.value.pid} has it: unattended, it waits and goes on by itself.`);
    }
    return EXIT.complete;
  });
}

/** What should have a process that drives it. */
function isMoving({ status }: RunView): boolean {
  return status === 'running' || status === 'planning';
}

function isFree(reader: Reader): boolean {
  const holder = reader.lease.holder();
  return holder.ok && holder.value === null;
}

export interface ShowOptions {
  /** Under the drawing what every node is to do: spec, scope, checks. */
  readonly full: boolean;
}

export function show(context: Context, { full }: ShowOptions = { full: false }): Promise<number> {
  return look(context, async ({ loaded, view }) => {
    const { plan } = loaded.state.graph.context;
    if (!plan) return complain(context, noPlan(view));
    const { output } = context;
    if (context.json) {
      output.out(safeJson(full ? { ...view, plan } : view));
      return EXIT.complete;
    }
    const screen = screenOf(output);
    const { models } = view;
    const lines =
      view.status === 'approval' && models
        ? await previewLines({ plan, panel: models.panel, view, screen })
        : view.flow
          ? [...headerLines(view, screen), '', ...flowChart(view.flow, screen)]
          : [
              ...(drawDag(view, screen) ?? statusTable(view, screen)),
              ...(full ? ['', ...planDetails(plan, screen)] : []),
            ];
    lines.forEach((line) => output.out(line));
    return EXIT.complete;
  });
}

interface Waiting {
  readonly plan: Plan;
  readonly panel: ModelSettings['panel'];
  readonly view: RunView;
  readonly screen: Screen;
}

/** All that a person is asked to say yes to. The estimate is loaded only for models: their prompts are counted. */
async function previewLines({ plan, panel, view, screen }: Waiting): Promise<readonly string[]> {
  const { estimate } = await import('../../engine/roles/estimate.ts');
  const { nodes, total } = estimate(plan, panel);
  const perNode = new Map(nodes.map(({ id, tokens }) => [id, tokens]));
  const estimates = { perNode, total, budget: view.limits.tokens };
  const yes = clip('It waits for a yes: goalgraph approve', screen.columns, screen.ascii);
  return [...wholePreview(plan, estimates, screen), '', yes];
}

function noPlan({ run, status }: RunView): Fault {
  const why =
    status === 'planning' ? 'a model is writing it' : 'it came to rest before a model had written it';
  return {
    code: 'usage',
    message: `Run ${run} has no plan yet: ${why}. See how it stands: goalgraph status`,
  };
}

export type ExportFormat = 'mermaid' | 'json' | 'dot';

export function exportRun(context: Context, format: ExportFormat): Promise<number> {
  return look(context, ({ view }) => {
    if (!hasPlan(view)) return complain(context, noPlan(view));
    const text = exportedText(view, format);
    context.output.out(text.trimEnd());
    return EXIT.complete;
  });
}

function exportedText(view: RunView, format: ExportFormat): string {
  const { flow } = view;
  switch (format) {
    case 'mermaid':
      return flow ? flowMermaid(flow) : toMermaid(view);
    case 'dot':
      return flow ? flowDot(flow) : toDot(view);
    case 'json':
      return safeJson(view, 2);
    default:
      return never(format);
  }
}

export function runs(context: Context): Promise<number> {
  return read(context, async (reader) => {
    const rows = await reader.log.runs();
    if (!rows.ok) return rows;
    for (const { run } of rows.value) {
      const loaded = await loadRun(reader.log, run);
      if (!loaded.ok) return loaded;
      const view = viewOf(loaded.value.created, loaded.value.state, loaded.value.records);
      const abandoned = isMoving(view) && isFree(reader);
      context.output.out(
        context.json ? safeJson({ ...view, abandoned, nodes: undefined }) : runLine(context, view, abandoned),
      );
    }
    return ok(EXIT.complete);
  });
}

function runLine({ output }: Context, view: RunView, abandoned: boolean): string {
  const { columns, ascii } = screenOf(output);
  const when = new Date(view.createdAt).toISOString().slice(0, 16).replace('T', ' ');
  const done = `${view.counts.achieved + view.counts.skipped}/${view.nodes.length}`;
  const words = abandoned ? 'interrupted' : (runWords(view, ascii)[0] ?? view.status);
  const line = `${view.run}  ${when}  ${pad(words, 24)}  ${pad(done, 9)}  ${plain(firstLine(view.objective), ascii)}`;
  return clip(line, columns, ascii);
}
