/** `goalgraph edit NODE`: a new plan version with one node changed. */

import { resolve } from 'node:path';
import { fail, ok, type Result } from '../../contract/fault.ts';
import type { Request } from '../../contract/request.ts';
import { readTextFile } from '../../os/text-file.ts';
import { complain, type Context } from '../context.ts';
import type { EditFlags } from '../program.ts';
import { control } from './control.ts';

const MAX_SPEC_BYTES = 256 * 1024;

export async function edit(context: Context, node: string, flags: EditFlags): Promise<number> {
  const request = await editRequest(context.dir, node, flags);
  return request.ok ? control(context, request.value) : complain(context, request.fault);
}

/** Files are looked up in the folder that `-C` names. */
export async function editRequest(
  dir: string | null,
  node: string,
  { specFile, runCommand, check }: EditFlags,
): Promise<Result<Request>> {
  if (specFile === undefined && runCommand === undefined && check === undefined) {
    return fail({ code: 'usage', message: 'Say what to change: --spec-file, --run-command or --check.' });
  }
  let spec: string | null = null;
  if (specFile !== undefined) {
    const text = await readTextFile(resolve(dir ?? '.', specFile), MAX_SPEC_BYTES);
    if (!text.ok) return text;
    spec = text.value;
  }
  return ok({ type: 'edit', node, spec, run: runCommand ?? null, checks: check ?? null });
}
