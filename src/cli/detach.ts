/**
 * `--detach`: the same command in a process of its own, which outlives this one and its terminal. This one waits until
 * the run is stored, or until the command has failed, and says what became of it.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../contract/fault.ts';
import { ensureStateDir } from '../os/state-dir.ts';
import { readConfig } from './config.ts';
import { complain, visible, type Context } from './context.ts';
import { EXIT } from './exit.ts';
import { reportFolder } from './report/write-reports.ts';
import { safeJson } from './safe-json.ts';
import { workspaceHere } from './workspace.ts';

const FLAG = '--detach';

/** What the child says as soon as its run is stored. */
const begun = z.strictObject({ run: z.string(), stateDir: z.string() });
type Begun = z.infer<typeof begun>;

/** In the child; elsewhere it does nothing. */
export function tellParent(words: Begun): void {
  // A parent that is gone needs no answer.
  if (process.connected) process.send?.(words, () => undefined);
}

/** `isHere`: it begins a run in this workspace, so that the state directory may be made for the log. */
export async function detach(context: Context, isHere: boolean): Promise<number> {
  const log = await openLog(context.dir, isHere);
  if (!log.ok) return complain(context, log.fault);
  const { fd, path } = log.value;
  const [, script = ''] = process.argv;
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, ...withoutFlag(process.argv.slice(2))],
    {
      detached: true,
      stdio: ['ignore', fd, fd, 'ipc'],
    },
  );
  closeSync(fd);
  const met = await meet(child);
  if ('wrong' in met) {
    rmSync(path, { force: true });
    return complain(context, { code: 'store_io', message: `It could not be started (${met.wrong}).` });
  }
  if ('exit' in met) {
    tellOutput(context, path, met.exit);
    return met.exit;
  }
  if (child.connected) child.disconnect();
  child.unref();
  const output = settleLog(path, met);
  tellBegun(context, { run: met.run, pid: child.pid ?? 0, output });
  return EXIT.complete;
}

/** Only before `--`: what follows may be any text. */
export function withoutFlag(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.filter((arg, i) => arg !== FLAG || (end >= 0 && i > end));
}

interface Log {
  readonly fd: number;
  readonly path: string;
}

/** Under a name for the time until the run has one; on the disk of the state directory, so that it can be moved there. */
async function openLog(dir: string | null, isHere: boolean): Promise<Result<Log>> {
  const name = `goalgraph-${process.pid}-${Date.now()}.log`;
  const workspace = workspaceHere(dir);
  if (!workspace.ok) return workspace;
  const config = readConfig(workspace.value);
  const { stateDir } = config.ok ? config.value : { stateDir: null };
  // What is wrong with it the command itself will say.
  if (isHere && stateDir !== null) await ensureStateDir(stateDir);
  const places = stateDir === null ? [] : [join(stateDir, 'runs', name)];
  for (const path of [...places, join(tmpdir(), name)]) {
    try {
      // Not `recursive`: without a state directory there is no place in it.
      if (path === places[0]) makeFolder(join(path, '..'));
      return ok({ fd: openSync(path, 'ax', 0o600), path });
    } catch {
      // The next place, then.
    }
  }
  return fail({
    code: 'store_io',
    message: `There is no place for its output: ${tmpdir()} cannot be written.`,
  });
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

type Met = Begun | { readonly exit: number } | { readonly wrong: string };

/** Waits for the child's first words, or for its end. */
function meet(child: ChildProcess): Promise<Met> {
  // Whoever gives up before there is a run wants none.
  const giveUp = (): void => void child.kill('SIGTERM');
  const signals = ['SIGINT', 'SIGTERM'] as const;
  signals.forEach((signal) => process.on(signal, giveUp));
  const met = new Promise<Met>((resolve) => {
    child.once('error', ({ message }) => resolve({ wrong: message }));
    // Its last words are read before the channel counts as closed.
    child.once('exit', (code, signal) => {
      const end = (): void => resolve({ exit: code ?? (signal === 'SIGTERM' ? EXIT.sigterm : EXIT.infra) });
      if (child.connected) child.once('disconnect', end);
      else end();
    });
    child.on('message', (words) => {
      const parsed = begun.safeParse(words);
      if (parsed.success) resolve(parsed.data);
    });
  });
  return met.finally(() => signals.forEach((signal) => process.off(signal, giveUp)));
}

/** What it said before its run was there: as a rule why there is none. */
function tellOutput({ output }: Context, path: string, exit: number): void {
  const text = readFileSync(path, 'utf8').trimEnd();
  rmSync(path, { force: true });
  if (text !== '') (exit === EXIT.complete ? output.out : output.err)(visible(text));
}

/** To its place beside the reports. A log on another disk stays where it is: the child writes on, wherever it lies. */
function settleLog(path: string, { run, stateDir }: Begun): string {
  const folder = reportFolder(stateDir, run);
  if (!folder.ok) return path;
  try {
    mkdirSync(folder.value, { recursive: true, mode: 0o700 });
    const place = freePlace(folder.value);
    renameSync(path, place);
    return place;
  } catch {
    return path;
  }
}

/** Each process that went on with the run has an output of its own: `output.log`, `output-2.log`. */
function freePlace(folder: string): string {
  for (let count = 1; ; count++) {
    const place = join(folder, count === 1 ? 'output.log' : `output-${count}.log`);
    if (!existsSync(place)) return place;
  }
}

interface Told {
  readonly run: string;
  readonly pid: number;
  readonly output: string;
}

function tellBegun({ output, json }: Context, told: Told): void {
  if (json) {
    output.out(safeJson(told));
    return;
  }
  output.out(`Run ${told.run} goes on in process ${told.pid}.`);
  output.out('Watch it: goalgraph attach · its events: goalgraph logs -f · stop it: goalgraph pause');
  output.out(`Its output: ${visible(told.output)}`);
}
