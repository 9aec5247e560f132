/**
 * Runs one shell command line in a process group of its own. The group is recorded before the command runs, ends
 * with the command, and ends at a time-out or an abort with all it started.
 */

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Ended, Outcome } from '../contract/event.ts';
import { fail, ok } from '../contract/fault.ts';
import type { Fault, Result } from '../contract/fault.ts';
import { killGroups, membersAtReaping, terminateGroup } from './group-kill.ts';
import type { OwnGroup } from './group-kill.ts';
import { closePipe } from './pipes.ts';
import type { Environment, Pipe, Pipes } from './pipes.ts';
import { CHILD_VARIABLE, childVariable, startTimeOf } from './processes.ts';
import { readOutput } from './read-output.ts';
import type { OutputReader } from './read-output.ts';
import { within } from './wait.ts';

export interface GroupSpec {
  readonly command: string;
  readonly cwd: string;
  /** The whole environment but for the token. */
  readonly env: Environment;
  /** Random text that everything started by the command carries in its environment. */
  readonly token: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly pipes: Pipes;
  /** Makes the process known, durably. The command runs only when this says ok. */
  readonly onSpawned: (process: { readonly pid: number; readonly startTime: string }) => Result<null>;
  /** stdout and stderr as they were written. The bytes are valid during the call only. */
  readonly onOutput: (bytes: Uint8Array) => void;
}

export interface GroupEnd extends Pick<Ended, 'outcome' | 'exit' | 'detail'> {
  /** Pids of what could not be ended: the record must stay. */
  readonly survivors: readonly number[];
}

/** From SIGTERM to SIGKILL. */
const GRACE = 2_000;
/** From the exit of the leader to SIGKILL for what it left in its group. */
const DRAIN = 1_000;
/** For what the kernel does after SIGKILL. */
const DYING = 5_000;
/** For what is still in the pipe when everything that could write is gone. */
const LAST_BYTES = 200;
/** A timer of Node's cannot be longer; it would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Waits for one line, so that a parent that dies before it has made the record leaves no command behind. */
const WRAPPER = 'exec 2>&1; read -r go <&3 || exit 125; exec /bin/sh -c "$1" 3<&-';

/** Never rejects for what a command or the system does. */
export async function runGroup(spec: GroupSpec, signal: AbortSignal): Promise<GroupEnd> {
  const pipe = await spec.pipes.take();
  if (signal.aborted) {
    if (pipe !== null) closePipe(pipe);
    return end('aborted');
  }
  const started = await start(spec, pipe);
  if (!started.ok) return end('spawn', { detail: started.fault });
  const { output } = started.value;
  const stop = watchForStop(spec.timeout, signal);
  const result = await follow(started.value, stop.asked);
  stop.forget();
  await within(LAST_BYTES, output.ended);
  output.close();
  return result;
}

async function follow(started: Started, stopAsked: Promise<StopReason>): Promise<GroupEnd> {
  const { group, child, exited, output } = started;
  const first = await Promise.race([exited, stopAsked]);
  if (typeof first === 'string') {
    await terminateGroup(group, GRACE);
    const survivors = await killGroups([group], 'all', DYING);
    // The kernel may keep a killed process for as long as a broken disk takes; we do not wait for it.
    if (!(await within(LAST_BYTES, exited))) child.unref();
    return end(first, { survivors });
  }
  await within(DRAIN, Promise.race([output.ended, stopAsked]));
  const survivors = await killGroups([group], 'group', DYING);
  if (first.signal !== null) return end('signal', { detail: first.signal, survivors });
  return end('exit', { exit: first.code, survivors });
}

function end(outcome: Outcome, rest: Partial<GroupEnd> = {}): GroupEnd {
  return { outcome, exit: null, detail: null, survivors: [], ...rest };
}

