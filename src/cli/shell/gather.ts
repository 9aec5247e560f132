/** Streams of text as whole lines, one speaker and the next: a secret that is cut in two would not be found. */

export type Mask = (text: string) => string;

export interface Lines<Who> {
  readonly say: (who: Who, line: string) => void;
  readonly add: (who: Who, text: string, mask: Mask) => void;
  /** What is left of a line that has not ended. */
  readonly flush: (who: Who, mask: Mask) => void;
  /** What came so far of a line does not count. */
  readonly drop: (who: Who) => void;
  readonly forget: () => void;
}

export function gather<Who>(keyOf: (who: Who) => string, say: Lines<Who>['say']): Lines<Who> {
  const begun = new Map<string, string>();
  const sayAll = (who: Who, text: string) => {
    for (const line of text.split('\n')) say(who, line);
  };
  return {
    say,
    add(who, text, mask) {
      const key = keyOf(who);
      const [whole, rest] = cut((begun.get(key) ?? '') + text);
      if (whole !== '') sayAll(who, mask(whole));
      begun.set(key, rest);
    },
    flush(who, mask) {
      const key = keyOf(who);
      const rest = begun.get(key) ?? '';
      if (rest !== '') sayAll(who, mask(rest));
      begun.delete(key);
    },
    drop: (who) => void begun.delete(keyOf(who)),
    forget: () => begun.clear(),
  };
}

/** A line that never ends is shown from time to time. */
const LONGEST = 8_000;

/** Lines that are over, and the one that is not. */
function cut(text: string): readonly [string, string] {
  const end = text.lastIndexOf('\n');
  if (end < 0 && text.length > LONGEST) return [text, ''];
  return end < 0 ? ['', text] : [text.slice(0, end), text.slice(end + 1)];
}
