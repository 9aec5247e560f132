/** Reads a plan file and puts it through the gate. */

import { extname } from 'node:path';
import type { PlanWarning } from '../contract/fault.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { Limits } from '../contract/limits.ts';
import type { Plan } from '../contract/plan.ts';
import { DEFAULT_PANEL } from '../contract/settings.ts';
import { gate } from '../graph/gate.ts';
import { parsePlan } from '../graph/parse-plan.ts';
import { readTextFile } from '../os/text-file.ts';
import { complain, type Context } from './context.ts';
import { EXIT } from './exit.ts';
import { faultLines } from './render/faults.ts';
import { safeJson } from './safe-json.ts';

/** A garbled file may have a fault in every word. */
const MAX_LINES = 200;

const MAX_BYTES = 16 * 1024 * 1024;

export interface GatedFile {
  readonly plan: Plan;
  readonly warnings: readonly PlanWarning[];
}

export interface PlanFile {
  /** As the person wrote it, for messages. */
  readonly name: string;
  readonly path: string;
  /** Whether a model works on nodes without a command. */
  readonly byModel?: boolean;
  readonly limits?: Limits;
}

/** On failure all has been said: the value is the exit code. */
export async function gateFile(context: Context, file: PlanFile): Promise<Result<GatedFile, number>> {
  const text = await readTextFile(file.path, MAX_BYTES);
  if (!text.ok) return fail(complain(context, text.fault));
  const format = extname(file.path).toLowerCase() === '.json' ? 'json' : 'markdown';
  const draft = parsePlan({ text: text.value, file: file.name, source: 'file', format });
  const { byModel = false, limits } = file;
  const tokens = byModel ? (limits?.tokens ?? null) : null;
  const budget = tokens === null ? null : { tokens, panel: DEFAULT_PANEL.final };
  const gated = gate(draft, { source: 'file', hasModel: byModel, hasPanel: byModel, budget });
  const { output, json } = context;
  if (gated.ok) {
    if (!json) faultLines([], gated.warnings, output).forEach((line) => output.err(line));
    return ok({ plan: gated.plan, warnings: gated.warnings });
  }
  if (json) output.out(safeJson({ faults: gated.faults, warnings: gated.warnings }));
  const lines = faultLines(gated.faults, gated.warnings, output);
  lines.slice(0, MAX_LINES).forEach((line) => output.err(line));
  if (lines.length > MAX_LINES) output.err(`… and ${lines.length - MAX_LINES} more; --json lists them all`);
  const count = gated.faults.length;
  output.err(`${count} ${count === 1 ? 'fault' : 'faults'}: nothing was started.`);
  return fail(EXIT.usage);
}
