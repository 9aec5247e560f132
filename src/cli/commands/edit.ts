/** `goalgraph edit NODE`: a new plan version with one node changed. */

import { resolve } from 'node:path';
import { readTextFile } from '../../os/text-file.ts';
import { complain, type Context } from '../context.ts';
import type { EditFlags } from '../program.ts';
import { control } from './control.ts';

const MAX_SPEC_BYTES = 256 * 1024;

export async function edit(context: Context, node: string, flags: EditFlags): Promise<number> {
  const { specFile, runCommand, check } = flags;
  if (specFile === undefined && runCommand === undefined && check === undefined) {
    return complain(context, {
      code: 'usage',
      message: 'Say what to change: --spec-file, --run-command or --check.',
    });
  }
  let spec: string | null = null;
  if (specFile !== undefined) {
    const text = await readTextFile(resolve(context.dir ?? '.', specFile), MAX_SPEC_BYTES);
    if (!text.ok) return complain(context, text.fault);
    spec = text.value;
  }
  return control(context, { type: 'edit', node, spec, run: runCommand ?? null, checks: check ?? null });
}
