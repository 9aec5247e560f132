/** What every command is given: where it writes, and the options that all of them take. */

import type { Fault } from '../contract/fault.ts';
import { exitOfFault } from './exit.ts';
import type { Front } from './front.ts';
import type { Output } from './output.ts';
import { safeJson } from './safe-json.ts';
import { plain } from './render/text.ts';

export interface Shared {
  /** `-C DIR`, as in git: file arguments are resolved after it. Null when not given. */
  readonly dir: string | null;
  /** `--run ID`; null means the open run, else the newest. */
  readonly run: string | null;
  readonly json: boolean;
  /** `--trust`: the state directory is theirs, whoever made it. */
  readonly trust?: boolean;
}

export interface Context extends Shared {
  readonly output: Output;
  /** Within the shell only. */
  readonly front?: Front;
}

/** Says what is wrong and gives the exit code. */
export function complain({ output, json }: Pick<Context, 'output' | 'json'>, fault: Fault): number {
  if (json) output.out(safeJson({ fault }));
  output.err(`${output.palette.red('goalgraph:')} ${visible(fault.message)}`);
  return exitOfFault(fault);
}

/** Lines for a terminal: messages hold what was typed, and names of files. */
export function visible(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => plain(line))
    .join('\n');
}
