/**
 * Private keys in PEM form, whole, or with one end cut off. What stands at a marker and does not look like a key stays:
 * a command between two markers must not be hidden from whoever reads what was done.
 */

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;

/** Longer than any key, so that a marker in prose does not swallow the log after it. */
const LONGEST_KEY = 32_000;

/**
 * What can stand between the two: base64, and headers such as `DEK-Info: AES-256-CBC,0A1B`; never another marker.
 * The counts in these patterns are there because an endless repetition of a group runs out of stack.
 */
const KEY_BODY = /(?:[\w+/=\s\\:,.]|-(?!----)){0,33000}/y;

/** Lines of what may be a key: base64, broken by line breaks or by the two characters that stand for one in JSON. */
const KEY_LINES = /(?:(?:\s|\\[nr]){1,8}[A-Za-z0-9+/=]{16,20000}){0,1000}/y;

export function maskPrivateKeys(text: string, mask: string): string {
  const ends = new Map([...text.matchAll(END)].map((m) => [m.index, m.index + m[0].length]));
  const spans: Span[] = [];
  for (const begin of text.matchAll(BEGIN)) {
    const body = begin.index + begin[0].length;
    const bodyEnd = endOf(KEY_BODY, text, body);
    const whole = bodyEnd - body <= LONGEST_KEY ? ends.get(bodyEnd) : undefined;
    const isWhole = whole !== undefined && isKey(text.slice(body, bodyEnd));
    spans.push({ from: begin.index, to: isWhole ? whole : endOfLines(text, body) });
  }
  for (const [from, to] of ends) spans.push({ from: startOfLines(text, from), to });
  return replaceSpans(text, spans, mask);
}

/** Where the run that the pattern describes ends; a pattern that may be empty always matches. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return Math.max(from, pattern.lastIndex);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** For a key whose end is missing: where its lines end. */
function endOfLines(text: string, from: number): number {
  return from + keyAhead(pieces(text.slice(from, endOf(KEY_LINES, text, from))));
}

/** For a key whose beginning is missing. */
function startOfLines(text: string, end: number): number {
  let from = end;
  while (from > 0 && end - from < LONGEST_KEY && /[A-Za-z0-9+/=\r\n\\]/.test(text.charAt(from - 1))) from--;
  const back = [...pieces(text.slice(from, end))].reverse();
  // Something else stands at the beginning of the first line, unless the text begins with it.
  return end - keyAhead(from > 0 ? back.slice(0, -1) : back);
}

/** Breaks of lines, also those of JSON, and with the backslash that lets a line go on. */
const BREAK = /((?:[\r\n]|\\{1,8}[nr]|\\(?=[\r\n])){1,8})/;

/** Lines, and what breaks them between them. */
function pieces(text: string): readonly string[] {
  return text.split(BREAK);
}

function linesOf(pieces: readonly string[]): readonly string[] {
  return pieces.filter((_, i) => i % 2 === 0);
}

/** How long the key is that these begin with; 0 when they do not. */
function keyAhead(pieces: readonly string[]): number {
  const stop = pieces.findIndex((piece, i) => i % 2 === 0 && !isKeyLine(piece));
  const run = stop < 0 ? pieces : pieces.slice(0, stop);
  return isLong(linesOf(run)) ? run.join('').length : 0;
}

/** Stand above the lines of some keys. */
const HEADER = /^\s*(?:Proc-Type|DEK-Info|Key-Info|Version|Comment|Charset|Hash):\s/;

function isKey(body: string): boolean {
  const lines = linesOf(pieces(body));
  const first = lines.findIndex((line) => line.trim() !== '' && !HEADER.test(line));
  const key = first < 0 ? [] : lines.slice(first);
  return key.every(isKeyLine) && isLong(key);
}

const LONG_LINE = 40;
const LONG_KEY = 64;

function isLong(lines: readonly string[]): boolean {
  const words = lines.flatMap(wordsOf);
  return words.some(({ length }) => length >= LONG_LINE) || words.join('').length >= LONG_KEY;
}

/** With `=` in front: the sum below a key of PGP. In the middle of a line it is no base64: `PATH=/a`. */
const BASE64 = /^\+?=?[A-Za-z0-9+/]{1,40000}={0,2}$/;

/** Base64 without a blank, but for those that took the place of breaks. */
function isKeyLine(line: string): boolean {
  const words = wordsOf(line);
  const ahead = words.slice(0, -1);
  return ahead.every(({ length }) => length >= LONG_LINE) && words.every((word) => BASE64.test(word));
}

/** Some JSON has a backslash before a slash. */
function wordsOf(line: string): readonly string[] {
  const text = line.replaceAll('\\/', '/').trim();
  return text === '' ? [] : text.split(/\s+/);
}

function replaceSpans(text: string, spans: readonly Span[], mask: string): string {
  let result = '';
  let at = 0;
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    result += text.slice(at, Math.max(at, span.from));
    if (span.from >= at) result += mask;
    at = Math.max(at, span.to);
  }
  return result + text.slice(at);
}
