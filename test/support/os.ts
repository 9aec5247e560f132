/** Real folders and processes for the tests of `os`, and their removal. */

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { ok } from '../../src/contract/fault.ts';
import { createPipes } from '../../src/os/pipes.ts';
import { listProcesses, startTimeOf, tokensOf } from '../../src/os/processes.ts';
import { runGroup } from '../../src/os/process-group.ts';
import type { GroupEnd, GroupSpec } from '../../src/os/process-group.ts';

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'goalgraph-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Waits for something that is about to happen; fails loudly when it does not. */
export async function until(what: string, holds: () => boolean, ms = 10_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`waited ${ms} ms in vain until ${what}`);
    await delay(5);
  }
}

/** Waits for a file with a whole line in it and returns the line. */
export async function lineIn(file: string): Promise<string> {
  const text = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  await until(`there is a line in ${file}`, () => text().includes('\n'));
  return text().split('\n')[0] ?? '';
}

export function isAlive(pid: number): boolean {
  return listProcesses().some((p) => p.pid === pid && !p.ended);
}

export function bearersOf(token: string): number[] {
  return listProcesses()
    .filter((p) => !p.ended && tokensOf(p.pid).includes(token))
    .map((p) => p.pid);
}

/** A process that has nothing to do with goalgraph. */
export async function stranger(
  env: Record<string, string> = {},
  program = '/bin/sleep',
): Promise<{ pid: number; startTime: string }> {
  const child = spawn(program, ['1000'], { detached: true, stdio: 'ignore', env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { pid } = child;
  if (pid === undefined) throw new Error('sleep could not be started');
  await until('it sleeps', () => readlinkSync(`/proc/${pid}/exe`).endsWith(basename(program)));
  return { pid, startTime: startTimeOf(pid) ?? '' };
}

export interface ShellRun {
  readonly end: GroupEnd;
  readonly text: string;
  readonly bytes: number;
  readonly ms: number;
  readonly token: string;
  readonly pid: number;
}

export async function shell(
  command: string,
  options: Partial<GroupSpec> & { readonly signal?: AbortSignal } = {},
): Promise<ShellRun> {
  const { signal = new AbortController().signal, ...spec } = options;
  const token = spec.token ?? newToken();
  const pipes = createPipes(process.env);
  const chunks: Buffer[] = [];
  let pid = 0;
  const start = performance.now();
  const end = await runGroup(
    {
      command,
      cwd: '/',
      env: process.env,
      token,
      timeout: 20_000,
      pipes,
      onSpawned: (spawned) => {
        ({ pid } = spawned);
        return ok(null);
      },
      onOutput: (bytes) => void chunks.push(Buffer.from(bytes)),
      ...spec,
    },
    signal,
  );
  const ms = performance.now() - start;
  pipes.close();
  const text = Buffer.concat(chunks);
  return { end, text: text.toString(), bytes: text.length, ms, token, pid };
}

const tokens = new Set<string>();

export function newToken(): string {
  const token = randomBytes(16).toString('hex');
  tokens.add(token);
  return token;
}

/** For the end of a test file: pids of what its commands have left running, all told. */
export function leftRunning(): number[] {
  return [...tokens].flatMap(bearersOf);
}

/** Another node process that uses goalgraph's `os`, to be killed; see `os-parent.ts`. */
export function parent(mode: string, args: readonly string[], uid?: number): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/support/os-parent.ts', mode, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
