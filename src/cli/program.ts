/** The commands, their options and their help. What a command does is loaded when it is called. */

import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { visible, type Context } from './context.ts';
import { EXIT } from './exit.ts';
import { holdsFlow } from './flow-file.ts';
import * as options from './options.ts';
import {
  addedFrom,
  budget,
  concurrency,
  limitsFrom,
  maxCost,
  maxTime,
  modelFlags,
  until,
} from './options.ts';
import { unwatchedFrom, type LimitOptions, type ModelOptions, type UnwatchedOptions } from './options.ts';
import type { Output } from './output.ts';
import { addFlowCommands } from './program-flow.ts';
import { addLookCommands, addShellCommands, addWatchCommands, type Add } from './program-look.ts';

interface SharedOptions {
  readonly C?: string;
  readonly run?: string;
  readonly json?: boolean;
  readonly trust?: boolean;
}

const EXIT_HELP = `
Exit codes: 0 complete · 1 stuck with a failed node · 2 usage, or refused · 3 paused or cleared by a person, waiting
for approval, or stuck with only blocked nodes or at a step of a flow · 4 deadline, budget or moves · 5 provider, machine or store · 130 SIGINT ·
143 SIGTERM`;

export interface Program {
  /** Resolves to the exit code. */
  run(args: readonly string[]): Promise<number>;
  readonly command: Command;
}

export function buildProgram(output: Output): Program {
  let code: number = EXIT.complete;
  const program = new Command('goalgraph')
    .description('Runs a plan of goals to a verified end, and survives being killed at any moment.')
    .version('0.1.0')
    .showHelpAfterError('(goalgraph --help, or goalgraph COMMAND --help)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => output.err(visible(text)),
    })
    .addHelpText('after', EXIT_HELP);
  shared(program);

  /** A command with the shared options, whose action's result is the exit code. */
  const add = (
    usage: string,
    about: string,
    act: (context: Context, ...rest: never[]) => Promise<number>,
  ) => {
    const command = shared(program.command(usage).description(about));
    command.action(async (...rest: unknown[]) => {
      code = await act(contextOf(command, output), ...(rest as never[]));
    });
    return command;
  };

  addModelCommands(add);
  addRunCommands(add);
  addFlowCommands(add, { limited, modelled, detached });
  addControlCommands(add);
  addLookCommands(add);
  addWatchCommands(add);
  addShellCommands(add, program);

  return {
    command: program,
    async run(args) {
      try {
        await program.parseAsync(opensShell(args) ? [...args, 'shell'] : args, { from: 'user' });
        return code;
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        return error.exitCode === 0 ? EXIT.complete : EXIT.usage;
      }
    },
  };
}

type StartFlags = RunFlags &
  ModelOptions &
  UnwatchedOptions & {
    readonly approve?: boolean;
    readonly skipLook?: boolean;
    readonly maxRalphIterations?: number;
  };

/** `isHere`: it begins a run in this workspace; a plan file may name another one. */
const detached = async (context: Context, isHere: boolean): Promise<number> =>
  (await import('./detach.ts')).detach(context, isHere);

function addModelCommands(add: Add): void {
  const start =
    (single: boolean) =>
    async (context: Context, objective: string, flags: StartFlags): Promise<number> => {
      if (flags.detach) return detached(context, true);
      const common = {
        limits: limitsFrom(flags),
        flags: modelFlags(flags),
        look: !flags.skipLook,
        unwatched: unwatchedFrom(flags),
      };
      const { maxRalphIterations: iterations = 0, concurrency = null, approve = false } = flags;
      if (iterations !== 0) {
        const { ralph } = await import('./commands/flow.ts');
        return ralph(context, { task: objective, iterations }, common);
      }
      const { graph } = await import('./commands/graph.ts');
      return graph(context, objective, { ...common, single, concurrency, approve });
    };
  limited(
    modelled(
      add('graph <objective>', 'plan an objective, work it off, and verify it, by models', start(false)),
    ),
  )
    .option('--approve', 'show the plan and wait for a yes before it runs')
    .addHelpText(
      'after',
      '\nExample: goalgraph graph "Add CSV export, with tests" --model openai/gpt-5 --budget 2m',
    );
  limited(modelled(add('goal <objective>', 'work one goal off and verify it, by models', start(true))))
    .addOption(options.maxRalphIterations())
    .addHelpText(
      'after',
      '\nExample: goalgraph goal "Make npm test pass" --model ollama/qwen3-coder --budget 500k',
    );
  add('approve', 'say yes to the plan that waits, and run it', async (context) =>
    (await import('./commands/control.ts')).control(context, { type: 'approve' }),
  ).addOption(options.trust());
  add(
    'models [preset]',
    'what the configured endpoint serves, or that of a preset',
    async (context, preset: string | undefined, flags: ModelOptions) =>
      (await import('./commands/models.ts')).models(context, preset ?? null, modelFlags(flags)),
  )
    .addOption(options.model())
    .addOption(options.baseUrl());
}

