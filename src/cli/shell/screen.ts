/** Where the shell shows things: lines that stay, a live area that is painted anew, and on a terminal the prompt under it. */

import type { Output } from '../output.ts';

export interface ShellScreen {
  /** For commands: what they print becomes lines that stay. */
  readonly output: Output;
  /** A line, or several, that stay. Plain already, but for our own colours. */
  readonly print: (text: string) => void;
  /** What stands above the prompt from now on, for so many rows; null for nothing. */
  readonly live: (lines: ((rows: number) => readonly string[]) | null) => void;
  /** Something in the live area has changed. */
  readonly changed: () => void;
  /** False where lines are read from something that is no terminal. */
  readonly hasPrompt: boolean;
  readonly close: () => void;
}

/** Without a prompt: what is printed is printed. */
export function plainScreen(output: Output): ShellScreen {
  return {
    output: { ...output, out: (text) => output.out(spoken(text)), err: (text) => output.err(spoken(text)) },
    print: output.out,
    live: () => undefined,
    changed: () => undefined,
    hasPrompt: false,
    close: () => undefined,
  };
}

/** Commands speak of themselves as they are typed outside; here they are typed like this. */
export function spoken(text: string): string {
  return text
    .replace(/\bgoalgraph (status|show|pause|resume|approve|edit|retry|skip|clear)\b/g, '/graph $1')
    .replace(/\bgoalgraph (runs|log|diff|doctor|report)\b/g, '/$1')
    .replace(/\bgoalgraph run FILE\b/g, '/graph OBJECTIVE');
}
