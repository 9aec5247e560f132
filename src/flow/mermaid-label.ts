/** What a label says, from how it is written. */

import { isBlank, isBreak } from './mermaid-cursor.ts';

/** `<br>` becomes an end of line, codes of characters those characters, and blanks around ends of lines go. */
export function readLabel(written: string): string {
  return tidyLines(decode(written));
}

/** The text between double quotes; if it stands in backticks as well it is Markdown, and they are not part of it. */
export function readQuotedLabel(written: string): string {
  const inner = written.slice(1, -1);
  const markdown =
    written.length > 1 && written.startsWith('`') && written.endsWith('`') && !inner.includes('`');
  return readLabel(markdown ? inner : written);
}

/** One pass, so that nothing that was decoded is decoded again. */
function decode(written: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < written.length; at += 1) {
    const code = codeAt(written, at);
    if (code === null) continue;
    parts.push(written.slice(kept, at), code.says);
    kept = code.end;
    at = code.end - 1;
  }
  parts.push(written.slice(kept));
  return parts.join('');
}

interface Code {
  readonly says: string;
  readonly end: number;
}

function codeAt(text: string, at: number): Code | null {
  switch (text[at]) {
    case '<':
      return breakAt(text, at);
    case '#':
      return entityAt(text, at + 1, text[at + 1] !== '#');
    case '&':
      return text[at + 1] === '#' ? entityAt(text, at + 2, true) : entityAt(text, at + 1, false);
    default:
      return null;
  }
}

/** `<br>`, `<br/>`, `<BR />` and `</br>`. */
function breakAt(text: string, from: number): Code | null {
  let at = text[from + 1] === '/' ? from + 2 : from + 1;
  if (text.slice(at, at + 2).toLowerCase() !== 'br') return null;
  at += 2;
  while (isBlank(text[at]) || isBreak(text[at])) at += 1;
  if (text[at] === '/') at += 1;
  return text[at] === '>' ? { says: '\n', end: at + 1 } : null;
}

const LONGEST_NAME = 10;

/** `#quot;` and `#35;` are the language's own; `&quot;`, `&#35;` and `&#x23;` look the same when it is drawn. */
function entityAt(text: string, from: number, numbers: boolean): Code | null {
  let at = from;
  while (at - from < LONGEST_NAME && /[A-Za-z0-9]/.test(text[at] ?? '')) at += 1;
  if (at === from || text[at] !== ';') return null;
  const name = text.slice(from, at);
  const says = NAMED.get(name) ?? (numbers ? numbered(name) : null);
  return says === null ? null : { says, end: at + 1 };
}

const HIGHEST = 0x10ffff;

function numbered(name: string): string | null {
  const hex = /^x[0-9a-f]+$/i.test(name);
  if (!hex && !/^[0-9]+$/.test(name)) return null;
  const point = hex ? Number.parseInt(name.slice(1), 16) : Number(name);
  const surrogate = point >= 0xd800 && point <= 0xdfff;
  return point === 0 || point > HIGHEST || surrogate ? null : String.fromCodePoint(point);
}

/** The names that charts use: all of ASCII that has one, and some signs. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
  ['semi', ';'],
  ['colon', ':'],
  ['comma', ','],
  ['period', '.'],
  ['excl', '!'],
  ['quest', '?'],
  ['num', '#'],
  ['dollar', '$'],
  ['percnt', '%'],
  ['lpar', '('],
  ['rpar', ')'],
  ['lsqb', '['],
  ['lbrack', '['],
  ['rsqb', ']'],
  ['rbrack', ']'],
  ['lcub', '{'],
  ['lbrace', '{'],
  ['rcub', '}'],
  ['rbrace', '}'],
  ['ast', '*'],
  ['plus', '+'],
  ['equals', '='],
  ['sol', '/'],
  ['bsol', '\\'],
  ['verbar', '|'],
  ['vert', '|'],
  ['lowbar', '_'],
  ['grave', '`'],
  ['commat', '@'],
  ['Hat', '^'],
  ['hellip', '…'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['larr', '←'],
  ['rarr', '→'],
  ['uarr', '↑'],
  ['darr', '↓'],
  ['times', '×'],
  ['le', '≤'],
  ['ge', '≥'],
  ['ne', '≠'],
  ['infin', '∞'],
  ['deg', '°'],
  ['hearts', '♥'],
  ['check', '✓'],
  ['cross', '✗'],
]);

/** Indentation belongs to the chart, not to what it says. */
function tidyLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}
