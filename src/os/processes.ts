/**
 * What the system tells of its processes. A pid alone names nothing, because it is used again; a pid together
 * with the kernel's start time names one process for ever.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

export interface ProcessInfo {
  readonly pid: number;
  readonly group: number;
  /** Compared for equality only. */
  readonly startTime: string;
  /** Dead and not yet reaped: it does nothing any more, but its pid is still its own. */
  readonly ended: boolean;
}

/** Holds the token in the environment of everything we start. */
export const CHILD_VARIABLE = 'GOALGRAPH_CHILD';

/**
 * The value for a new child. A goalgraph that runs inside a goalgraph keeps the outer tokens, so that the outer one
 * can still find what the inner one started in process groups of its own.
 */
export function childVariable(inherited: string | undefined, token: string): string {
  return inherited === undefined || inherited === '' ? token : `${inherited}:${token}`;
}

/** Null when there is no such process. */
export function startTimeOf(pid: number): string | null {
  if (!hasProc()) return listWithPs(['-p', String(pid)])[0]?.startTime ?? null;
  return readStat(pid, bootId())?.startTime ?? null;
}

/** Whether this very process still does anything; `startTime` as it was told for it once. */
export function isRunning({ pid, startTime }: Pick<ProcessInfo, 'pid' | 'startTime'>): boolean {
  const found = hasProc() ? readStat(pid, bootId()) : (listWithPs(['-p', String(pid)])[0] ?? null);
  return found !== null && !found.ended && found.startTime === startTime;
}

export function listProcesses(): ProcessInfo[] {
  if (!hasProc()) return listWithPs(['-ax']);
  const boot = bootId();
  return pidsInProc().flatMap((pid) => readStat(pid, boot) ?? []);
}

/** The tokens in the environment with which this process was started; empty when that may not be read. */
export function tokensOf(pid: number): readonly string[] {
  return tokensIn(hasProc() ? readText(`/proc/${pid}/environ`) : environmentWithPs(pid));
}

function hasProc(): boolean {
  return process.platform === 'linux' && readText('/proc/self/stat') !== null;
}

function pidsInProc(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Start times count from the boot, so they mean nothing without it. */
function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

function readStat(pid: number, boot: string): ProcessInfo | null {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The second field is the program's name in parentheses; it may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const startTime = fields[19];
  if (state === undefined || group === undefined || startTime === undefined) return null;
  return {
    pid,
    group: Number(group),
    startTime: `${boot} ${startTime}`,
    ended: state === 'Z' || state === 'X',
  };
}

function tokensIn(environment: string | null): readonly string[] {
  if (environment === null) return [];
  const separator = hasProc() ? '\0' : ' ';
  const name = `${separator}${CHILD_VARIABLE}=`;
  const text = separator + environment;
  const at = text.indexOf(name);
  if (at < 0) return [];
  const end = text.indexOf(separator, at + name.length);
  return text
    .slice(at + name.length, end < 0 ? undefined : end)
    .trim()
    .split(':');
}

/** Null when it cannot be read: gone, or not ours to see. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

/** For systems without /proc. Start times there are whole seconds of wall time. */
export function listWithPs(which: readonly string[]): ProcessInfo[] {
  const text = ps([...which, '-o', 'pid=,pgid=,stat=,lstart=']);
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S.*)$/.exec(line);
    if (match === null) return [];
    const [, pid = '', group = '', state = '', started = ''] = match;
    return {
      pid: Number(pid),
      group: Number(group),
      startTime: started.trim(),
      ended: state.startsWith('Z'),
    };
  });
}

function environmentWithPs(pid: number): string {
  return ps(['-E', '-ww', '-p', String(pid), '-o', 'command=']);
}

function ps(args: readonly string[]): string {
  try {
    // The start time is printed in words: the language and the time zone must be the same for every reader.
    return execFileSync('/bin/ps', args, {
      encoding: 'utf8',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch {
    return '';
  }
}
