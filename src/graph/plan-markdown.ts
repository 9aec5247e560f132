/** A plan written for people: `# objective`, then `## slug: Title` with keys and free text for each node. */

import { never } from '../contract/never.ts';
import { CAPS, type Draft, type DraftCheck, type DraftNode, type Placed, type PlanSource } from './draft.ts';
import {
  newNode,
  nameOf,
  planSpot,
  spoilt,
  taken,
  tooManyNodes,
  unreadable,
  type NodeInMaking,
  type Spot,
} from './draft-parts.ts';
import {
  codeSpan,
  listItems,
  NODE_KEYS,
  PLAN_KEYS,
  plainValue,
  readKeys,
  strayFinder,
  type Stray,
  type StrayFinder,
  type KeyLine,
  type NodeKey,
} from './markdown-keys.ts';
import { readMarkdown, type MarkdownText, type Section } from './markdown-text.ts';
import { fault, newNotes, quote, warn, type Notes } from './notes.ts';
import { tidy } from './text.ts';
import { readBudget, readOnCut, readRetries, readTimeout } from './values.ts';

export function parseMarkdown(text: string, file: string, by: PlanSource): Draft {
  const notes = newNotes(file);
  const markdown = readMarkdown(text, CAPS[by].nodes);
  if (tooManyNodes(notes, markdown.count, by)) return unreadable(notes);
  const { unclosed, sections } = markdown;
  if (unclosed) {
    const message = `the ${unclosed.what} that begins here is never closed and hides the rest: close it`;
    fault(notes, 'parse', { line: unclosed.line, witness: unclosed.what, message });
  }
  const source: Source = { markdown, notes, strays: strayFinder(markdown) };
  const head = sections[0]?.level === 1 ? sections[0] : null;
  const nodes = sections
    .filter((section) => section.level === 2)
    .map((section, entry) => readNode(source, section, entry));
  return {
    ...(head ? readHead(source, head) : { objective: '', checks: [], workspace: null, unread: [] }),
    nodes,
    file,
    unreadable: false,
    faults: notes.faults,
    warnings: notes.warnings,
  };
}

interface Source {
  readonly markdown: MarkdownText;
  readonly notes: Notes;
  readonly strays: StrayFinder;
}

type Head = Pick<Draft, 'objective' | 'checks' | 'workspace' | 'unread'>;

function readHead(source: Source, head: Section): Head {
  const { markdown, notes } = source;
  const checks: DraftCheck[] = [];
  let workspace: Placed | null = null;
  const spot = planSpot(notes);
  const { keys, rest } = readKeys(markdown, head, PLAN_KEYS);
  for (const item of keys) {
    spot.line = item.line;
    switch (item.key) {
      case 'check':
      case 'check(once)':
        addCheck(checks, spot, item);
        break;
      case 'workspace':
        if (workspace) spoilt(spot, 'workspace', twice('workspace'));
        else workspace = { value: plainValue(item.value), line: item.line };
        break;
      case 'budget': {
        const message =
          'the budget of a run is no part of its plan and is ignored here: give it with --budget';
        warn(notes, 'ignored_key', { line: item.line, message });
        break;
      }
      default:
        never(item.key);
    }
  }
  warnOfStrays(spot, source.strays(head, rest), PLAN_KEYS);
  const objective = [head.heading, tidy(textOf(markdown, head, rest))]
    .filter((part) => part !== '')
    .join('\n\n');
  return { objective, checks, workspace, unread: spot.unread };
}

function readNode(source: Source, section: Section, entry: number): DraftNode {
  const { markdown, notes } = source;
  const node = newNode(entry, section.line);
  const colon = section.heading.indexOf(':');
  node.slug = (colon < 0 ? section.heading : section.heading.slice(0, colon)).trim();
  node.title = colon < 0 ? '' : section.heading.slice(colon + 1).trim();
  // A heading that is no `slug: Title` at all is one fault, not two.
  if (colon < 0 && /\s/.test(node.slug)) node.unread.push('title');
  const [slug, label] = node.slug === '' ? [null, `the node at line ${section.line}`] : [node.slug, null];
  const spot: Spot = { notes, entry, slug, line: section.line, label, unread: node.unread };
  const { keys, rest } = readKeys(markdown, section, NODE_KEYS);
  keys.forEach((item, i) => {
    spot.line = item.line;
    const again = keys.findIndex(({ key }) => key === item.key) < i;
    if (again && isSingle(item.key)) spoilt(spot, fieldOf(item.key), twice(item.key));
    else readKey(node, spot, item);
  });
  warnOfStrays(spot, source.strays(section, rest), NODE_KEYS);
  node.spec = textOf(markdown, section, rest);
  return node;
}

