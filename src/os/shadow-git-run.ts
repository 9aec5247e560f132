/** Runs git for us alone: nothing of the user's environment, configuration, hooks or keys has a say. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { Environment } from './pipes.ts';

export type SnapshotFaultCode =
  | 'git_missing'
  | 'git_old'
  | 'git_failed'
  | 'git_slow'
  | 'unreadable'
  | 'no_space'
  | 'too_large'
  | 'no_snapshot'
  | 'not_empty';

export interface SnapshotFault {
  readonly code: SnapshotFaultCode;
  /** For a person; the last sentence says what to do next. */
  readonly message: string;
}

export type SnapshotResult<T> = Result<T, SnapshotFault>;

export interface GitJob {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Environment;
  /** Written to its stdin, one byte for each character: not every file name is UTF-8. */
  readonly input?: string;
  /** Output beyond it ends the job; what came before is returned with `cut`. */
  readonly maxBytes?: number;
}

export interface GitOutput {
  readonly bytes: Buffer;
  readonly cut: boolean;
  /** 0, or one of `accept`. */
  readonly exit: number;
}

export interface GitRunner {
  run(job: GitJob, accept?: readonly number[]): Promise<SnapshotResult<GitOutput>>;
}

export interface GitRunnerOptions {
  /** PATH and TMPDIR are all that is taken from it. */
  readonly env: Environment;
  /** Milliseconds for one command. */
  readonly timeout: number;
}

/** Told anew to each command, for the files where they could stand are not ours alone. */
const SETTINGS: readonly string[] = [
  'core.bare=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.symlinks=true',
  'core.fileMode=true',
  'core.quotePath=false',
  'core.attributesFile=/dev/null',
  // Programs that a configuration can name.
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'protocol.allow=never',
  // Names that other systems cannot have are names here.
  'core.protectNTFS=false',
  'core.protectHFS=false',
  // Nothing refers to a snapshot but our journal, so nothing may clean up.
  'gc.auto=0',
  'maintenance.auto=false',
];

const MAX_BYTES = 256 * 1024 * 1024;
const MAX_COMPLAINT = 16 * 1024;

export function makeGitRunner(options: GitRunnerOptions): GitRunner {
  return {
    run: (job, accept = []) => runGit(options, job, accept),
  };
}

function runGit(
  options: GitRunnerOptions,
  job: GitJob,
  accept: readonly number[],
): Promise<SnapshotResult<GitOutput>> {
  const { promise, resolve } = promised<SnapshotResult<GitOutput>>();
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const child = spawn('git', [...settings, ...job.args], {
    cwd: job.cwd,
    env: { ...cleanEnvironment(options.env), ...job.env },
    // Its own group, so that a time-out ends what it started too.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = collect(job.maxBytes ?? MAX_BYTES, () => kill(child.pid));
  const complaint = collect(MAX_COMPLAINT, () => undefined);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    kill(child.pid);
  }, options.timeout);
  child.stdout.on('data', output.add);
  child.stderr.on('data', complaint.add);
  // It may end without having read all of it; then its exit says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(job.input ?? '', 'latin1');
  child.on('error', (error: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    resolve(fail(notStarted(error, job.cwd)));
  });
  child.on('close', (exit) => {
    clearTimeout(timer);
    const { bytes, cut } = output.result();
    if (late) resolve(fail(slow(job, options.timeout)));
    else if (cut) resolve(ok({ bytes, cut, exit: 0 }));
    else if (exit === 0 || (exit !== null && accept.includes(exit))) resolve(ok({ bytes, cut, exit }));
    else resolve(fail(failed(job, complaint.result().bytes.toString('utf8'))));
  });
  return promise;
}

/** Git obeys some eighty variables; we name the few it gets. */
function cleanEnvironment(env: Environment): Environment {
  return {
    PATH: env['PATH'] ?? '/usr/bin:/bin',
    ...(env['TMPDIR'] === undefined ? {} : { TMPDIR: env['TMPDIR'] }),
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

interface Collector {
  readonly add: (chunk: Buffer) => void;
  readonly result: () => { readonly bytes: Buffer; readonly cut: boolean };
}

function collect(max: number, onFull: () => void): Collector {
  const chunks: Buffer[] = [];
  let room = max;
  let cut = false;
  return {
    add(chunk) {
      if (chunk.length > room && !cut) {
        cut = true;
        onFull();
      }
      if (room > 0) chunks.push(chunk.subarray(0, room));
      room = Math.max(0, room - chunk.length);
    },
    result: () => ({ bytes: Buffer.concat(chunks), cut }),
  };
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The system's own words are the same for a program and for a folder that is missing. */
function notStarted(error: NodeJS.ErrnoException, cwd: string): SnapshotFault {
  if (error.code === 'ENOENT' && existsSync(cwd)) {
    return { code: 'git_missing', message: 'git is not found in PATH. Install git 2.38 or newer.' };
  }
  return { code: 'git_failed', message: `git could not be started: ${error.message}. Try again.` };
}

function slow(job: GitJob, timeout: number): SnapshotFault {
  const message = `git ${verb(job)} took longer than ${Math.round(timeout / 1000)} s and was ended. Have git ignore large folders.`;
  return { code: 'git_slow', message };
}

function failed(job: GitJob, complaint: string): SnapshotFault {
  const said = complaint.trim().split('\n').slice(0, 3).join(' ').slice(0, 500);
  if (/no space left|disk quota/i.test(said)) {
    return { code: 'no_space', message: 'No space is left for a snapshot. Free some and try again.' };
  }
  if (/permission denied/i.test(said)) {
    return {
      code: 'unreadable',
      message: `A file may not be read: ${said}. Permit it, or have git ignore it.`,
    };
  }
  return { code: 'git_failed', message: `git ${verb(job)} failed: ${said}. Run goalgraph doctor.` };
}

function verb(job: GitJob): string {
  return job.args.find((arg) => /^[a-z]/.test(arg)) ?? '';
}

function promised<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
