/** One node where it is named: id, brackets, class, data. */

import { ok } from '../contract/fault.ts';
import { blanksFrom, failAt, isBlank, type Cursor, type Read } from './mermaid-cursor.ts';
import { readData } from './mermaid-data.ts';
import { idEnd, isReserved, reservedMessage } from './mermaid-id.ts';
import { readShape } from './mermaid-shape.ts';

export interface NamedNode {
  readonly id: string;
  /** One for each place that gives one: brackets, data. */
  readonly labels: readonly string[];
  /** Where the id stands. */
  readonly from: number;
}

export function readNode(cursor: Cursor): Read<NamedNode> {
  const { text, at: from } = cursor;
  const end = idEnd(text, from);
  if (end === from) return failAt(cursor, from, missingNode(text, from));
  const id = text.slice(from, end);
  if (isReserved(id)) return failAt(cursor, from, reservedMessage(id));
  const glued = gluedSign(text, end);
  if (glued !== null) return failAt(cursor, end, glued);
  cursor.at = end;
  const labels: string[] = [];
  const bracket = blanksFrom(text, end);
  if ('[({'.includes(text[bracket] ?? ' ') || text[end] === '>') {
    cursor.at = text[end] === '>' ? end : bracket;
    const label = readShape(cursor);
    if (!label.ok) return label;
    labels.push(label.value);
  }
  const rest = readTrimmings(cursor, labels);
  return rest.ok ? ok({ id, labels, from }) : rest;
}

/** `:::class` and `@{ … }`, in any order. */
function readTrimmings(cursor: Cursor, labels: string[]): Read<null> {
  const { text } = cursor;
  for (;;) {
    const at = blanksFrom(text, cursor.at);
    if (text.startsWith(':::', at)) {
      cursor.at = idEnd(text, at + 3);
      if (cursor.at === at + 3)
        return failAt(cursor, at, 'The name of a class must follow the three colons.');
      const glued = gluedSign(text, cursor.at);
      if (glued !== null) return failAt(cursor, cursor.at, glued);
    } else if (text.startsWith('@{', at)) {
      cursor.at = at;
      const label = readData(cursor);
      if (!label.ok) return label;
      if (label.value !== null) labels.push(label.value);
    } else return ok(null);
  }
}

/** The language takes these for a part of the id; whoever writes them rarely does. */
function gluedSign(text: string, at: number): string | null {
  if (text[at] === '&' && !isBlank(text[at + 1]))
    return 'Put blanks around the & if two nodes are meant; it cannot be part of a name.';
  if (text[at] === '.') return 'A dot cannot end an id. Put a blank before it if it begins an arrow.';
  if (text[at] === ',') return 'Nodes are joined with & and not with a comma.';
  if (text[at] === ':' && text[at + 1] !== ':')
    return 'A colon cannot be part of an id. A label stands in brackets, as in A[Text], and that of an arrow as in -->|text|.';
  return null;
}

function missingNode(text: string, at: number): string {
  const char = text[at];
  if (char === undefined || char === ';' || char === '\n' || char === '\r') return 'A node must stand here.';
  if ('-=.<~|'.includes(char)) return 'A node must stand here, before the arrow.';
  if (char === '[' || char === '(' || char === '{')
    return 'An id must stand before the bracket, as in A[Text].';
  return isBlank(char)
    ? 'A node must stand here.'
    : `The id of a node must stand here, and cannot begin with ${JSON.stringify(char)}.`;
}
