/** The commands about flows and skills. */

import { Argument, type Command, Option } from 'commander';
import type { FlowFormat, FlowVerb } from './commands/flow.ts';
import type { Result } from '../contract/fault.ts';
import { complain, type Context } from './context.ts';
import * as options from './options.ts';
import { limitsFrom, modelFlags, unwatchedFrom } from './options.ts';
import type { LimitOptions, ModelOptions, UnwatchedOptions } from './options.ts';
import type { Add } from './program-look.ts';

/** What starts a run takes, as `graph` does. */
export interface StartDecorators {
  readonly limited: (command: Command) => Command;
  readonly modelled: (command: Command) => Command;
  readonly detached: (context: Context, isHere: boolean) => Promise<number>;
}

type Flags = LimitOptions &
  ModelOptions &
  UnwatchedOptions & {
    readonly concurrency?: number;
    readonly skipLook?: boolean;
    readonly maxMoves?: number;
    readonly skillsDir?: readonly string[];
    readonly format?: FlowFormat;
  };

const skillsDir = () =>
  new Option(
    '--skills-dir <dir>',
    'skills from here instead of those of project and user; may be repeated',
  ).argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);

async function foldersOf(context: Context, { skillsDir = [] }: Flags): Promise<Result<readonly string[]>> {
  return (await import('./flow-source.ts')).namedFolders(context, skillsDir);
}

export function addFlowCommands(add: Add, { limited, modelled, detached }: StartDecorators): void {
  const verb = new Argument('<what>', 'what to do').choices(['list', 'check', 'show', 'run', 'export']);
  const flow = async (
    context: Context,
    what: FlowVerb,
    name: string | undefined,
    args: readonly string[],
    flags: Flags,
  ): Promise<number> => {
    if (flags.detach && what === 'run') return detached(context, true);
    const { flow } = await import('./commands/flow.ts');
    const folders = await foldersOf(context, flags);
    if (!folders.ok) return complain(context, folders.fault);
    return flow(
      context,
      { verb: what, name: name ?? null, args },
      {
        limits: limitsFrom(flags),
        flags: modelFlags(flags),
        look: !flags.skipLook,
        unwatched: unwatchedFrom(flags),
        maxMoves: flags.maxMoves ?? null,
        skillDirs: folders.value,
        format: flags.format ?? 'mermaid',
      },
    );
  };
  limited(
    modelled(
      add('flow', 'a chart (Mermaid or D2, in a SKILL.md or by itself) that directs an agent', flow)
        .addArgument(verb)
        .addArgument(new Argument('[flow]', 'name of a skill, or a file: SKILL.md, .mmd, .mermaid, .d2'))
        .addArgument(new Argument('[args...]', 'for run: what the first step is told in addition')),
    ),
  )
    .addOption(options.maxMoves())
    .addOption(new Option('--format <format>', 'for export').choices(['mermaid', 'json', 'dot']))
    .addOption(skillsDir())
    .addHelpText(
      'after',
      `
list: what is installed · check: whether the chart holds · show: the chart · run: follow it · export: another notation
At a decision a person may choose in the agent's place: goalgraph choose BRANCH

Examples:
  goalgraph flow check .agents/skills/email/SKILL.md
  goalgraph flow run email "decline the offer of the ACME corporation" --model openai/gpt-5 --budget 200k`,
    );
  add(
    'choose <branch>',
    "take this branch at the flow's decision, in the place of its agent",
    async (context, branch: string) => (await import('./commands/choose.ts')).choose(context, branch),
  );
  const skill = async (
    context: Context,
    name: string,
    args: readonly string[],
    flags: Flags,
  ): Promise<number> => {
    if (flags.detach) return detached(context, true);
    const { skill } = await import('./commands/skill.ts');
    const folders = await foldersOf(context, flags);
    if (!folders.ok) return complain(context, folders.fault);
    return skill(
      context,
      { name, args },
      {
        single: true,
        limits: limitsFrom(flags),
        concurrency: flags.concurrency ?? null,
        approve: false,
        flags: modelFlags(flags),
        look: !flags.skipLook,
        unwatched: unwatchedFrom(flags),
        skillDirs: folders.value,
      },
    );
  };
  limited(
    modelled(
      add('skill <name> [args...]', 'the instructions of a skill as a goal, with what is asked of it', skill),
    ),
  )
    .addOption(skillsDir())
    .addHelpText('after', '\nExample: goalgraph skill release-notes "for version 2.0" --budget 200k');
}
