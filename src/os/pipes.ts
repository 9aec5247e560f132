/**
 * Real pipes for the output of children. What Node itself connects is a socket, and on Linux a socket cannot be
 * opened again by name: `echo oops > /dev/stderr` would fail in a check only because goalgraph runs it.
 */

import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Two file descriptors; who takes a pipe closes both. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

export interface Pipes {
  /** Null where the system has no named pipes. */
  take(): Promise<Pipe | null>;
  /** Gives up the pipes that nobody took. */
  close(): void;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Starting `mkfifo` costs as much as starting a command, so one start makes several. */
const AT_ONCE = 8;

export function createPipes(env: Environment): Pipes {
  const spare: Pipe[] = [];
  let making: Promise<readonly Pipe[]> | null = null;

  async function refill(): Promise<boolean> {
    making ??= makePipes(env).then((made) => {
      spare.push(...made);
      making = null;
      return made;
    });
    return (await making).length > 0;
  }

  return {
    async take() {
      while (spare.length === 0) if (!(await refill())) return null;
      return spare.pop() ?? null;
    },
    close() {
      for (const pipe of spare.splice(0)) closePipe(pipe);
    },
  };
}

export function closePipe(pipe: Pipe): void {
  closeSync(pipe.read);
  closeSync(pipe.write);
}

async function makePipes(env: Environment): Promise<readonly Pipe[]> {
  const pipes: Pipe[] = [];
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(env['TMPDIR'] ?? '/tmp', 'goalgraph-'));
    const paths = Array.from({ length: AT_ONCE }, (_, i) => join(folder ?? '', String(i)));
    await promisify(execFile)('mkfifo', paths, { env: { PATH: env['PATH'] ?? '/usr/bin:/bin' } });
    for (const path of paths) pipes.push(openPipe(path));
  } catch {
    // No mkfifo, no place for it, or no descriptors left: what was opened so far is still good.
  }
  // An open pipe needs its name no longer: nothing stays behind, however we end.
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
  return pipes;
}

function openPipe(path: string): Pipe {
  // Without O_NONBLOCK this would wait for a writer; the other end then finds its reader.
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { read, write: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    closeSync(read);
    throw error;
  }
}
