/**
 * Tells a person who is not there: a command of theirs is run with what happened as JSON on its standard input. The
 * run goes on meanwhile, and what becomes of the command is no matter of the run's.
 */

import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { RunView } from '../contract/view.ts';
import type { Environment } from '../os/pipes.ts';
import { lastLines } from '../os/tail.ts';

export type NoticeEvent = 'paused' | 'complete' | 'failed' | 'stalled' | 'waiting' | 'resumed';

export interface Notice {
  readonly event: NoticeEvent;
  readonly run: string;
  readonly objective: string;
  readonly workspace: string;
  readonly status: RunView['status'];
  readonly why: RunView['why'];
  readonly detail: string | null;
  /** When it goes on by itself, in milliseconds since the epoch; null when it does not, or is going on. */
  readonly until: number | null;
  /** Cost in millionths of a dollar. Null for a run without models. */
  readonly spent: { readonly tokens: number; readonly cost: number } | null;
  /** Paths of the reports, once they are written. */
  readonly reports: readonly string[];
}

export interface Notifier {
  /** One at a time, in order. Returns at once. */
  send(notice: Notice): void;
  /** Resolves when all that were sent are over. */
  idle(): Promise<void>;
}

export interface NotifierOptions {
  /** For `/bin/sh`; null: nobody is told. */
  readonly command: string | null;
  readonly cwd: string;
  /** Without keys. */
  readonly env: Environment;
  /** Hears in a sentence what went wrong. */
  readonly complain: (line: string) => void;
  /** Milliseconds. */
  readonly timeout?: number;
}

const TIMEOUT = 30_000;

/** Bytes of its error output that are looked at. */
const MOST_WORDS = 4_096;

export function makeNotifier(options: NotifierOptions): Notifier {
  const { command, complain } = options;
  let last = Promise.resolve();
  return {
    send(notice) {
      if (command === null) return;
      last = last.then(async () => {
        const wrong = await runOnce(command, JSON.stringify(notice), options);
        if (wrong !== null) complain(`--notify (${notice.event}): ${wrong}`);
      });
    },
    idle: () => last,
  };
}

type Child = ChildProcessByStdio<Writable, null, Readable>;

/** Resolves to what went wrong, or to null. */
function runOnce(
  command: string,
  input: string,
  { cwd, env, timeout = TIMEOUT }: NotifierOptions,
): Promise<string | null> {
  return new Promise((resolve) => {
    // A group of its own: Ctrl-C is for the run, and whatever it starts can be ended with it.
    const child: Child = spawn('/bin/sh', ['-c', command], {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let words = Buffer.alloc(0);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child);
    }, timeout);
    const end = (wrong: string | null): void => {
      clearTimeout(timer);
      // What it has left running may hold the pipe open for ever.
      child.stderr.destroy();
      resolve(wrong);
    };
    child.stderr.on('data', (bytes: Buffer) => {
      words = Buffer.concat([words, bytes]).subarray(-MOST_WORDS);
    });
    child.once('error', ({ message }) => end(`it could not be started (${message})`));
    child.once('exit', (code, signal) => {
      if (late) end(`it was ended after ${timeout / 1_000} s`);
      else if (code === 0) end(null);
      else end(`it ended with ${code ?? signal ?? '?'}${said(words)}`);
    });
    // One that does not read is welcome to it.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${input}\n`);
  });
}

function said(words: Buffer): string {
  const line = lastLines(words).split('\n').at(-1) ?? '';
  return line === '' ? '' : `: ${line}`;
}

function endGroup({ pid }: Child): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
