/** `goalgraph flow …`: charts that direct an agent; and the Ralph loop, which is one. */

import type { Result } from '../../contract/fault.ts';
import type { FlowRun } from '../../contract/flow.ts';
import type { Limits } from '../../contract/limits.ts';
import { never } from '../../contract/never.ts';
import { firstChart } from '../../flow/fence.ts';
import { ralphFlow, type Ralph } from '../../flow/ralph.ts';
import { flowPlan, type FlowText } from '../../graph/flow-plan.ts';
import { flowView, type FlowSeen } from '../../graph/flow-view.ts';
import { WATCHED, type Unwatched } from '../away.ts';
import type { ConfigFlags } from '../config.ts';
import { complain, visible, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { languageOf } from '../flow-file.ts';
import { findFlow, flowOfFile, type FlowSource } from '../flow-source.ts';
import { settleModels } from '../models.ts';
import { screenOf } from '../output.ts';
import { flowChart } from '../render/flow-chart.ts';
import { flowDot, flowMermaid } from '../render/flow-export.ts';
import { clip, plain } from '../render/text.ts';
import { safeJson } from '../safe-json.ts';
import { withSession } from '../session.ts';
import { readSkill } from '../skills.ts';
import { startRun } from '../start-run.ts';
import type { Shown } from '../show-drive.ts';
import { mayBeLeft } from '../unattended.ts';
import { workspaceHere } from '../workspace.ts';
import { objectiveFlaw } from './graph.ts';
import { listSkills } from './skill.ts';

export type FlowVerb = 'list' | 'check' | 'show' | 'run' | 'export';
export type FlowFormat = 'mermaid' | 'json' | 'dot';

export interface FlowOptions {
  readonly limits: Limits;
  readonly flags: ConfigFlags;
  readonly look: boolean;
  readonly unwatched?: Unwatched;
  /** Null: as many as usual. */
  readonly maxMoves: number | null;
  /** Folders of skills instead of those of the project and of the user. */
  readonly skillDirs: readonly string[];
  readonly format: FlowFormat;
}

/** Moves of a flow unless something else is said: enough for any work, and an end to a loop that nobody watches. */
const MOVES = 1_000;

export interface FlowAsked {
  readonly verb: FlowVerb;
  /** Name of a skill, or a file; null for none. */
  readonly name: string | null;
  readonly args: readonly string[];
}

export async function flow(context: Context, asked: FlowAsked, options: FlowOptions): Promise<number> {
  const { verb, name, args } = asked;
  if (verb === 'list' && name === null) return listSkills(context, options.skillDirs);
  if (name === null) {
    const message = `Say which flow: goalgraph flow ${verb} NAME, or FILE. goalgraph flow list shows what is installed.`;
    return complain(context, { code: 'usage', message });
  }
  if (verb === 'list')
    return complain(context, { code: 'usage', message: 'flow list takes no name: it lists all.' });
  if (args.length > 0 && verb !== 'run') {
    return complain(context, {
      code: 'usage',
      message: `flow ${verb} takes one flow, and nothing after it.`,
    });
  }
  const source = await findFlow(context, name, options.skillDirs);
  if (!source.ok) return complain(context, source.fault);
  switch (verb) {
    case 'check':
      return check(context, source.value);
    case 'show':
      return show(context, source.value);
    case 'export':
      return exported(context, source.value, options.format);
    case 'run':
      return runFlow(context, flowRunOf(source.value, args.join(' '), options), {
        ...options,
        text: textOf(source.value, args.join(' ')),
      });
    default:
      return never(verb);
  }
}

/** A chart by itself. */
const UNTROD: FlowSeen = { live: null, trail: [], ended: false };

function flowRunOf({ name, flow }: FlowSource, args: string, { maxMoves }: FlowOptions): FlowRun {
  return { name, flow, args, maxMoves: maxMoves ?? MOVES };
}

function textOf({ name, description }: FlowSource, args: string): FlowText {
  return { description, objective: `Flow ${name}${args.trim() === '' ? '' : `: ${args.trim()}`}` };
}

/** A skill of instructions only is sound, too, if it does not say that it is a flow. */
export async function checkFile(context: Context, path: string): Promise<number> {
  const { output, json } = context;
  const skill = languageOf(path) === null ? await readSkill(path, { scope: 'extra' }) : null;
  if (skill?.ok && skill.value.flow === null && skill.value.flaw === null) {
    const { name, text } = skill.value;
    const chart = firstChart(text);
    const words =
      chart === null
        ? 'a skill of instructions, without a chart.'
        : `a skill of instructions. The chart in line ${chart.line} is not followed: for that its front matter must say type: flow.`;
    output.out(json ? safeJson({ name, path, type: 'standard' }) : visible(`${name}: ${words}`));
    return EXIT.complete;
  }
  const source = await flowOfFile(path);
  return source.ok ? check(context, source.value) : complain(context, source.fault);
}

function check(context: Context, { name, description, path, flow }: FlowSource): number {
  const { output, json } = context;
  const decisions = flow.nodes.filter(({ kind }) => kind === 'decision').length;
  const tasks = flow.nodes.filter(({ kind }) => kind === 'task').length;
  if (json) {
    output.out(safeJson({ name, description, path, flow }));
    return EXIT.complete;
  }
  const words = (count: number, thing: string) => `${count} ${count === 1 ? thing : `${thing}s`}`;
  output.out(
    visible(`${name}: the chart holds, with ${words(tasks, 'task')} and ${words(decisions, 'decision')}.`),
  );
  return EXIT.complete;
}

function show(context: Context, source: FlowSource): number {
  const { output, json } = context;
  const { name, description, path, flow } = source;
  if (json) {
    output.out(safeJson({ name, description, path, flow }));
    return EXIT.complete;
  }
  const screen = screenOf(output);
  const view = flowView({ name, flow, args: '', maxMoves: null }, UNTROD);
  output.out(
    clip(`${plain(name, screen.ascii)}: ${plain(description, screen.ascii)}`, screen.columns, screen.ascii),
  );
  output.out('');
  for (const line of flowChart(view, screen)) output.out(line);
  return EXIT.complete;
}

function exported({ output, json }: Context, source: FlowSource, format: FlowFormat): number {
  const { name, description, path, flow } = source;
  const view = flowView({ name, flow, args: '', maxMoves: null }, UNTROD);
  const text = {
    mermaid: flowMermaid,
    dot: flowDot,
    json: () => safeJson({ name, description, path, flow }, 2),
  }[json ? 'json' : format](view);
  output.out(text.trimEnd());
  return EXIT.complete;
}

export interface FlowStart extends Pick<FlowOptions, 'limits' | 'flags' | 'look' | 'unwatched'> {
  readonly text: FlowText;
  readonly skillDirs?: readonly string[];
}

/** Starts a run whose only node follows the chart; nothing is verified at its end. */
export async function runFlow(context: Context, flowRun: FlowRun, start: FlowStart): Promise<number> {
  const { limits, flags, look, unwatched = WATCHED, text, skillDirs = [] } = start;
  const flaw = argsFlaw(flowRun.args);
  if (flaw !== null) return complain(context, { code: 'usage', message: flaw });
  const left = mayBeLeft({ ...unwatched, approve: false }, limits);
  if (!left.ok) return complain(context, left.fault);
  const workspace = workspaceHere(context.dir);
  if (!workspace.ok) return complain(context, workspace.fault);
  const drives = { trust: context.trust ?? false };
  const place = { workspace: workspace.value, create: true, flags, drives };
  const shown = await withSession(place, async (session): Promise<Result<Shown>> => {
    const priced = limits.cost !== null;
    const models = await settleModels(session.config, { dir: context.dir, priced });
    if (!models.ok) return models;
    return startRun({
      context,
      session: { ...session, skillDirs },
      objective: text.objective,
      plan: flowPlan(flowRun, text),
      flow: flowRun,
      // There is nothing to verify, so nothing is kept for it.
      models: { ...models.value, panel: { node: 0, final: 0 } },
      approve: false,
      limits,
      concurrency: 1,
      look,
      unwatched,
    });
  });
  return shown.ok ? shown.value.code : complain(context, shown.fault);
}

/** Characters of what is said after the name: more belongs into a file. */
const MOST_ARGS = 20_000;

function argsFlaw(args: string): string | null {
  if (args.includes('\0')) return 'What is said after the name holds a NUL character. Take it out.';
  return args.length > MOST_ARGS
    ? `What is said after the name is over ${MOST_ARGS} characters. Put it into a file of the workspace, and name that.`
    : null;
}

/** The same task again and again, until the agent says that it is done, or the iterations are used up. */
export function ralph(
  context: Context,
  { task, iterations }: Ralph,
  options: Pick<FlowOptions, 'limits' | 'flags' | 'look' | 'unwatched'>,
): Promise<number> {
  const { tokens, cost, maxTime, until } = options.limits;
  const isEndless = iterations < 0 && [tokens, cost, maxTime, until].every((limit) => limit === null);
  const flaw = isEndless ? ENDLESS : objectiveFlaw(task);
  if (flaw !== null) return Promise.resolve(complain(context, { code: 'usage', message: flaw }));
  const text = { description: 'the same task until it is done', objective: task.trim() };
  return runFlow(context, ralphFlow({ task: task.trim(), iterations }), { ...options, text });
}

const ENDLESS =
  '--max-ralph-iterations -1 goes on until something ends it: give --budget 2m, --max-cost 5usd, --max-time 8h or --until 07:00.';
