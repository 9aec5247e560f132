/** The commands that look at runs and at what is set, and change nothing of either. */

import { Argument, type Command, Option } from 'commander';
import type { ShellName } from './commands/completion.ts';
import type { ExportFormat } from './commands/look.ts';
import type { Context } from './context.ts';

export type Add = (
  usage: string,
  about: string,
  act: (context: Context, ...rest: never[]) => Promise<number>,
) => Command;

export function addLookCommands(add: Add): void {
  const look = () => import('./commands/look.ts');
  add('status', 'where the run stands, node by node', async (context) => (await look()).status(context));
  add('show', 'the plan as a drawn graph', async (context, { full }: { full?: boolean }) =>
    (await look()).show(context, { full: full ?? false }),
  ).option('--full', 'with the spec, scope and checks of every node');
  add('runs', "the workspace's runs, newest first", async (context) => (await look()).runs(context));
  add(
    'log <node>',
    'what a node (or the planner) did, with its output; of a model what it was asked, said and did',
    async (context, node: string, { full }: { full?: boolean }) =>
      (await import('./commands/log.ts')).log(context, node, { full: full ?? false }),
  ).option('--full', 'all texts of conversations, not their first lines');
  add(
    'report',
    'write what became of the run as Markdown and HTML, and say where',
    async (context, flags: { html?: boolean; md?: boolean }) =>
      (await import('./commands/report.ts')).report(context, flags),
  )
    .option('--html', 'the HTML only')
    .option('--md', 'the Markdown only');
  add(
    'replay',
    'show the run again as it was shown when it happened; no model, no effects',
    async (context, flags: { speed?: string; step?: boolean }) =>
      (await import('./commands/replay.ts')).replay(context, flags),
  )
    .option('--speed <times>', 'so many times as fast')
    .option('--step', 'a key for each event');
  add(
    'diff [node]',
    'what models have changed: a node since its base, or the whole run; for git apply',
    async (context, node: string | undefined) =>
      (await import('./commands/diff.ts')).diff(context, node ?? null),
  );
  add('export', 'the run in another notation', async (context, { format }: { format: ExportFormat }) =>
    (await look()).exportRun(context, format),
  ).addOption(
    new Option('--format <format>', 'notation').choices(['mermaid', 'json', 'dot']).makeOptionMandatory(),
  );
  add(
    'doctor',
    'what of this machine and its configuration a run can count on',
    async (context, { online }: { online?: boolean }) =>
      (await import('./commands/doctor.ts')).doctor(context, { online: online ?? false }),
  )
    .option('--online', 'ask the endpoints of the models, too: one request each')
    .addHelpText('after', '\nExit codes: 0 nothing stops a run · 5 something does, and is marked as bad');
}

export function addWatchCommands(add: Add): void {
  const watch = () => import('./commands/attach.ts');
  add('attach', 'the live view of a run that another process drives', async (context) =>
    (await watch()).attach(context),
  ).addHelpText(
    'after',
    "\nCtrl-C ends the watching and leaves the run alone (exit 0). When the run rests, its exit code is attach's.",
  );
  add('logs', "the run's events, one a line", async (context, flags: { follow?: boolean }) =>
    (await watch()).logs(context, flags),
  ).option('-f, --follow', 'go on with what happens, until the run rests');
}

export function addShellCommands(add: Add, program: Command): void {
  add(
    'shell',
    'a prompt in the workspace, with the run above it: what goalgraph does without a command',
    async (context) => (await import('./shell/shell.ts')).shell(context),
  );
  const shell = new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish']);
  add('completion', 'what a shell needs to complete commands and options', async (context, name: ShellName) =>
    (await import('./commands/completion.ts')).completion(context, program, name),
  )
    .addArgument(shell)
    .addHelpText('after', '\nExample: eval "$(goalgraph completion bash)"');
  const config = new Argument('<what>', 'show').choices(['show']);
  add('config', 'every setting, its value, and where it comes from', async (context) =>
    (await import('./commands/config.ts')).showConfig(context),
  ).addArgument(config);
}
