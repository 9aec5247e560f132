/** The built command line as a process: started, listened to, signalled, awaited. */

import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { until } from './os.ts';

export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Finished {
  /** Null when a signal ended it. */
  readonly exit: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  /** For messages. */
  readonly name: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Waits until it has printed this, on either stream. */
  readonly says: (text: string) => Promise<void>;
  /** Calls back once for every whole line of stdout, from the first on. */
  readonly onLine: (call: (line: string) => void) => void;
  readonly ended: Promise<Finished>;
  readonly isOver: () => boolean;
}

export interface Launch {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number;
}

export function launch({ argv, cwd, env, uid }: Launch): Running {
  const [file = '', ...args] = argv;
  const child = execa(file, args, {
    cwd,
    env,
    extendEnv: false,
    reject: false,
    buffer: false,
    stdin: 'ignore',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  if (child.pid === undefined) throw new Error(`${argv.join(' ')} could not be started`);
  const out = gather(child.stdout);
  const err = gather(child.stderr);
  let over = false;
  const ended = child.then(({ exitCode, signal }) => {
    over = true;
    return { exit: exitCode ?? null, signal: signal ?? null, stdout: out.text(), stderr: err.text() };
  });
  const name = args.filter((arg) => arg !== MAIN).join(' ');
  return {
    pid: child.pid,
    name,
    stdout: out.text,
    stderr: err.text,
    kill: (signal) => void child.kill(signal),
    says: (text) =>
      until(`"${name}" says ${JSON.stringify(text)}`, () => {
        if (out.text().includes(text) || err.text().includes(text)) return true;
        if (over) throw new Error(`"${name}" ended without saying ${text}:\n${out.text()}${err.text()}`);
        return false;
      }),
    onLine: (call) => out.onLine(call),
    ended,
    isOver: () => over,
  };
}

function gather(stream: NodeJS.ReadableStream) {
  const decoder = new TextDecoder();
  let text = '';
  let told = 0;
  let call: ((line: string) => void) | null = null;
  const tell = () => {
    while (call !== null) {
      const end = text.indexOf('\n', told);
      if (end < 0) return;
      const line = text.slice(told, end);
      told = end + 1;
      call(line);
    }
  };
  stream.on('data', (chunk: Buffer) => {
    text += decoder.decode(chunk, { stream: true });
    tell();
  });
  return {
    text: () => text,
    onLine(next: (line: string) => void) {
      call = next;
      tell();
    },
  };
}
