/** Ends process groups, and nothing that is not provably ours. */

import { setTimeout as delay } from 'node:timers/promises';
import { listProcesses, tokensOf } from './processes.ts';
import type { ProcessInfo } from './processes.ts';

/** A group we started, as it was recorded before its command ran. */
export interface OwnGroup {
  /** Of the leader; also the number of the group. */
  readonly pid: number;
  readonly startTime: string;
  readonly token: string;
  /** Members (see `memberId`) seen at the moment the leader was reaped, when there were any. */
  readonly members?: ReadonlySet<string>;
}

/** `group`: the members of the group. `all`: also what left the group but still carries the token. */
export type Reach = 'group' | 'all';

export function memberId(p: ProcessInfo): string {
  return `${p.pid} ${p.startTime}`;
}

/**
 * Sends SIGKILL to everything of these groups, again and again until nothing of them lives (what is killed may have
 * forked just before) or until `within` milliseconds have passed. Resolves to the pids that still live.
 */
export async function killGroups(
  groups: readonly OwnGroup[],
  reach: Reach,
  within: number,
): Promise<number[]> {
  const deadline = performance.now() + within;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const alive = ownProcesses(groups, reach);
    if (alive.length === 0) return [];
    if (performance.now() > deadline) return alive.map((p) => p.pid);
    for (const group of new Set(alive.filter((p) => p.inGroup).map((p) => p.group)))
      signalGroup(group, 'SIGKILL');
    for (const p of alive) if (!p.inGroup) signalProcess(p.pid, 'SIGKILL');
    await delay(pause);
  }
}

/** Sends SIGTERM to the group, once, and waits until no member lives or `grace` milliseconds have passed. */
export async function terminateGroup(own: OwnGroup, grace: number): Promise<void> {
  const deadline = performance.now() + grace;
  if (ownProcesses([own], 'group').length > 0) signalGroup(own.pid, 'SIGTERM');
  for (let pause = 5; performance.now() < deadline; pause = Math.min(pause * 2, 100)) {
    await delay(Math.min(pause, Math.max(1, deadline - performance.now())));
    if (ownProcesses([own], 'group').length === 0) return;
  }
}

/** The living members of a group whose leader we have reaped in this very turn of the event loop. */
export function membersAtReaping(group: number): ReadonlySet<string> {
  // While a group has members the kernel gives its number to no other process.
  if (!groupExists(group)) return new Set();
  return new Set(
    listProcesses()
      .filter((p) => p.group === group)
      .map(memberId),
  );
}

/** True while the system knows a group of that number, whoever's it is. Signals nothing. */
function groupExists(group: number): boolean {
  return send(-checked(group), 0);
}

interface OwnProcess extends ProcessInfo {
  /** Member of the group itself; otherwise it left the group and carries the token. */
  readonly inGroup: boolean;
}

function ownProcesses(groups: readonly OwnGroup[], reach: Reach): OwnProcess[] {
  // Saves the walk over all processes in the usual case, where the group ended with its leader.
  if (reach === 'group' && !groups.some((g) => groupExists(g.pid))) return [];
  const numbers = new Set(groups.map((g) => g.pid));
  const table = listProcesses();
  const suspects = reach === 'all' ? table : table.filter((p) => numbers.has(p.group));
  const tokens = tokensByPid(suspects, new Set(groups.map((g) => g.token)));
  const proven = new Set(groups.filter((g) => isProven(g, table, tokens)).map((g) => g.pid));
  return suspects
    .filter((p) => !p.ended && p.pid !== process.pid)
    .map((p) => ({ ...p, inGroup: proven.has(p.group) }))
    .filter((p) => p.inGroup || (reach === 'all' && tokens.has(p.pid)));
}

type TokensByPid = ReadonlyMap<number, readonly string[]>;

function tokensByPid(processes: readonly ProcessInfo[], wanted: ReadonlySet<string>): TokensByPid {
  const found = new Map<number, readonly string[]>();
  for (const { pid } of processes) {
    const carried = tokensOf(pid).filter((token) => wanted.has(token));
    if (carried.length > 0) found.set(pid, carried);
  }
  return found;
}

/**
 * A group is ours when its leader is the process that was recorded, or when one of its members was seen in it before
 * or carries the token: its number cannot have changed hands while that member was in it.
 */
function isProven(own: OwnGroup, table: readonly ProcessInfo[], tokens: TokensByPid): boolean {
  return table.some((p) => {
    if (p.pid === own.pid && p.startTime === own.startTime) return true;
    if (p.group !== own.pid) return false;
    return own.members?.has(memberId(p)) === true || tokens.get(p.pid)?.includes(own.token) === true;
  });
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  send(-checked(group), signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  send(checked(pid), signal);
}

/** 0, 1 and negative numbers mean something else to kill(2): our own group, everything there is. */
function checked(pid: number): number {
  if (!Number.isSafeInteger(pid) || pid <= 1) throw new Error(`not the number of a process of ours: ${pid}`);
  return pid;
}

/** False when there is nothing to signal; a process that may not be signalled is there. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
