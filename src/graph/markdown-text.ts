/** Markdown as far as plans go: `# ` and `## ` headings, and what hides them (code fences, HTML comments). */

export interface Section {
  readonly level: 1 | 2;
  readonly heading: string;
  /** 1-based line of the heading. */
  readonly line: number;
  /** The lines under it are `lines[from]` up to `lines[to - 1]`; their line numbers are one more. */
  readonly from: number;
  readonly to: number;
}

export interface MarkdownText {
  readonly lines: readonly string[];
  /** 1 for each line inside a fence or a comment, its first and last line included. */
  readonly opaque: Uint8Array;
  /** Up to the heading of level 1 that ends the plan; of level 2 at most as many as asked for. */
  readonly sections: readonly Section[];
  /** All headings of level 2, kept or not. */
  readonly count: number;
  /** What was opened and never closed, so that everything after it is hidden. */
  readonly unclosed: { readonly line: number; readonly what: string } | null;
}

/** Cuts a text at its headings. The first heading of level 1 opens the plan, the next one ends it. */
export function readMarkdown(text: string, maxNodes: number): MarkdownText {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const opaque = new Uint8Array(lines.length);
  const sections: Section[] = [];
  let open: Omit<Section, 'to'> | null = null;
  let hidden: Hidden | null = null;
  let count = 0;
  let end = lines.length;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (hidden) {
      opaque[at] = 1;
      if (hidden.closes(line)) hidden = null;
      continue;
    }
    if (!mayMatter(line)) continue;
    const opens = hiddenFrom(line, at + 1);
    if (opens) {
      opaque[at] = 1;
      if (!opens.closed) hidden = opens;
      continue;
    }
    const heading = headingOf(line);
    if (!heading) continue;
    const first = count === 0 && open === null;
    if (heading.level === 1 && !first) {
      end = at;
      break;
    }
    if (open) sections.push({ ...open, to: at });
    if (heading.level === 2) count += 1;
    open = count > maxNodes ? null : { ...heading, line: at + 1, from: at + 1 };
  }
  if (open) sections.push({ ...open, to: end });
  return { lines, opaque, sections, count, unclosed: hidden };
}

/** Most lines are plain text: they are not looked at twice. */
function mayMatter(line: string): boolean {
  const first = line.startsWith(' ') ? line.trimStart() : line;
  return '#`~<'.includes(first.charAt(0)) && first !== '';
}

interface Hidden {
  readonly line: number;
  readonly what: string;
  /** True when the line that opens it closes it as well. */
  readonly closed: boolean;
  closes(line: string): boolean;
}

function hiddenFrom(line: string, number: number): Hidden | null {
  const fence = fenceOf(line);
  if (fence) {
    const closes = (other: string) => closesFence(other, fence);
    return { line: number, what: 'code fence', closed: false, closes };
  }
  const comment = /^ {0,3}<!--/.exec(line)?.[0];
  if (comment === undefined) return null;
  const closes = (other: string) => other.includes('-->');
  return { line: number, what: 'comment', closed: closes(line.slice(comment.length - 2)), closes };
}

/** A heading of level 1 or 2: its text without the sharps that may close it. */
function headingOf(line: string): { readonly level: 1 | 2; readonly heading: string } | null {
  const sharps = /^ {0,3}(##?)(?=[ \t]|$)/.exec(line);
  if (!sharps) return null;
  const text = line.slice(sharps[0].length).trim();
  let closing = text.length;
  while (text[closing - 1] === '#') closing -= 1;
  const closed = closing === 0 || /[ \t]/.test(text.charAt(closing - 1));
  return { level: sharps[1] === '#' ? 1 : 2, heading: closed ? text.slice(0, closing).trimEnd() : text };
}

export interface Fence {
  readonly char: string;
  readonly length: number;
  readonly indent: number;
}

/** The code fence that this line opens: three or more backticks or tildes, indented by at most three blanks. */
export function fenceOf(line: string): Fence | null {
  const match = /^( {0,3})(`{3,}|~{3,})/.exec(line);
  const [all = '', indent = '', marks = ''] = match ?? [];
  if (!match || (marks.startsWith('`') && line.includes('`', all.length))) return null;
  return { char: marks.charAt(0), length: marks.length, indent: indent.length };
}

/** The same sign, at least as many, and nothing after it. */
export function closesFence(line: string, fence: Fence): boolean {
  const marks = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1] ?? '';
  return marks.startsWith(fence.char) && marks.length >= fence.length;
}
