/** The files that grep and glob look at. */

import picomatch from 'picomatch';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { ToolFault } from '../contract/tool.ts';
import { resolvePath } from './resolve.ts';
import type { Place } from './resolve.ts';
import { makeMatcher } from './safe-match.ts';

export interface Listing {
  readonly place: Place;
  /** Every file that is not ignored, relative to the root, sorted; the state directory and `.git` are not in it. */
  readonly files: () => Promise<Result<readonly string[], { readonly message: string }>>;
}

export interface Which {
  /** A folder or a file; all when left out. */
  readonly path?: string | undefined;
  /** A glob; relative to `path`. Without a slash it is about names at any depth. */
  readonly glob?: string | undefined;
}

export async function listed(listing: Listing, which: Which): Promise<Result<readonly string[], ToolFault>> {
  const start = await resolvePath(listing.place, which.path ?? '.', 'read');
  if (!start.ok) return start;
  if (start.value.kind === 'missing') {
    return fail({
      code: 'not_found',
      message: `${which.path ?? '.'} does not exist. Leave path out to search all.`,
    });
  }
  const all = await listing.files();
  if (!all.ok) return fail({ code: 'io', message: all.fault.message });
  const { relative } = start.value;
  const below = relative === '' ? all.value : all.value.filter((name) => isBelow(name, relative));
  if (which.glob === undefined) return ok(below);
  const matcher = makeMatcher(globSource(which.glob), '');
  if (!matcher.ok) return matcher;
  const skip = start.value.kind === 'folder' && relative !== '' ? relative.length + 1 : 0;
  const hits = matcher.value.matching(below.map((name) => name.slice(skip)));
  return hits.ok ? ok(hits.value.flatMap((i) => below[i] ?? [])) : hits;
}

function isBelow(name: string, folder: string): boolean {
  return name === folder || name.startsWith(`${folder}/`);
}

function globSource(glob: string): string {
  const plain = glob.replace(/^(?:\.\/)+/, '');
  const anyDepth = plain.includes('/') ? plain : `**/${plain}`;
  // `strictSlashes` off would match folders; there are only files here.
  return picomatch.makeRe(anyDepth, { dot: true }).source;
}
