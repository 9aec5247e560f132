/** The shell's commands beside `/graph` and `/goal`: those that look, and those that choose for runs to come. */

import { parseTokens, formatTokens } from '../../contract/amount.ts';
import { never } from '../../contract/never.ts';
import { readConfig } from '../config.ts';
import { complain, visible, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { screenOf } from '../output.ts';
import { budgetLines } from '../render/header.ts';
import { pad, width } from '../render/text.ts';
import { workspaceHere } from '../workspace.ts';
import type { Acting } from './act.ts';
import type { Flags } from './flags.ts';
import { helpRows, type CommandName } from './table.ts';

interface Asked {
  readonly argument: string | null;
  readonly flags: Flags;
  readonly acting: Acting;
}

/** All but what steers a run. */
export async function act(
  command: Exclude<CommandName, 'choose'>,
  { argument, flags, acting }: Asked,
): Promise<number> {
  const { context, exact, watch } = acting;
  switch (command) {
    case 'runs':
      return (await import('../commands/look.ts')).runs(context);
    case 'flows': {
      const { listSkills } = await import('../commands/skill.ts');
      return listSkills(context, []);
    }
    case 'log':
      return (await import('../commands/log.ts')).log(context, argument ?? '', { full: flags.full ?? false });
    case 'diff':
      return (await import('../commands/diff.ts')).diff({ ...context, output: exact }, argument);
    case 'doctor':
      return (await import('../commands/doctor.ts')).doctor(context, { online: false });
    case 'report':
      return (await import('../commands/report.ts')).report(context, {});
    case 'watch':
      context.output.out(watch.toggle(argument));
      return EXIT.complete;
    case 'model':
      return model(argument, acting);
    case 'budget':
      return budget(argument, acting);
    case 'help':
      help(context);
      return EXIT.complete;
    case 'quit':
      acting.quit();
      return EXIT.complete;
    default:
      return never(command);
  }
}

async function model(name: string | null, { context, chosen }: Acting): Promise<number> {
  const workspace = workspaceHere(context.dir);
  const config = workspace.ok ? readConfig(workspace.value) : workspace;
  if (!config.ok) return complain(context, config.fault);
  if (name !== null) {
    const { chooseModel } = await import('../../model/choose.ts');
    const choice = chooseModel(name, config.value.baseUrl);
    if (!choice.ok) return complain(context, choice.fault);
    chosen.model = name;
    context.output.out(`From here on: ${visible(name)}, for runs that are started or resumed in this shell.`);
    return EXIT.complete;
  }
  const configured = config.value.model ?? 'none is configured';
  const words = chosen.model === null ? configured : `${chosen.model} (configured: ${configured})`;
  context.output.out(visible(`Models of new runs: ${words}`));
  return EXIT.complete;
}

async function budget(amount: string | null, { context, chosen, questions }: Acting): Promise<number> {
  if (amount !== null) {
    const tokens = parseTokens(amount);
    if (tokens === null)
      return complain(context, { code: 'usage', message: 'Write it like 500k, 2m or 120000.' });
    chosen.tokens = tokens;
    context.output.out(
      `Runs that are started here get ${formatTokens(tokens)} tokens. More for the one that is there: /graph resume --budget ${amount}`,
    );
    return EXIT.complete;
  }
  if (chosen.tokens !== null)
    context.output.out(`Runs that are started here get ${formatTokens(chosen.tokens)} tokens.`);
  const asked = questions.spent();
  if (asked !== null) context.output.out(asked);
  const { look } = await import('../commands/look.ts');
  return look(context, ({ view }) => {
    const lines = budgetLines(view, screenOf(context.output));
    for (const line of lines) context.output.out(line);
    if (lines.length === 0) context.output.out('No model works on this run, so nothing is spent.');
    return EXIT.complete;
  });
}

function help({ output }: Context): void {
  const rows = helpRows();
  const longest = Math.max(...rows.map(({ typed }) => width(typed)));
  // Where there is no room for two columns, what it does stands under what is typed.
  const isNarrow = output.columns() < longest + 30;
  for (const { typed, about } of rows) {
    output.out(isNarrow ? `${typed}\n    ${about}` : `${pad(typed, longest)}  ${about}`);
  }
  output.out(
    'A line without a slash is a question about the run; a model that looks at its report, logs and files answers it.',
  );
  output.out(
    'Also: stop, pause, wait or halt as a line of its own pauses the run. Ctrl-C pauses it, too; again kills it at once.',
  );
}
