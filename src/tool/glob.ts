import { z } from 'zod';
import { ok } from '../contract/fault.ts';
import type { Tool } from '../contract/tool.ts';
import { defineTool } from './define.ts';
import { listed } from './listing.ts';
import type { Listing } from './listing.ts';
import { plural } from './text.ts';

const MOST_FILES = 500;

const schema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(500)
    .describe('Glob, like src/**/*.ts or *.{json,yml}. Without a slash it is about names at any depth.'),
  path: z
    .string()
    .optional()
    .describe('Folder to look in, relative to the root folder; the glob begins there.'),
});

export function globTool(listing: Listing): Tool {
  return defineTool({
    name: 'glob',
    description: 'Lists files by name, sorted. What git ignores is not listed.',
    schema,
    run: async ({ pattern, path }) => {
      const files = await listed(listing, { path, glob: pattern });
      if (!files.ok) return files;
      const names = files.value;
      const rest = names.length - MOST_FILES;
      const notice = rest > 0 ? [`[${rest} more files: give a narrower pattern or a path]`] : [];
      const forModel =
        names.length === 0 ? 'No file matches.' : [...names.slice(0, MOST_FILES), ...notice].join('\n');
      return ok({ forModel, forPerson: `glob ${pattern} (${plural(names.length, 'file')})` });
    },
  });
}
