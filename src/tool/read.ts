import { z } from 'zod';
import { fail, ok } from '../contract/fault.ts';
import type { Tool } from '../contract/tool.ts';
import { defineTool } from './define.ts';
import { readInside } from './open-inside.ts';
import { shown } from './path-text.ts';
import { resolvePath } from './resolve.ts';
import type { Place } from './resolve.ts';
import { linesOf, plural, shortLine, textOf } from './text.ts';

const MOST_LINES = 2_000;
/** In characters, of what one call shows. */
const MOST_TEXT = 48_000;

const schema = z.strictObject({
  path: z.string().describe('File, relative to the root folder.'),
  offset: z.int().min(1).optional().describe('First line to show, counted from 1.'),
  limit: z.int().min(1).max(MOST_LINES).optional().describe(`Lines to show, at most ${MOST_LINES}.`),
});

export function readTool(place: Place): Tool {
  return defineTool({
    name: 'read',
    description:
      'Shows a text file, each line behind its number and a tab. Of a long file it shows the beginning and the end, and says how to get the rest.',
    schema,
    run: async ({ path, offset = 1, limit = MOST_LINES }) => {
      const file = await resolvePath(place, path, 'read');
      if (!file.ok) return file;
      const bytes = await readInside(place.root, file.value);
      if (!bytes.ok) return bytes;
      const text = textOf(bytes.value, path);
      if (!text.ok) return text;
      const lines = linesOf(text.value);
      if (offset > Math.max(1, lines.length)) {
        return fail({
          code: 'arguments',
          message: `${shown(path)} has ${plural(lines.length, 'line')} only.`,
        });
      }
      const forModel = show(lines, offset, limit);
      return ok({ forModel, forPerson: `read ${file.value.relative} (${plural(lines.length, 'line')})` });
    },
  });
}

function show(lines: readonly string[], offset: number, limit: number): string {
  if (lines.length === 0) return '[the file is empty]';
  const numbered = lines
    .slice(offset - 1, offset - 1 + limit)
    .map((line, i) => `${offset + i}\t${shortLine(line.replace(/\r$/, ''))}`);
  const last = offset + numbered.length - 1;
  const shownLines = headAndTail(numbered, offset);
  if (last < lines.length) {
    shownLines.push(`[lines ${last + 1} to ${lines.length} are not shown: read with offset ${last + 1}]`);
  }
  return shownLines.join('\n');
}

/** Two thirds of the room for the beginning: it says what the rest is. */
function headAndTail(lines: readonly string[], offset: number): string[] {
  const size = (line: string): number => line.length + 1;
  if (lines.reduce((sum, line) => sum + size(line), 0) <= MOST_TEXT) return [...lines];
  let head = 0;
  for (let room = (MOST_TEXT * 2) / 3; (room -= size(lines[head] ?? '')) >= 0;) head++;
  let tail = lines.length;
  for (let room = MOST_TEXT / 3; (room -= size(lines[tail - 1] ?? '')) >= 0;) tail--;
  const from = offset + head;
  const to = offset + tail - 1;
  const notice = `[lines ${from} to ${to} are left out: read with offset ${from} to see them]`;
  return [...lines.slice(0, head), notice, ...lines.slice(tail)];
}
