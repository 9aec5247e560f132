/** Where the command line writes. A reader that has gone away is no reason to stop a run: what follows is dropped. */

import picocolors from 'picocolors';
import type { Palette, Screen } from './render/screen.ts';

export interface Output {
  /** One line, or several, of results. */
  readonly out: (text: string) => void;
  /** One line, or several, for the person: warnings, faults, hints. */
  readonly err: (text: string) => void;
  /** Writes as it is: for the live area, and for bytes that a program reads. */
  readonly write: (text: string | Uint8Array) => void;
  readonly palette: Palette;
  /** Infinity when the output is no terminal: nothing is cut then. */
  readonly columns: () => number;
  readonly rows: () => number;
  /** True when the terminal cannot be trusted with more than ASCII. */
  readonly ascii: boolean;
  readonly isTerminal: boolean;
  /** Whether a narrower window wraps what is on the screen, as most terminals do. */
  readonly reflows: boolean;
}

export function processOutput(streams: { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }): Output {
  const { stdout, stderr } = streams;
  const write = writer(stdout);
  const writeErr = writer(stderr);
  return {
    out: (text) => write(`${text}\n`),
    err: (text) => writeErr(`${text}\n`),
    write,
    palette: picocolors.createColors(wantsColor(stdout)),
    // A terminal that nobody has given a size says 0.
    columns: () => (stdout.isTTY ? stdout.columns || 80 : Infinity),
    rows: () => (stdout.isTTY ? stdout.rows || 24 : 24),
    ascii: stdout.isTTY && !speaksUtf8(),
    isTerminal: stdout.isTTY,
    reflows: !/^(xterm$|screen)/.test(process.env.TERM ?? ''),
  };
}

function writer(stream: NodeJS.WriteStream): Output['write'] {
  let open = true;
  stream.on('error', () => (open = false));
  return (text) => {
    if (open) stream.write(text);
  };
}

function wantsColor(stdout: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  return Boolean(FORCE_COLOR) || (stdout.isTTY && TERM !== 'dumb');
}

function speaksUtf8(): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  const locale = LC_ALL || LC_CTYPE || LANG;
  // Unset says nothing: most terminals of today are UTF-8. `C` and `POSIX` say ASCII.
  return !locale || /utf-?8/i.test(locale);
}

export function screenOf({ columns, palette, ascii }: Output): Screen {
  return { columns: columns(), now: Date.now(), palette, ascii };
}
