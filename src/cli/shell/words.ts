/** A line as words: what stands in quotes is one word, as it is; a quote inside of a word is a letter (`don't`). */

export interface Word {
  readonly text: string;
  /** Quoted words are never options or keywords. */
  readonly quoted: boolean;
}

const WORD = /"((?:[^"\\]|\\["\\])*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)/gs;

export function wordsOf(line: string): readonly Word[] {
  return [...line.matchAll(WORD)].map(([, double, single, bare]) => {
    if (double !== undefined) return { text: double.replace(/\\(["\\])/g, '$1'), quoted: true };
    return single === undefined ? { text: bare ?? '', quoted: false } : { text: single, quoted: true };
  });
}