type SingleKey = 'run' | 'timeout' | 'retries' | 'on-cut' | 'budget';

/** Lists and checks may stand on several lines; these may not. */
const SINGLE: ReadonlySet<NodeKey> = new Set<SingleKey>(['run', 'timeout', 'retries', 'on-cut', 'budget']);

function isSingle(key: NodeKey): key is SingleKey {
  return SINGLE.has(key);
}

function fieldOf(key: SingleKey) {
  return key === 'on-cut' ? 'onCut' : key;
}

function twice(key: string) {
  return { witness: key, message: `\`${key}\` stands here for the second time: leave one of them` };
}

function readKey(node: NodeInMaking, spot: Spot, item: KeyLine<NodeKey>): void {
  switch (item.key) {
    case 'deps':
    case 'scope':
    case 'frozen':
      for (const value of listItems(item.value)) node[item.key].push({ value, line: item.line });
      break;
    case 'check':
    case 'check(once)':
      addCheck(node.checks, spot, item);
      break;
    case 'run': {
      const value = commandOf(spot, item);
      if (value !== null) node.run = { value, line: item.line };
      break;
    }
    case 'timeout':
    case 'retries':
    case 'on-cut':
    case 'budget':
      readScalar(node, spot, { key: item.key, text: plainValue(item.value) });
      break;
    default:
      never(item.key);
  }
}

function readScalar(
  node: NodeInMaking,
  spot: Spot,
  { key, text }: { key: Exclude<SingleKey, 'run'>; text: string },
): void {
  switch (key) {
    case 'timeout':
      node.timeout = taken<number | null>(spot, 'timeout', {
        text,
        read: readTimeout(text),
        otherwise: null,
      });
      break;
    case 'retries':
      node.retries = taken(spot, 'retries', { text, read: readRetries(text), otherwise: 0 });
      break;
    case 'on-cut':
      node.onCut = taken(spot, 'onCut', { text, read: readOnCut(text), otherwise: 'block' });
      break;
    case 'budget':
      node.budget = taken<number | null>(spot, 'budget', { text, read: readBudget(text), otherwise: null });
      break;
    default:
      never(key);
  }
}

function addCheck(checks: DraftCheck[], spot: Spot, item: KeyLine<string>): void {
  const value = commandOf(spot, item);
  if (value !== null) checks.push({ value, line: item.line, once: item.key === 'check(once)' });
}

function commandOf(spot: Spot, item: KeyLine<string>): string | null {
  if (item.block !== null) return item.block;
  const span = codeSpan(item.value);
  if (span !== null) return span;
  const { key, value } = item;
  const form = `one code span with nothing after it (${key}: \`npm test\`), or the fenced block on the next line`;
  const message = value === '' ? `\`${key}\` has no command: write` : `the command of \`${key}\` must be`;
  spoilt(spot, key === 'run' ? 'run' : 'checks', { witness: value, message: `${message} ${form}` });
  return null;
}

function textOf(markdown: MarkdownText, section: Section, rest: number): string {
  return markdown.lines.slice(rest, section.to).join('\n');
}

function warnOfStrays(spot: Spot, strays: readonly Stray[], known: readonly string[]): void {
  const { notes, entry, slug } = spot;
  for (const { line, written, key, exact } of strays) {
    const about = { entry, slug, line };
    const found = `${nameOf(spot)}: ${quote(written)} is read as text`;
    if (!known.includes(key)) {
      const owner = known === PLAN_KEYS ? 'a node, under its ##' : 'the plan, under its #';
      warn(notes, 'unknown_key', { ...about, message: `${found}: \`${key}\` belongs to ${owner} heading` });
    } else if (exact) {
      const message = `${found}: keys stand right under the heading, before any blank line or text`;
      warn(notes, 'near_miss_key', { ...about, message });
    } else {
      const message = `${found}: if the key is meant, write \`${key}:\` right under the heading`;
      warn(notes, 'near_miss_key', { ...about, message });
    }
  }
}