function modelled(command: Command): Command {
  return command
    .addOption(options.model())
    .addOption(options.verifierModel())
    .addOption(options.baseUrl())
    .addOption(options.sandbox())
    .addOption(options.allowNet())
    .addOption(options.skipLook());
}

function limited(command: Command, atOnce = '3 unless the configuration says otherwise'): Command {
  return command
    .addOption(budget())
    .addOption(maxCost())
    .addOption(maxTime())
    .addOption(until())
    .addOption(concurrency(atOnce))
    .addOption(options.unattended())
    .addOption(options.noBudget())
    .addOption(options.notify())
    .addOption(options.stall())
    .addOption(options.detached())
    .addOption(options.trust());
}

function addRunCommands(add: Add): void {
  add(
    'check <file>',
    'put a plan file through the gate (of a skill or a chart: see whether it holds); start nothing',
    async (context, file: string, { byModel }: { byModel?: boolean }) => {
      const path = resolve(context.dir ?? '.', file);
      return (await holdsFlow(path))
        ? (await import('./commands/flow.ts')).checkFile(context, path)
        : (await import('./commands/check.ts')).check(context, file, byModel ?? false);
    },
  ).option('--by-model', 'as for run --model: nodes without a command are worked on by a model');
  const run = async (context: Context, file: string, flags: StartFlags) => {
    if (flags.detach) return detached(context, false);
    return (await import('./commands/run.ts')).run(context, file, {
      limits: limitsFrom(flags),
      concurrency: flags.concurrency ?? null,
      flags: modelFlags(flags),
      look: !flags.skipLook,
      unwatched: unwatchedFrom(flags),
    });
  };
  limited(modelled(add('run <file>', 'run a plan file to its end', run))).addHelpText(
    'after',
    '\nNodes without a command are worked on by the model, if --model names one.\n\nExample: goalgraph run plan.md --max-time 2h --concurrency 4',
  );
}

type RunFlags = LimitOptions & { readonly concurrency?: number };

function addControlCommands(add: Add): void {
  const control = async () => (await import('./commands/control.ts')).control;
  add('pause', 'pause the run: what is in flight is ended, nothing is lost', async (context) =>
    (await control())(context, { type: 'pause', by: 'goalgraph pause' }),
  );
  limited(
    modelled(
      add(
        'resume',
        'go on with a paused or interrupted run',
        async (context, flags: StartFlags & { readonly maxMoves?: number }) => {
          if (flags.detach) return detached(context, false);
          const added = { add: addedFrom(flags), concurrency: flags.concurrency ?? null, models: null };
          const act = await control();
          return act(context, { type: 'resume', ...added }, modelFlags(flags), unwatchedFrom(flags));
        },
      ),
    ),
    'as before',
  )
    .addOption(options.maxMoves('moves that a flow gets in addition'))
    .addHelpText(
      'after',
      '\nLimits are added to what is left; --until replaces the old hour. Models, address and sandbox stay what they were\nunless given.',
    );
  add('retry <node>', 'run a failed or blocked node again', async (context, node: string) =>
    (await control())(context, { type: 'retry', node }),
  );
  add(
    'skip <node>',
    'go on as if a node were achieved; the report says it was skipped',
    async (context, node: string) => (await control())(context, { type: 'skip', node }),
  );
  add(
    'edit <node>',
    'change a node that has not ended well',
    async (context, node: string, options: EditFlags) =>
      (await import('./commands/edit.ts')).edit(context, node, options),
  )
    .option('--spec-file <file>', 'take the spec from this file')
    .option('--run-command <command>', "the node's command")
    .option('--check <command>', "a check, in place of the node's checks; may be repeated", collect)
    .addHelpText(
      'after',
      "\nExample: goalgraph edit build --run-command 'npm run build' --check 'test -d dist'",
    );
  add('clear', 'give the open run up; its records are kept', async (context) =>
    (await control())(context, { type: 'clear' }),
  );
}

/** Without a command there may be a folder and nothing else. */
function opensShell(args: readonly string[]): boolean {
  return args.every((arg, i) => arg.startsWith('-C') || args[i - 1] === '-C');
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

export interface EditFlags {
  readonly specFile?: string;
  readonly runCommand?: string;
  readonly check?: readonly string[];
}

function shared(command: Command): Command {
  command.option('-C <dir>', 'work in this folder').option('--json', 'print JSON, one object a line');
  if (!STARTS_OR_LISTS.includes(command.name())) {
    command.option('--run <id>', 'this run, instead of the open or newest one');
  }
  return command.exitOverride();
}

/** Commands that do not speak of a run that is there. */
const STARTS_OR_LISTS = [
  'check',
  'run',
  'runs',
  'doctor',
  'graph',
  'goal',
  'models',
  'completion',
  'config',
  'flow',
  'skill',
];

function contextOf(command: Command, output: Output): Context {
  const { C, run, json, trust } = command.optsWithGlobals<SharedOptions>();
  return { output, dir: C ?? null, run: run ?? null, json: json ?? false, trust: trust ?? false };
}
