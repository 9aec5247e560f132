/** Write scopes: where a node may write, as `path` or `dir/**`; any other glob is cut at its first wildcard. */

/** An entry as a plan keeps it, or what is wrong with it. */
export type ScopeEntry =
  | { readonly ok: true; readonly scope: string }
  | { readonly ok: false; readonly why: 'blank' | 'absolute' | 'parent' | 'nul' };

/**
 * Drops `./`, doubled and trailing slashes, blanks around names; refuses what leads out of the workspace. The whole of
 * it is `**`.
 */
export function scopeEntry(text: string): ScopeEntry {
  if (PLAIN.test(text)) return { ok: true, scope: text };
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, why: 'blank' };
  if (trimmed.includes('\0')) return { ok: false, why: 'nul' };
  const segments = trimmed
    .split('/')
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '' && segment !== '.');
  if (ABSOLUTE.test(trimmed) || ABSOLUTE.test(segments.join('/'))) return { ok: false, why: 'absolute' };
  // A backslash parts segments on some systems: `src\..\..` must not pass for a name.
  if (segments.some((segment) => segment.split('\\').includes('..'))) return { ok: false, why: 'parent' };
  return { ok: true, scope: segments.length === 0 ? '**' : segments.join('/') };
}

const ABSOLUTE = /^(?:[/\\]|~(?:\/|$)|[A-Za-z]:(?:[/\\]|$))/;

/** Nothing to drop or refuse: what nearly every entry is. */
const PLAIN = /^[\w*-][\w*.-]*(?:\/[\w*-][\w*.-]*)*$/;

/**
 * The part of an entry that no wildcard touches. It ends in `/` when it ends with a whole segment, so that
 * `src/a/` is no prefix of `src/ab/`; cut inside a segment (`src/a*`) it does not, and may overlap `src/ab/`.
 * Empty for what may lie anywhere.
 */
export function scopeCut(entry: string): string {
  const wildcard = entry.search(WILDCARD);
  const cut = wildcard < 0 ? `${entry}/` : entry.slice(0, wildcard);
  if (!/(?:^|\/)\.?\//.test(cut)) return cut;
  const segments = cut.split('/');
  const last = segments.pop() ?? '';
  return [...segments.filter((segment) => segment !== '' && segment !== '.'), last].join('/');
}

/** Also brackets that close, and the backslash: whoever writes those does not mean a plain path. */
const WILDCARD = /[*?[\]{}\\]|[+@!]\(|^!/;

/** Whether two nodes with these scopes may write the same file. No scope overlaps everything. */
export function overlaps(a: readonly string[], b: readonly string[]): boolean {
  const cuts = cutsOf(b);
  return cutsOf(a).some((cut) => cuts.some((other) => cut.startsWith(other) || other.startsWith(cut)));
}

const known = new WeakMap<readonly string[], readonly string[]>();

/** The cuts of a scope; one that is empty for none. Kept, for a scheduler asks again and again. */
export function cutsOf(scope: readonly string[]): readonly string[] {
  let cuts = known.get(scope);
  if (!cuts) known.set(scope, (cuts = scope.length === 0 ? [''] : scope.map(scopeCut)));
  return cuts;
}
