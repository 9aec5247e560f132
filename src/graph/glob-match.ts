/**
 * Globs on paths, without regular expressions: whoever writes the glob cannot make it slow. `*` and `?` stay inside a
 * segment, `**` spans any number of them, `[a-z]` and `{a,b}` are known; names that begin with a dot are like others.
 */

/** More alternatives than this are not meant. */
const MOST_ALTERNATIVES = 64;

/**
 * Whether the glob names the file, or a folder that it lies in. A glob with a wildcard and without a slash is looked
 * for at any depth, as tools that list files do it.
 */
export function globMatches(glob: string, path: string): boolean {
  const segments = path.split('/');
  return alternatives(glob).some((one) => {
    const pattern = one.split('/').filter((part) => part !== '' && part !== '.');
    if (pattern.length === 0) return false;
    const anywhere = pattern.length === 1 && /[*?[]/.test(one) && !one.endsWith('/');
    return matchesSegments(anywhere ? ['**', ...pattern] : pattern, segments);
  });
}

/** The glob with each choice of its braces; one with too many choices is taken as it stands. */
function alternatives(glob: string): readonly string[] {
  let open: readonly string[] = [glob];
  for (;;) {
    const next = open.flatMap(oneBrace);
    if (next.length > MOST_ALTERNATIVES) return [glob];
    if (next.length === open.length && next.every((text, i) => text === open[i])) return next;
    open = next;
  }
}

/** The innermost braces first: they hold no others. */
function oneBrace(glob: string): readonly string[] {
  const close = glob.search(/(?<=,[^{}]*)\}/);
  const start = close < 0 ? -1 : glob.lastIndexOf('{', close);
  if (start < 0) return [glob];
  const choices = glob.slice(start + 1, close).split(',');
  return choices.map((choice) => `${glob.slice(0, start)}${choice}${glob.slice(close + 1)}`);
}

/** By rows: which beginnings of the pattern match the segments so far. */
function matchesSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  let row = pattern.map(() => false);
  let empty = true;
  const reached = (i: number) => (i < 0 ? empty : (row[i] ?? false));
  const spread = () => {
    pattern.forEach((part, i) => (row[i] = reached(i) || (part === '**' && reached(i - 1))));
  };
  spread();
  for (const segment of segments) {
    const before = reached;
    row = pattern.map((part, i) => (part === '**' ? before(i) : before(i - 1) && matchesName(part, segment)));
    empty = false;
    spread();
    // The rest lies in a folder that the pattern names; `dir/**` is complete at `dir` too, which is no harm.
    if (row.at(-1)) return true;
  }
  return false;
}

/** Greedy with one place to come back to, so the effort is at most the product of the lengths. */
function matchesName(pattern: string, name: string): boolean {
  const parts = partsOf(pattern);
  let part = 0;
  let star = -1;
  let from = 0;
  for (let at = 0; at < name.length;) {
    const wanted = parts[part];
    if (wanted === '*') {
      star = part;
      from = at;
      part += 1;
    } else if (wanted !== undefined && isOneOf(wanted, name.charAt(at))) {
      part += 1;
      at += 1;
    } else if (star >= 0) {
      part = star + 1;
      from += 1;
      at = from;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === '*');
}

/** Single characters, `?`, `*`, classes with their brackets, and characters behind a backslash. */
function partsOf(pattern: string): readonly string[] {
  return pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|[^]/g) ?? [];
}

function isOneOf(part: string, char: string): boolean {
  if (part === '?') return true;
  if (part.length === 1) return part === char;
  if (part.startsWith('\\')) return part.slice(1) === char;
  const negated = /^\[[!^]/.test(part);
  const inside = part.slice(negated ? 2 : 1, -1);
  const ranges = inside.match(/[^]-[^]|[^]/g) ?? [];
  const found = ranges.some((range) =>
    range.length === 3 ? range.charAt(0) <= char && char <= range.charAt(2) : range === char,
  );
  return found !== negated;
}
