/** Block strings of a D2 chart: `|md … |`, `||md … ||` and their like. Nothing is escaped in them. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { faultAt, isBlank, isLetter, lineEnd, startsComment, trimBlanks, type Source } from './d2-text.ts';

/** A longer fence is nobody's; and searching for it could take long. */
const LONGEST_FENCE = 16;

/** Reads from the bar that opens the block to behind the one that closes it. */
export function readBlock(source: Source): Result<string, FlowParseFault> {
  const { text, next: opened } = source;
  const fence = readFence(text, opened);
  if (fence === null) {
    const message = `The bars that open a block are one "|" and up to ${LONGEST_FENCE} equal marks, as in |md, ||md or |\`md.`;
    return fail(faultAt(source, opened, message));
  }
  let from = opened + 1 + fence.length;
  while (isTag(text, from)) from += 1;
  if (from < text.length && text[from] !== '\n' && !isBlank(text[from])) {
    return fail(
      faultAt(
        source,
        opened,
        'A blank or a new line must follow the language of a block, as in "|md text |".',
      ),
    );
  }
  while (isBlank(text[from])) from += 1;
  const firstEnd = lineEnd(source, from);
  const close = findClose(source, { from, firstEnd, end: fence === '' ? '|' : `${fence}|`, opened });
  if (!close.ok) return close;
  source.next = close.value + fence.length + 1;
  const inside = { from, firstEnd, close: close.value };
  return ok(contentOf(source, inside));
}

function readFence(text: string, opened: number): string | null {
  const mark = text[opened + 1] ?? '';
  let end = opened + 1;
  while (end < text.length && end <= opened + 1 + LONGEST_FENCE && isFence(text, end)) end += 1;
  const fence = text.slice(opened + 1, end);
  const allEqual = fence === mark.repeat(fence.length);
  return allEqual && fence.length <= LONGEST_FENCE ? fence : null;
}

function isFence(text: string, at: number): boolean {
  const character = text[at] ?? '';
  return character !== '\n' && character !== '_' && !isBlank(character) && !isLetter(character);
}

function isTag(text: string, at: number): boolean {
  const character = text[at];
  return character !== undefined && (isLetter(character) || '_-+.'.includes(character));
}

interface Open {
  /** Offset of the first character that can belong to the text. */
  readonly from: number;
  /** Where the line ends on which the block was opened. */
  readonly firstEnd: number;
  readonly end: string;
  readonly opened: number;
}

function findClose(source: Source, open: Open): Result<number, FlowParseFault> {
  const { text } = source;
  const { from, firstEnd, end, opened } = open;
  const unclosed = faultAt(
    source,
    opened,
    `The block that begins here is not closed. Close it with "${end}".`,
  );
  if (end !== '|') {
    const found = text.indexOf(end, from);
    return found < 0 ? fail(unclosed) : ok(found);
  }
  for (let at = text.indexOf('|', from); at >= 0;) {
    // Whatever follows the bar on the line of the opener is refused later: there it cannot be meant as text.
    if (at < firstEnd || endsValue(source, at + 1)) return ok(at);
    if (opensAnother(source, at)) return fail(unclosed);
    const lineEndsAt = text.indexOf('\n', at);
    at = lineEndsAt < 0 ? -1 : text.indexOf('|', lineEndsAt);
  }
  return fail(unclosed);
}

/** A bar within a line, as in a table, is text; one with nothing behind it is the end. */
function endsValue({ text }: Source, from: number): boolean {
  let at = from;
  while (isBlank(text[at])) at += 1;
  const character = text[at];
  return character === undefined || '\n;{}#'.includes(character);
}

/** `: |md` within a block says that the end of this one was forgotten, and that it would swallow the next. */
function opensAnother({ text }: Source, bar: number): boolean {
  let at = bar - 1;
  while (isBlank(text[at])) at -= 1;
  const after = text[bar + 1] ?? '';
  return text[at] === ':' && (after === '|' || after === '`' || isLetter(after));
}

interface Inside {
  readonly from: number;
  readonly firstEnd: number;
  readonly close: number;
}

function contentOf(source: Source, { from, firstEnd, close }: Inside): string {
  const { text } = source;
  if (close <= firstEnd) return trimBlanks(text.slice(from, close));
  const lines = text.slice(firstEnd + 1, close).split('\n');
  const last = lines.pop() ?? '';
  const end = endOfText(last);
  if (end > 0) lines.push(last.slice(0, end));
  const rest = dedented(lines);
  // A comment may stand behind the opener; a first line of the text may, too.
  if (from === firstEnd || startsComment(source, from)) return rest.join('\n');
  return [trimBlanks(text.slice(from, firstEnd)), ...rest].join('\n');
}

function endOfText(line: string): number {
  let end = line.length;
  while (end > 0 && isBlank(line[end - 1])) end -= 1;
  return end;
}

function dedented(lines: readonly string[]): readonly string[] {
  let least = Infinity;
  for (const line of lines) {
    const indent = indentOf(line);
    if (indent < line.length) least = Math.min(least, indent);
  }
  return lines.map((line) => line.slice(Math.min(least, indentOf(line))));
}

function indentOf(line: string): number {
  let indent = 0;
  while (indent < line.length && isBlank(line[indent])) indent += 1;
  return indent;
}
