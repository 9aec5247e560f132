/** Private keys in PEM form, whole, or with one end cut off. */

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;

/** Longer than any key, so that a marker in prose does not swallow the log after it. */
const LONGEST_KEY = 32_000;

/**
 * What can stand between the two: base64, and headers such as `DEK-Info: AES-256-CBC,0A1B`; never another marker.
 * The counts in these patterns are there because an endless repetition of a group runs out of stack.
 */
const KEY_BODY = /(?:[\w+/=\s\\:,.]|-(?!----)){0,33000}/y;

/** Lines of a key: base64, broken by line breaks or by the two characters that stand for one in JSON. */
const KEY_LINES = /(?:(?:\s|\\[nr]){1,8}[A-Za-z0-9+/=]{16,20000}){0,1000}/y;

export function maskPrivateKeys(text: string, mask: string): string {
  const ends = new Map([...text.matchAll(END)].map((m) => [m.index, m.index + m[0].length]));
  const spans: Span[] = [];
  for (const begin of text.matchAll(BEGIN)) {
    const body = begin.index + begin[0].length;
    const bodyEnd = endOf(KEY_BODY, text, body);
    const whole = bodyEnd - body <= LONGEST_KEY ? ends.get(bodyEnd) : undefined;
    spans.push({ from: begin.index, to: whole ?? endOf(KEY_LINES, text, body) });
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

/** For a key whose beginning is missing. */
function startOfLines(text: string, end: number): number {
  let from = end;
  while (from > 0 && end - from < LONGEST_KEY && /[A-Za-z0-9+/=\r\n\\]/.test(text.charAt(from - 1))) from--;
  return from;
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
