import { z } from 'zod';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { Tool, ToolFault } from '../contract/tool.ts';
import { defineTool } from './define.ts';
import { findExact, findTolerant, lineAt, linesAlike, withLineEndsOf } from './match-text.ts';
import type { Found } from './match-text.ts';
import { readInside, writeInside } from './open-inside.ts';
import { shown } from './path-text.ts';
import { resolvePath } from './resolve.ts';
import type { Place } from './resolve.ts';
import { showDiff } from './show-diff.ts';
import { plural, textOf } from './text.ts';

const schema = z.strictObject({
  path: z.string().describe('File, relative to the root folder.'),
  old: z.string().min(1).max(1_000_000).describe('Text of the file to be replaced, without line numbers.'),
  new: z.string().max(4_000_000).describe('What shall stand in its place.'),
  all: z.boolean().optional().describe('Replace every place, not only one.'),
});

type Edit = z.output<typeof schema>;

export function editTool(place: Place): Tool {
  return defineTool({
    name: 'edit',
    description:
      'Replaces one stretch of text in a file; it must be unique unless `all` is set. Blanks that differ are forgiven when whole lines are given. Answers with the change.',
    schema,
    run: async (edit) => {
      const file = await resolvePath(place, edit.path, 'write');
      if (!file.ok) return file;
      const bytes = await readInside(place.root, file.value);
      if (!bytes.ok) return bytes;
      const text = textOf(bytes.value, edit.path);
      if (!text.ok) return text;
      const found = find(text.value, edit);
      if (!found.ok) return found;
      const after = replace(text.value, found.value);
      if (after === text.value) return fail(unchanged(edit));
      const written = await writeInside(place.root, file.value, after);
      if (!written.ok) return written;
      const { relative } = file.value;
      const places = plural(found.value.length, 'place');
      return ok({
        forModel: `${relative} is changed in ${places}.\n${showDiff(text.value, after)}`,
        forPerson: `changed ${relative} in ${places}`,
        changed: [relative],
      });
    },
  });
}

function find(text: string, edit: Edit): Result<readonly Found[], ToolFault> {
  const fitted = withLineEndsOf(text, edit.new);
  const exact = findExact(text, edit.old).map((span) => ({ ...span, text: fitted }));
  const found = exact.length > 0 ? exact : findTolerant(text, edit.old, edit.new);
  if (found.length === 0) return fail(noMatch(text, edit));
  if (found.length > 1 && edit.all !== true) return fail(ambiguous(text, edit, found));
  return ok(
    exact.length > 0 ? found : found.map((one) => ({ ...one, text: withLineEndsOf(text, one.text) })),
  );
}

function replace(text: string, found: readonly Found[]): string {
  let at = 0;
  let after = '';
  for (const one of found) {
    after += text.slice(at, one.from) + one.text;
    at = one.to;
  }
  return after + text.slice(at);
}

const MOST_NAMED = 10;

function ambiguous(text: string, edit: Edit, found: readonly Found[]): ToolFault {
  const lines = found.slice(0, MOST_NAMED).map(({ from }) => lineAt(text, from));
  const more = found.length > MOST_NAMED ? ' and more' : '';
  const message = `The text stands in ${shown(edit.path)} ${found.length} times, at lines ${lines.join(', ')}${more}. Nothing was changed. Give more of the lines around it, or set all.`;
  return { code: 'ambiguous', message };
}

function noMatch(text: string, edit: Edit): ToolFault {
  const alike = linesAlike(text, edit.old).slice(0, MOST_NAMED);
  const hint =
    alike.length === 0
      ? 'No line equals its first one. Read the file again.'
      : `Its first line stands at line ${alike.join(', ')}, but what follows differs. Read the file there again.`;
  const message = `The text does not stand in ${shown(edit.path)}. Nothing was changed. ${hint}`;
  return { code: 'no_match', message };
}

function unchanged(edit: Edit): ToolFault {
  return { code: 'unchanged', message: `Old and new text are the same: ${shown(edit.path)} is as it was.` };
}
