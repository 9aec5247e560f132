/** Ids of nodes, and the words that cannot be one. */

/**
 * Letters, digits and `_` of any script; inside it, also `-` and `.` and the few signs that mean nothing else. Narrower
 * than the language: `a:b`, `a,b` and `a&b` would be one node there, and rarely mean that to who wrote them.
 */
export function idEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const letter = letterAt(text, at);
    if (letter > 0) at += letter;
    else if (at > from && isInner(text, at)) at += 1;
    else return at;
  }
}

/** How many units the letter here takes, 0 if there is none. */
export function letterAt(text: string, at: number): number {
  const point = text.codePointAt(at);
  if (point === undefined) return 0;
  if (point < 128) return isAsciiLetter(point) ? 1 : 0;
  return /^[\p{L}\p{N}\p{M}]$/u.test(String.fromCodePoint(point)) ? (point > 0xffff ? 2 : 1) : 0;
}

function isAsciiLetter(point: number): boolean {
  return (
    (point >= 97 && point <= 122) ||
    (point >= 65 && point <= 90) ||
    (point >= 48 && point <= 57) ||
    point === 95
  );
}

/** A dash or a dot needs a letter after it, or it would eat into an arrow. */
function isInner(text: string, at: number): boolean {
  switch (text[at]) {
    case '-':
    case '.':
    case '/':
    case '+':
    case '$':
      return letterAt(text, at + 1) > 0;
    case '!':
    case '?':
      return true;
    default:
      return false;
  }
}

const RESERVED: ReadonlySet<string> = new Set([
  'graph',
  'flowchart',
  'flowchart-elk',
  'subgraph',
  'end',
  'class',
  'classDef',
  'style',
  'linkStyle',
  'click',
]);

/** As they are written here; `End` and `STYLE` are ids like any other. */
export function isReserved(id: string): boolean {
  return RESERVED.has(id);
}

export function reservedMessage(id: string): string {
  return `"${id}" is a word of the language and cannot be the id of a node. Choose another id, such as "${id}_".`;
}
