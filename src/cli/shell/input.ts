/**
 * What a terminal sends, made fit for readline: it takes keys one by one, each a look at the whole line, so that a paste of
 * a megabyte would hang it. Runs of text go in as one piece; a pasted text stays one line; what is too long is cut.
 */

import { StringDecoder } from 'node:string_decoder';
import { MAX_LINE } from './parse.ts';

export const PASTE_ON = '\x1b[?2004h';
export const PASTE_OFF = '\x1b[?2004l';

const PASTE_BEGINS = '\x1b[200~';
const PASTE_ENDS = '\x1b[201~';

/** Keys come in small pieces; what is larger was not typed. */
const MOST_KEYS = 256;

export interface Typed {
  /** Puts text where the cursor is, as it is. */
  readonly insert: (text: string) => void;
  /** Keys, one or a few: arrows, Enter, letters. */
  readonly keys: (text: string) => void;
  /** Characters in the line now. */
  readonly length: () => number;
}

export function terminalInput(typed: Typed): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let pasting = false;
  let held = '';

  const insert = (text: string) => {
    // One more than fits, so that the line is refused and not silently shortened.
    const room = Math.max(0, MAX_LINE + 1 - typed.length());
    if (room > 0 && text !== '') typed.insert(text.slice(0, room));
  };
  const keys = (text: string) => {
    const hasEscape = text.includes('\x1b');
    if (hasEscape && text.length <= MOST_KEYS) {
      typed.keys(text);
      return;
    }
    // An escape sequence of this length is no key.
    for (const [part] of text.replaceAll('\x1b', '\u241b').matchAll(/[^\p{Cc}]+|\p{Cc}/gu)) {
      if (/^\p{Cc}$/u.test(part) || part.length === 1) typed.keys(part);
      else insert(part);
    }
  };
  const take = (text: string): void => {
    for (let rest = text; rest !== '';) {
      const mark = pasting ? PASTE_ENDS : PASTE_BEGINS;
      const at = rest.indexOf(mark);
      const part = at < 0 ? rest : rest.slice(0, at);
      if (pasting) insert(part.replace(/\r\n|[\r\n\t]/g, ' '));
      else if (part !== '') keys(part);
      if (at < 0) return;
      pasting = !pasting;
      rest = rest.slice(at + mark.length);
    }
  };

  return (bytes) => {
    const text = held + decoder.write(bytes);
    // A mark that is cut in two waits for its other half; no key of its own looks like the half.
    held = /\x1b\[20?[01]?$/.exec(text)?.[0] ?? '';
    take(held === '' ? text : text.slice(0, -held.length));
  };
}
