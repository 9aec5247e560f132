/** Why a text is no JSON, and where: what JSON.parse says differs between versions, and often lacks the place. */

export interface JsonFlaw {
  /** Offset into the text. */
  readonly at: number;
  /** What is wrong there and how to mend it. */
  readonly why: string;
}

type Wanted = 'value' | 'first item' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** The first flaw; null when the text is JSON. */
export function jsonFlaw(text: string): JsonFlaw | null {
  const open: string[] = [];
  let wanted = 'value' as Wanted;
  let at = 0;
  const closed = (): Wanted => (open.length === 0 ? 'nothing' : 'comma');
  for (;;) {
    while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at += 1;
    if (at >= text.length) {
      return wanted === 'nothing' ? null : { at, why: endsEarly(open) };
    }
    const char = text.charAt(at);
    if (char === '"' && wanted !== 'colon' && wanted !== 'comma' && wanted !== 'nothing') {
      const string = stringEnd(text, at);
      if ('why' in string) return string;
      at = string.end;
      wanted = wanted === 'key' || wanted === 'first key' ? 'colon' : closed();
    } else if (wanted === 'value' || wanted === 'first item') {
      if (char === '{' || char === '[') {
        open.push(char);
        wanted = char === '{' ? 'first key' : 'first item';
        at += 1;
      } else if (char === ']' && wanted === 'first item') {
        open.pop();
        wanted = closed();
        at += 1;
      } else {
        LITERAL.lastIndex = at;
        const literal = LITERAL.exec(text)?.[0];
        if (literal === undefined) return { at, why: unexpected(text, at, 'a value') };
        wanted = closed();
        at += literal.length;
      }
    } else if (wanted === 'colon' && char === ':') {
      wanted = 'value';
      at += 1;
    } else if (wanted === 'comma' && char === ',') {
      wanted = open.at(-1) === '{' ? 'key' : 'value';
      at += 1;
    } else if ((wanted === 'comma' || wanted === 'first key') && char === closing(open.at(-1))) {
      open.pop();
      wanted = closed();
      at += 1;
    } else {
      return { at, why: unexpected(text, at, inWords(wanted, open.at(-1))) };
    }
  }
}

function closing(bracket: string | undefined): string {
  return bracket === '{' ? '}' : ']';
}

function inWords(wanted: Wanted, bracket: string | undefined): string {
  if (wanted === 'comma') return `a comma or ${closing(bracket)}`;
  if (wanted === 'nothing') return 'nothing more after the closing bracket';
  return wanted === 'colon' ? 'a colon after the key' : 'a key in double quotes';
}

function endsEarly(open: readonly string[]): string {
  if (open.length === 0) return 'it is empty: give one JSON object';
  return `it ends in the middle, ${open.length} bracket${open.length > 1 ? 's' : ''} open: give all of it`;
}

function unexpected(text: string, at: number, wanted: string): string {
  const char = text.charAt(at);
  const before = text.slice(0, at).trimEnd();
  if ('}]'.includes(char) && before.endsWith(',')) {
    return `there is a comma before ${char}: remove the comma`;
  }
  if (char === "'") return 'there is a single quote: JSON wants double quotes';
  if (char === '/') return 'there is a comment or a stray slash: JSON has no comments, remove it';
  return `there is ${JSON.stringify(text.slice(at, at + 12))} where ${wanted} should be`;
}

function stringEnd(text: string, start: number): { readonly end: number } | JsonFlaw {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code))
      return { at: start, why: 'a text begins that is never closed (was it cut off?): give all of it' };
    if (code === 0x22) return { end: at + 1 };
    if (code === 0x0a || code === 0x0d) {
      return { at, why: 'there is a line break inside a text: write \\n, or close the text before it' };
    }
    if (code < 0x20) return { at, why: 'there is a control character inside a text: write it as \\u00XX' };
    if (code === 0x5c) {
      const escape = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))?.[0];
      if (escape === undefined) return { at, why: 'there is a backslash that escapes nothing: write \\\\' };
      at += escape.length;
    }
    at += 1;
  }
}
