import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { Tool, ToolFault } from '../contract/tool.ts';
import { defineTool } from './define.ts';
import { listed } from './listing.ts';
import type { Listing } from './listing.ts';
import { makeReader } from './read-many.ts';
import type { Reader } from './read-many.ts';
import type { Place } from './resolve.ts';
import { makeMatcher } from './safe-match.ts';
import type { Matcher } from './safe-match.ts';
import { linesOf, plural, shortLine, textOf } from './text.ts';

const MOST_HITS = 200;
const LONGEST_LINE = 300;
/** Looked at in one go: each call of the matcher has a price, and meanwhile the program stands still. */
const BATCH = { files: 200, characters: 1_000_000 };

const schema = z.strictObject({
  pattern: z.string().min(1).max(1_000).describe('Regular expression (JavaScript) that a line must match.'),
  path: z.string().optional().describe('Folder or file to search, relative to the root folder.'),
  glob: z.string().min(1).max(500).optional().describe('Only files whose name matches, like *.ts.'),
  ignore_case: z.boolean().optional(),
});

export function grepTool(listing: Listing): Tool {
  return defineTool({
    name: 'grep',
    description:
      'Finds lines in text files, each shown as file:number:line. What git ignores is not searched, nor are binary files.',
    schema,
    run: async ({ pattern, path, glob, ignore_case }, signal) => {
      const matcher = makeMatcher(pattern, ignore_case === true ? 'i' : '');
      if (!matcher.ok) return matcher;
      const files = await listed(listing, { path, glob });
      if (!files.ok) return files;
      const search = { place: listing.place, matcher: matcher.value, files: files.value, signal };
      const found = await searchFiles(search);
      if (!found.ok) return found;
      const { hits, skipped } = found.value;
      const lines = hits.slice(0, MOST_HITS).map(({ file, line, text }) => `${file}:${line}:${text}`);
      if (hits.length === 0) lines.push(`No line matches in ${plural(files.value.length, 'file')}.`);
      if (hits.length > MOST_HITS) lines.push('[there are more: give a narrower pattern, a path or a glob]');
      if (skipped > 0)
        lines.push(`[${plural(skipped, 'file')} not searched: binary, too large or not readable]`);
      return ok({ forModel: lines.join('\n'), forPerson: `grep ${pattern} (${count(hits.length)})` });
    },
  });
}

interface Search {
  readonly place: Place;
  readonly matcher: Matcher;
  readonly files: readonly string[];
  readonly signal: AbortSignal;
}

interface Hit {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

interface Hits {
  /** At most one more than are shown. */
  readonly hits: readonly Hit[];
  readonly skipped: number;
}

async function searchFiles(search: Search): Promise<Result<Hits, ToolFault>> {
  const reader = makeReader(search.place.root);
  try {
    return await searchBatches(search, reader);
  } finally {
    reader.close();
  }
}

async function searchBatches(search: Search, reader: Reader): Promise<Result<Hits, ToolFault>> {
  const { matcher, files, signal } = search;
  const hits: Hit[] = [];
  let skipped = 0;
  for (let next = 0; next < files.length;) {
    await nextTurn();
    if (signal.aborted) return fail({ code: 'aborted', message: 'The search was stopped.' });
    const batch: Hit[] = [];
    const end = next + BATCH.files;
    for (let size = 0; next < files.length && next < end && size < BATCH.characters; next++) {
      const file = files[next] ?? '';
      const lines = linesOfFile(reader, file);
      if (lines === null) skipped++;
      for (const [n, text] of (lines ?? []).entries()) {
        batch.push({ file, line: n + 1, text });
        size += text.length + 1;
      }
    }
    const matching = matcher.matching(batch.map(({ text }) => text));
    if (!matching.ok) return matching;
    for (const at of matching.value) {
      const hit = batch[at];
      if (hit !== undefined) hits.push({ ...hit, text: shortLine(hit.text, LONGEST_LINE) });
      if (hits.length > MOST_HITS) return ok({ hits, skipped });
    }
  }
  return ok({ hits, skipped });
}

/** Null for what cannot be searched. A link is passed over: what it leads to is searched under its own name. */
function linesOfFile(reader: Reader, file: string): readonly string[] | null {
  const bytes = reader.read(file);
  if (bytes === 'other') return [];
  const text = bytes === null ? null : textOf(bytes, file);
  return text?.ok === true ? linesOf(text.value).map((line) => line.replace(/\r$/, '')) : null;
}

function count(hits: number): string {
  return hits > MOST_HITS ? `over ${MOST_HITS} lines` : plural(hits, 'line');
}
