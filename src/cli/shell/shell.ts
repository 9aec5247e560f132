/** `goalgraph` without a command: a prompt in the workspace, with the run above it. */

import { readConfig, type Config } from '../config.ts';
import { complain, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import type { RunView } from '../../contract/view.ts';
import { clip, plain } from '../render/text.ts';
import { secretsOf } from '../secrets.ts';
import { workspaceHere } from '../workspace.ts';
import { act, isUrgent, PAUSE, type Acting } from './act.ts';
import { branchesOf } from './branches.ts';
import { greet } from './greet.ts';
import { openHistory } from './history.ts';
import { makeJobs } from './jobs.ts';
import { linesOf } from './lines.ts';
import { lineFlaw, parseLine, type Line } from './parse.ts';
import { makeQuestions } from './questions.ts';
import type { Preview } from '../presenter.ts';
import { shellPresenter } from './presenter.ts';
import { plainScreen, type ShellScreen } from './screen.ts';
import { onShellSignals } from './signals.ts';
import { completions, type NamedSkill } from './table.ts';
import { terminalScreen } from './terminal.ts';
import { makeWatch } from './watch.ts';

export async function shell(context: Context): Promise<number> {
  const workspace = workspaceHere(context.dir);
  const config = workspace.ok ? readConfig(workspace.value) : workspace;
  if (!workspace.ok) return complain(context, workspace.fault);
  if (!config.ok) return complain(context, config.fault);
  const place = { workspace: workspace.value, config: config.value };
  const isDumb = process.env.TERM === 'dumb';
  const hasPrompt = process.stdin.isTTY && context.output.isTerminal && !isDumb;
  return hasPrompt ? onTerminal(context, place) : fromLines(context);
}

interface Place {
  readonly workspace: string;
  readonly config: Config;
}

/** What both kinds of shell are made of. */
function assemble(context: Context, screen: ShellScreen, quit: () => void) {
  let view: (() => RunView) | null = null;
  const jobs = makeJobs(() => screen.changed());
  const nodes = () => view?.().nodes ?? [];
  const watch = makeWatch({
    print: screen.print,
    slugOf: (id) => nodes().find((node) => node.id === id)?.slug ?? null,
    ascii: screen.output.ascii,
  });
  const seen = (next: () => RunView) => {
    view = next;
  };
  const following = new AbortController();
  const present = (preview: Preview | null) => shellPresenter({ screen, preview, seen });
  const inside: Context = {
    ...context,
    output: screen.output,
    front: {
      presenter(preview) {
        // One run is shown at a time, and what is driven here is the news.
        following.abort();
        return present(preview);
      },
      driving: jobs.driving,
      heard: watch.heard,
    },
  };
  const exact = { ...screen.output, out: screen.print };
  const chosen = { model: null, tokens: null };
  const questions = makeQuestions(inside);
  const here = () => view?.() ?? null;
  const acting: Acting = { context: inside, exact, jobs, watch, questions, chosen, here, quit };
  const named = () => ({ nodes: nodes().map(({ slug }) => slug), branches: branchesOf(here()) });
  return { acting, jobs, seen, present, following, named };
}

/** Milliseconds in which a second Ctrl-C at an idle prompt leaves. */
const TWICE = 1_000;

/** Signs of a typed line that are shown again. */
const ECHOED = 2_000;

async function onTerminal(context: Context, { workspace, config }: Place): Promise<number> {
  const { output } = context;
  const history = openHistory(config.stateDir, secretsOf(process.env));
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  let queue = Promise.resolve();
  let idleSince = -Infinity;
  let skills: readonly NamedSkill[] = [];
  const screen = terminalScreen({
    output,
    stdin: process.stdin,
    history: history.lines(),
    complete: (line) => completions(line, { ...parts.named(), skills }),
    onEnd: () => leave(),
    onLine(typed) {
      screen.print(`${output.palette.dim('>')} ${clip(plain(typed.slice(0, ECHOED), output.ascii), ECHOED)}`);
      if (lineFlaw(typed) === null) history.add(typed);
      const line = parseLine(typed);
      if (isUrgent(line)) void acted(line, parts.acting);
      else queue = queue.then(() => acted(line, parts.acting)).then(() => undefined);
    },
    onInterrupt(hadText) {
      const dropped = parts.acting.questions.stop();
      if (parts.jobs.isBusy()) {
        // Counted where those from outside are: the first pauses, a second one kills.
        process.kill(process.pid, 'SIGINT');
        return;
      }
      if (hadText || dropped) return;
      if (performance.now() - idleSince < TWICE) leave();
      else screen.print('Ctrl-C again, or Ctrl-D, leaves.');
      idleSince = performance.now();
    },
  });
  const parts = assemble(context, screen, () => leave());
  const signals = onShellSignals(parts.jobs, () => leave());
  const inside = parts.acting.context;
  let followed = Promise.resolve();
  queue = queue.then(async () => {
    void namedSkills(inside).then(
      (found) => (skills = found),
      () => undefined,
    );
    const isElsewhere = await greet({ context: inside, workspace, seen: parts.seen });
    if (!isElsewhere) return;
    const { followElsewhere } = await import('./follow.ts');
    const stop = parts.following.signal;
    followed = followElsewhere({ context: inside, workspace, presenter: parts.present(null), stop });
  });
  await left;
  parts.following.abort();
  await followed;
  await settle(parts.acting, screen);
  screen.close();
  signals.stop();
  return signals.code() ?? EXIT.complete;
}

/** Whatever goes wrong with one line, a run that goes on must not be lost with the shell. */
async function acted(line: Line, acting: Acting): Promise<number> {
  try {
    return await act(line, acting);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return complain(acting.context, {
      code: 'store_io',
      message: `That failed, and the shell goes on: ${message}`,
    });
  }
}

/** For completion only: what is wrong with them is said where they are listed. */
async function namedSkills(context: Context): Promise<readonly NamedSkill[]> {
  const { skillsHere } = await import('../flow-source.ts');
  const found = await skillsHere(context, []);
  return found.ok ? found.value.skills.map(({ name, flow }) => ({ name, isFlow: flow !== null })) : [];
}

/** The exit code: of the run that was driven last, else of the last line. */
async function fromLines(context: Context): Promise<number> {
  const screen = plainScreen(context.output);
  const input = { over: false };
  const parts = assemble(context, screen, () => (input.over = true));
  const signals = onShellSignals(parts.jobs, () => {
    input.over = true;
    parts.acting.questions.stop();
    process.stdin.destroy();
  });
  let code: number = EXIT.complete;
  try {
    for await (const line of linesOf(process.stdin)) {
      code = await acted(parseLine(line), parts.acting);
      if (input.over) break;
    }
  } catch (error) {
    // Ended by a signal, or by whoever was to send more.
    if (!input.over) context.output.err(`goalgraph: the input has ended: ${String(error)}`);
  }
  code = (await settle(parts.acting, screen)) ?? code;
  signals.stop();
  return signals.code() ?? code;
}

/** Nobody leaves a run behind: it is paused first. */
async function settle({ jobs, questions }: Acting, screen: ShellScreen): Promise<number | null> {
  questions.stop();
  if (jobs.isBusy()) {
    screen.print('A run is going: it is paused first.');
    await jobs.ask(PAUSE);
  }
  return jobs.ended();
}
