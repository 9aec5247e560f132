import { z } from 'zod';
import { fail, ok } from '../contract/fault.ts';
import type { Tool } from '../contract/tool.ts';
import { defineTool } from './define.ts';
import { writeInside } from './open-inside.ts';
import { shown } from './path-text.ts';
import { resolvePath } from './resolve.ts';
import type { Place } from './resolve.ts';
import { linesOf, plural } from './text.ts';

const schema = z.strictObject({
  path: z.string().describe('File, relative to the root folder. Folders on the way are made.'),
  content: z.string().max(4_000_000).describe('All that the file shall hold.'),
});

export function writeTool(place: Place): Tool {
  return defineTool({
    name: 'write',
    description: 'Makes a text file, or replaces one as a whole. To change a part of a file, use edit.',
    schema,
    run: async ({ path, content }) => {
      const file = await resolvePath(place, path, 'write');
      if (!file.ok) return file;
      if (file.value.kind === 'folder' || path.endsWith('/')) {
        return fail({ code: 'is_folder', message: `${shown(path)} is a folder. Name a file in it.` });
      }
      const written = await writeInside(place.root, file.value, content);
      if (!written.ok) return written;
      const did = file.value.kind === 'missing' ? 'made' : 'replaced';
      const lines = plural(linesOf(content).length, 'line');
      const { relative } = file.value;
      return ok({
        forModel: `${relative} is ${did} (${lines}).`,
        forPerson: `${did} ${relative} (${lines})`,
        changed: [relative],
      });
    },
  });
}
