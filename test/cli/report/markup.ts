/** Reads what the reports are written in, as far as it takes to tell text from markup. */

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/g;

export interface Tags {
  readonly names: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  /** What is left when the tags are taken out. */
  readonly text: string;
}

/** The page without its style sheet and its first line. */
export function tagsOf(page: string): Tags {
  const names = new Set<string>();
  const attributes = new Set<string>();
  const body = page.replace(/^<!doctype html>/, '').replace(/<style>[^<]*<\/style>/, '');
  const text = body.replace(TAG, (_, __, name: string, rest: string) => {
    names.add(name);
    for (const [, attribute = ''] of rest.matchAll(/([a-z-]+)(?:="[^"]*")?/g)) attributes.add(attribute);
    return '';
  });
  return { names, attributes, text };
}

/** The text of Markdown outside of fences, of code and of escapes; throws when a fence is not closed. */
export function looseMarkdown(page: string): string {
  let fence: string | null = null;
  const loose: string[] = [];
  for (const line of page.split('\n')) {
    const mark = /^ *(`{3,})/.exec(line)?.[1] ?? null;
    if (fence === null && mark !== null) fence = mark;
    else if (fence !== null && line.trim() === fence) fence = null;
    else if (fence === null) loose.push(withoutCode(line));
  }
  if (fence !== null) throw new Error('a fence is open at the end');
  return loose.join('\n');
}

function withoutCode(line: string): string {
  let rest = '';
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '\\') {
      i++;
      continue;
    }
    const run = /^`+/.exec(line.slice(i))?.[0];
    if (run === undefined) {
      rest += line[i] ?? '';
      continue;
    }
    const after = line.slice(i + run.length);
    const end = after.search(new RegExp(`(?<!\`)${run}(?!\`)`));
    if (end < 0) throw new Error(`code is open at the end of: ${line}`);
    i += run.length + end + run.length - 1;
  }
  return rest;
}
