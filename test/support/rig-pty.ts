/** A command in a pseudo-terminal, and the screen that a person would see. */

import { spawn } from 'node-pty';
import { until } from './os.ts';
import { terminal, type Terminal } from './terminal.ts';

export interface Typist {
  readonly pid: number;
  readonly type: (keys: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** What stands on the screen, from the first line of ours on. */
  readonly screen: Terminal;
  /** Everything that came, as it came. */
  readonly raw: () => string;
  /** Waits until this can be seen. */
  readonly sees: (text: string) => Promise<void>;
  /** Waits until the live area has been painted anew, twice: what was on its way before is then through. */
  readonly repainted: () => Promise<void>;
  readonly ended: Promise<{ readonly exit: number; readonly signal: number }>;
}

export interface InTerminal {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
  /** From where on the screen is ours; unless given, from the first event of a run. */
  readonly from?: RegExp;
}

/** What npm prints before it hands over may hold controls that are npm's own. */
const FIRST_OF_OURS = /\d\d:\d\d:\d\d run \d{8}-/;

/** Comes once with every painting of the live area. */
const WRAP_ON = '\x1b[?7h';

export function inTerminal({ argv, cwd, env, columns, rows, from = FIRST_OF_OURS }: InTerminal): Typist {
  const [file = '', ...args] = argv;
  const pty = spawn(file, args, { cols: columns, rows, cwd, env: { ...env, TERM: 'xterm-256color' } });
  const screen = terminal({ columns, rows, reflows: true });
  let raw = '';
  let shown = -1;
  pty.onData((text) => {
    raw += text;
    if (shown < 0) shown = from.exec(raw)?.index ?? -1;
    // A control that is cut in two waits for its other half.
    const whole = raw.length - (/\x1b(\[[?\d;]*)?$/.exec(raw)?.[0].length ?? 0);
    if (shown < 0 || whole <= shown) return;
    screen.write(raw.slice(shown, whole));
    shown = whole;
  });
  return {
    pid: pty.pid,
    type: (keys) => pty.write(keys),
    resize: (toColumns, toRows) => {
      screen.resize(toColumns, toRows);
      pty.resize(toColumns, toRows);
    },
    screen,
    raw: () => raw,
    sees: (text) =>
      until(`the screen shows ${text}; it is:\n${raw}`, () => screen.text().join('\n').includes(text)),
    async repainted() {
      const from = raw.length;
      await until('the live area is painted', () => raw.slice(from).split(WRAP_ON).length > 2);
    },
    ended: new Promise((resolve) => {
      pty.onExit(({ exitCode, signal }) => resolve({ exit: exitCode, signal: signal ?? 0 }));
    }),
  };
}
