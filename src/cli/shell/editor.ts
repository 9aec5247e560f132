/** The line that is typed. readline edits it and is never seen: it writes into nothing, and each write is news to paint. */

import { PassThrough, Writable } from 'node:stream';
import { createInterface, type Interface } from 'node:readline';
import { terminalInput } from './input.ts';
import type { Typing } from './painter.ts';

export interface EditorOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly history: readonly string[];
  /** Whole lines that Tab offers for this one. */
  readonly complete: (line: string) => readonly string[];
  /** Several that Tab could mean. */
  readonly onChoices: (lines: readonly string[]) => void;
  readonly onLine: (line: string) => void;
  /** Ctrl-C; true when the line had something, which is gone now. */
  readonly onInterrupt: (hadText: boolean) => void;
  /** Ctrl-D on an empty line, or the terminal is gone. */
  readonly onEnd: () => void;
  /** Ctrl-Z: the process is stopped after this, and goes on with `onWake`. */
  readonly onSleep: () => void;
  readonly onWake: () => void;
  /** Ctrl-L. */
  readonly onWipe: () => void;
  readonly changed: () => void;
}

export interface Editor extends Typing {
  readonly close: () => void;
}

export function openEditor(options: EditorOptions): Editor {
  const { stdin } = options;
  const keys = new PassThrough();
  const lines = readline(options, keys);
  const take = terminalInput({
    insert: (text) => lines.write(text),
    // Sent on at once, in order with what is inserted.
    keys: (text) => keys.emit('data', Buffer.from(text)),
    length: () => lines.line.length,
  });
  stdin.setRawMode(true);
  stdin.on('data', take);
  stdin.on('end', options.onEnd);
  stdin.on('error', options.onEnd);
  return {
    line: () => lines.line,
    cursor: () => Math.min(lines.cursor, lines.line.length),
    close() {
      lines.off('close', options.onEnd);
      lines.close();
      stdin.off('data', take);
      stdin.off('end', options.onEnd);
      stdin.setRawMode(false);
      stdin.pause();
      stdin.unref();
    },
  };
}

function readline(options: EditorOptions, keys: PassThrough): Interface {
  const nothing = new Writable({
    write(_chunk, _encoding, done) {
      options.changed();
      done();
    },
  });
  const lines = createInterface({
    input: keys,
    output: nothing,
    terminal: true,
    prompt: '',
    history: [...options.history],
    historySize: 1_000,
    removeHistoryDuplicates: true,
    escapeCodeTimeout: 50,
    completer: (line: string) => [completed(line, options), line],
  });
  lines.on('line', options.onLine);
  lines.on('close', options.onEnd);
  lines.on('SIGINT', () => {
    const hadText = lines.line !== '';
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    options.onInterrupt(hadText);
  });
  lines.on('SIGTSTP', () => sleep(options));
  keys.on('keypress', (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    if (key?.ctrl === true && key.name === 'l') options.onWipe();
  });
  return lines;
}

/** What readline puts in: it would write the list of several below its prompt, so it is given what they share. */
function completed(line: string, { complete, onChoices }: EditorOptions): string[] {
  const found = complete(line);
  if (found.length <= 1) return found.map((one) => `${one} `);
  const common = shared(found);
  // Shown when Tab adds nothing any more.
  if (common.length <= line.length) onChoices(found);
  return [common];
}

function shared(texts: readonly string[]): string {
  const [first = '', ...rest] = texts;
  let length = first.length;
  for (const text of rest) {
    while (!text.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.slice(0, length);
}

/** Milliseconds in which a process that is told to stop has stopped. */
const AFTER_STOP = 50;

function sleep({ stdin, onSleep, onWake }: EditorOptions): void {
  onSleep();
  stdin.setRawMode(false);
  const wake = () => {
    stdin.setRawMode(true);
    onWake();
  };
  process.once('SIGCONT', wake);
  process.kill(process.pid, 'SIGTSTP');
  // Where nobody could wake it again, the system does not stop it.
  setTimeout(wake, AFTER_STOP);
}
