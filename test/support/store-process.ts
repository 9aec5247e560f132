/** Starts `store-child.ts`: a real process that uses a store, does what it is told by lines, and answers by lines. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./store-child.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface StoreProcess {
  readonly pid: number;
  /** The next line it says, as JSON; rejects when it ends without one. */
  next(): Promise<unknown>;
  tell(line: string): void;
  /** Every line it said until its end that nobody asked for. */
  rest(): Promise<readonly unknown[]>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** `wrap`: a command that runs the process, such as `unshare`. */
export function startStoreProcess(args: readonly string[], wrap: readonly string[] = []): StoreProcess {
  const [command = 'node', ...before] = [...wrap, process.execPath, '--import', 'tsx', CHILD, ...args];
  const child = spawn(command, before, { cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  // A child that was killed reads no more; what it said is what counts.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const line = await lines.next();
    if (line.done !== true) return JSON.parse(line.value) as unknown;
    await ended;
    throw new Error(`${args.join(' ')} ended (${child.exitCode ?? child.signalCode ?? '?'}): ${complaint}`);
  };
  return {
    pid: child.pid ?? -1,
    next,
    tell: (line) => void child.stdin.write(`${line}\n`),
    rest: async () => {
      const all: unknown[] = [];
      for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
        all.push(JSON.parse(line.value));
      }
      return all;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