interface Started {
  readonly group: OwnGroup;
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  readonly output: OutputReader;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts the wrapper, has it recorded, and lets it go on to the command. */
async function start(spec: GroupSpec, pipe: Pipe | null): Promise<Result<Started, string>> {
  const spawned = await spawnWrapper(spec, pipe);
  if (!spawned.ok) {
    if (pipe !== null) closePipe(pipe);
    return spawned;
  }
  const { child, pid } = spawned.value;
  if (pipe !== null) closeSync(pipe.write);
  const members = new Set<string>();
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      for (const member of membersAtReaping(pid)) members.add(member);
      resolve({ code, signal });
    });
  });
  const output = readOutput(child, pipe, spec.onOutput);
  const startTime = startTimeOf(pid);
  const allowed = openGate(child.stdio[3] as Socket, () =>
    startTime === null ? fail(NO_START_TIME) : spec.onSpawned({ pid, startTime }),
  );
  if (allowed.ok && startTime !== null) {
    return ok({ group: { pid, startTime, token: spec.token, members }, child, exited, output });
  }
  await exited;
  output.close();
  return fail(allowed.ok ? NO_START_TIME.message : allowed.fault.message);
}

const NO_START_TIME: Fault = {
  code: 'workspace',
  message: 'The system does not tell when the process started. Check that /proc is mounted.',
};

/** Lets the wrapper run the command when `permit` says ok; else closes the gate, and the wrapper ends. */
function openGate(gate: Socket, permit: () => Result<null>): Result<null> {
  // A wrapper that is killed while it waits breaks the gate; its exit says so.
  gate.on('error', () => undefined);
  let permitted: Result<null> | null = null;
  try {
    permitted = permit();
    return permitted;
  } finally {
    if (permitted?.ok === true) gate.end('\n', () => gate.destroy());
    else gate.destroy();
  }
}

type Spawned = Result<{ readonly child: ChildProcess; readonly pid: number }, string>;

async function spawnWrapper(spec: GroupSpec, pipe: Pipe | null): Promise<Spawned> {
  const token = childVariable(spec.env[CHILD_VARIABLE], spec.token);
  try {
    const child = spawn('/bin/sh', ['-c', WRAPPER, 'sh', spec.command], {
      cwd: spec.cwd,
      env: { ...spec.env, [CHILD_VARIABLE]: token },
      detached: true,
      stdio: ['ignore', pipe?.write ?? 'pipe', 'ignore', 'pipe'],
    });
    if (child.pid !== undefined) return ok({ child, pid: child.pid });
    const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
    return fail(whyNotSpawned(spec, error));
  } catch (error) {
    return fail(whyNotSpawned(spec, error as NodeJS.ErrnoException));
  }
}

/** The system's own words blame the shell for a folder that is missing. */
function whyNotSpawned(spec: GroupSpec, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return whyNoFolder(spec.cwd) ?? '/bin/sh is missing.';
    case 'EACCES':
      return `The folder ${spec.cwd} may not be entered: permission denied.`;
    case 'E2BIG':
      return 'The command and its environment are too long for this system. Put the command in a script file.';
    case 'EAGAIN':
    case 'ENOMEM':
    case 'EMFILE':
    case 'ENFILE':
      return `The system has no room for another process (${error.code}). End others, or lower the concurrency.`;
    case undefined:
    default:
      return error.message;
  }
}

function whyNoFolder(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return `The folder ${path} does not exist.`;
  return found.isDirectory() ? null : `${path} is not a folder.`;
}

type StopReason = 'timeout' | 'aborted';

function watchForStop(
  timeout: number,
  signal: AbortSignal,
): { readonly asked: Promise<StopReason>; readonly forget: () => void } {
  let forget = (): void => undefined;
  const asked = new Promise<StopReason>((resolve) => {
    const onAbort = (): void => resolve('aborted');
    const timer = setTimeout(() => resolve('timeout'), Math.min(timeout, LONGEST_TIMER));
    signal.addEventListener('abort', onAbort, { once: true });
    forget = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) onAbort();
  });
  return { asked, forget };
}
