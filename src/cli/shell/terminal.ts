/** The shell on a terminal: a line that is edited, under a live area, under what stays. */

import type { Output } from '../output.ts';
import { openEditor, type EditorOptions } from './editor.ts';
import { PASTE_OFF, PASTE_ON } from './input.ts';
import { makePainter } from './painter.ts';
import { spoken, type ShellScreen } from './screen.ts';

export interface TerminalOptions extends Pick<
  EditorOptions,
  'stdin' | 'history' | 'complete' | 'onLine' | 'onInterrupt' | 'onEnd'
> {
  readonly output: Output;
}

export function terminalScreen(options: TerminalOptions): ShellScreen {
  const { output } = options;
  let closed = false;
  const painter = makePainter(output, { line: () => editor.line(), cursor: () => editor.cursor() });
  const hide = () => {
    painter.hide();
    output.write(PASTE_OFF);
  };
  const editor = openEditor({
    ...options,
    onLine(line) {
      // The line is empty by now, and must not be seen under what follows.
      painter.paint();
      options.onLine(line);
    },
    onChoices: (lines) => painter.print(lines.map(lastWord).join('  ')),
    onSleep: hide,
    onWake() {
      output.write(PASTE_ON);
      painter.soon(0);
    },
    onWipe: painter.wipe,
    changed: () => painter.soon(0),
  });
  const resized = () => painter.soon(0);
  process.stdout.on('resize', resized);
  // Whatever ends the process, the terminal is given back as it was.
  process.on('exit', hide);
  output.write(PASTE_ON);
  painter.paint();
  return {
    output: screenOutput(output, painter.print),
    print: painter.print,
    live: painter.live,
    changed: () => painter.soon(),
    hasPrompt: true,
    close() {
      if (closed) return;
      closed = true;
      process.stdout.off('resize', resized);
      process.off('exit', hide);
      editor.close();
      painter.stop();
      output.write(PASTE_OFF);
    },
  };
}

/** What commands print: lines that stay, in the words of the shell. */
function screenOutput(output: Output, print: (text: string) => void): Output {
  return {
    ...output,
    out: (text) => print(spoken(text)),
    err: (text) => print(spoken(text)),
    write: (text) => print(typeof text === 'string' ? text : Buffer.from(text).toString('utf8')),
  };
}

function lastWord(line: string): string {
  return line.slice(line.lastIndexOf(' ') + 1);
}
