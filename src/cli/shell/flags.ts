/** Options of the shell's commands: those of the command line, read by the same definitions. */

import { Command, CommanderError } from 'commander';
import { fail, ok, type Result } from '../../contract/fault.ts';
import * as options from '../options.ts';
import type { LimitOptions, ModelOptions, UnwatchedOptions } from '../options.ts';
import type { EditFlags } from '../program.ts';

export type Flags = LimitOptions &
  ModelOptions &
  UnwatchedOptions &
  EditFlags & {
    readonly concurrency?: number;
    readonly approve?: boolean;
    readonly skipLook?: boolean;
    readonly full?: boolean;
    readonly maxMoves?: number;
    readonly maxRalphIterations?: number;
  };

/** `given`: names of options that the command has, each followed by its value where it has one. */
export function readFlags(given: readonly string[]): Result<Flags> {
  let said = '';
  const command = new Command('shell')
    .exitOverride()
    .helpOption(false)
    .configureOutput({ writeErr: (text) => (said += text) })
    .addOption(options.budget())
    .addOption(options.maxCost())
    .addOption(options.maxTime())
    .addOption(options.until())
    .addOption(options.concurrency('as configured'))
    .addOption(options.model())
    .addOption(options.verifierModel())
    .addOption(options.baseUrl())
    .addOption(options.sandbox())
    .addOption(options.allowNet())
    .addOption(options.skipLook())
    .addOption(options.unattended())
    .addOption(options.noBudget())
    .addOption(options.notify())
    .addOption(options.stall())
    .addOption(options.maxMoves())
    .addOption(options.maxRalphIterations())
    .option('--approve')
    .option('--full')
    .option('--spec-file <file>')
    .option('--run-command <command>')
    .option('--check <command>', '', (value: string, before?: readonly string[]) => [
      ...(before ?? []),
      value,
    ]);
  try {
    command.parse([...given], { from: 'user' });
    return ok(command.opts<Flags>());
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return fail({ code: 'usage', message: said.replace(/^error: /, '').trim() });
  }
}
