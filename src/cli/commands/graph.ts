/** `goalgraph graph "<objective>"`: planned, worked and verified by models. `goal`: the same without a plan of many. */

import { createInterface } from 'node:readline/promises';
import { fail, ok, type Result } from '../../contract/fault.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Plan } from '../../contract/plan.ts';
import type { ModelSettings } from '../../contract/settings.ts';
import { gate, leastBudget } from '../../graph/gate.ts';
import { MAX_SPEC, MAX_TITLE } from '../../graph/draft.ts';
import { parsePlan } from '../../graph/parse-plan.ts';
import { isOver, oneLine } from '../../graph/text.ts';
import { WATCHED, type Unwatched } from '../away.ts';
import type { ConfigFlags } from '../config.ts';
import { complain, type Context } from '../context.ts';
import { settleModels } from '../models.ts';
import { startRun } from '../start-run.ts';
import type { Shown } from '../show-drive.ts';
import { withSession } from '../session.ts';
import { mayBeLeft } from '../unattended.ts';
import { workspaceHere } from '../workspace.ts';
import { control } from './control.ts';

export interface GraphOptions {
  /** One goal, not a graph of them. */
  readonly single: boolean;
  readonly limits: Limits;
  readonly concurrency: number | null;
  readonly approve: boolean;
  readonly flags: ConfigFlags;
  readonly look: boolean;
  readonly unwatched?: Unwatched;
  /** Folders of skills instead of the usual ones, for this process. */
  readonly skillDirs?: readonly string[];
}

export async function graph(context: Context, objective: string, options: GraphOptions): Promise<number> {
  const flaw = objectiveFlaw(objective);
  if (flaw !== null) return complain(context, { code: 'usage', message: flaw });
  const { unwatched = WATCHED } = options;
  const left = mayBeLeft({ ...unwatched, approve: options.approve }, options.limits);
  if (!left.ok) return complain(context, left.fault);
  const workspace = workspaceHere(context.dir);
  if (!workspace.ok) return complain(context, workspace.fault);
  const drives = { trust: context.trust ?? false };
  const place = { workspace: workspace.value, create: true, flags: options.flags, drives };
  const shown = await withSession(place, async (session): Promise<Result<Shown>> => {
    const { limits, concurrency, look, approve, single } = options;
    const priced = limits.cost !== null;
    const models = await settleModels(session.config, { dir: context.dir, priced });
    if (!models.ok) return models;
    const enough = enoughFor(limits, models.value);
    if (!enough.ok) return enough;
    const plan = single ? goalPlan(objective, { limits, models: models.value }) : ok(null);
    if (!plan.ok) return plan;
    const { skillDirs = [] } = options;
    const start = {
      context,
      session: { ...session, skillDirs },
      objective: objective.trim(),
      limits,
      concurrency,
      look,
      approve,
      unwatched,
    };
    return startRun({ ...start, plan: plan.value, models: models.value });
  });
  if (!shown.ok) return complain(context, shown.fault);
  const { code, status } = shown.value;
  // The shell reads the terminal itself, and has a command for it.
  const isAsked = status === 'approval' && !context.json && !context.front;
  if (!isAsked || !(await isYes())) return code;
  return control(context, { type: 'approve' });
}

/** Null when it is one. */
export function objectiveFlaw(objective: string): string | null {
  if (objective.trim() === '') {
    return 'The objective is empty. Say what is to be reached: goalgraph graph "Add CSV export, with tests"';
  }
  if (objective.includes('\0')) return 'The objective holds a NUL character. Take it out.';
  if (!isOver(objective, MAX_SPEC)) return null;
  return `The objective is over ${MAX_SPEC} characters. Put the details into a file of the workspace and name it in the objective.`;
}

/** Tokens that the first request of a session reserves at least: its bytes, and a short answer. */
const FIRST_REQUEST = 12_000;

/** Refused before anything is spent. */
function enoughFor({ tokens }: Limits, { panel }: ModelSettings): Result<null> {
  // Of the planner (or of whoever writes the criteria of a goal) and of the worker, beside what is kept for the end.
  const least = leastBudget({ nodes: 0, panel: panel.final }) + 2 * FIRST_REQUEST;
  if (tokens === null || tokens >= least) return ok(null);
  const message = `A budget of ${tokens} tokens is too small: a plan, one node and ${panel.final} votes at the end need ${least} at the very least, and real work needs far more. Give --budget 500k or so.`;
  return fail({ code: 'usage', message });
}

/** A plan of one node whose spec is the objective; the gate appends the final verification as always. */
function goalPlan(
  objective: string,
  { limits, models }: { readonly limits: Limits; readonly models: ModelSettings },
): Result<Plan> {
  const title = oneLine(objective)
    .slice(0, MAX_TITLE)
    .replace(/[\ud800-\udbff]$/, '');
  const text = JSON.stringify({ objective, nodes: [{ slug: 'goal', title, spec: objective }] });
  const draft = parsePlan({ text, file: 'the objective', source: 'file', format: 'json' });
  const budget = limits.tokens === null ? null : { tokens: limits.tokens, panel: models.panel.final };
  const gated = gate(draft, { source: 'file', hasModel: true, hasPanel: true, budget });
  if (gated.ok) return ok(gated.plan);
  return fail({ code: 'plan', message: gated.faults.map((fault) => fault.message).join('\n') });
}

/** Asked of a person only: a script has to say `goalgraph approve`. */
async function isYes(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await lines.question('Run this plan? [y/N] ');
    return /^y(?:es)?$/i.test(answer.trim());
  } catch {
    // Ctrl-C and the end of input are no yes.
    return false;
  } finally {
    lines.close();
  }
}
