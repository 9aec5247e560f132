/** A plan as it is shown before it runs: the drawing, what each node is to do, and what it may cost. */

import { formatDuration, formatTokens } from '../../contract/amount.ts';
import { FINAL_NODE, type NodeId } from '../../contract/ids.ts';
import type { Plan, PlanNode } from '../../contract/plan.ts';
import { drawNodes } from './dag.ts';
import { counted } from './event-told.ts';
import type { Screen } from './screen.ts';
import { clip, firstLine, flow, pad, plain, width, wrap } from './text.ts';
import { dot } from './words.ts';

/** In tokens. Nobody knows what a plan costs before it has run, and the preview says so. */
export interface PlanEstimates {
  readonly perNode: ReadonlyMap<NodeId, number>;
  /** With what planning takes. */
  readonly total: number;
  /** The limit of the run; null or left out for none. */
  readonly budget?: number | null;
}

/** A node's checks that are spelled out, and lines of its spec. */
const MAX_CHECKS = 4;
const MAX_SPEC_LINES = 8;

/** Short enough to be read before a yes; what is left out says where it stands. */
export function planPreview(plan: Plan, estimates: PlanEstimates, screen: Screen): readonly string[] {
  return preview(plan, { estimates, screen, full: false });
}

/** The same with all of every node. */
export function wholePreview(plan: Plan, estimates: PlanEstimates, screen: Screen): readonly string[] {
  return preview(plan, { estimates, screen, full: true });
}

/** What every node is to do: spec, scope, checks. */
export function planDetails(plan: Plan, screen: Screen): readonly string[] {
  const estimates = { perNode: new Map<NodeId, number>(), total: 0 };
  return nodeBlocks(plan, { estimates, screen, full: true });
}

interface Previewing {
  readonly estimates: PlanEstimates;
  readonly screen: Screen;
  readonly full: boolean;
}

function preview(plan: Plan, previewing: Previewing): readonly string[] {
  const { estimates, screen } = previewing;
  const { columns, ascii, palette } = screen;
  const objective = clip(plain(firstLine(plan.objective), ascii), columns, ascii);
  const identity = [`plan v${plan.version} ${plain(plan.hash, ascii)}`, counted(plan.nodes.length, 'node')];
  const drawn = drawNodes(
    plan.nodes.map((node) => ({ ...node, status: 'waiting' as const })),
    screen,
  );
  return [
    ...(objective === '' ? [] : [palette.bold(objective)]),
    ...flow(identity, { columns, separator: dot(screen), ascii }),
    ...(drawn === null ? [] : ['', ...drawn]),
    '',
    ...nodeBlocks(plan, previewing),
    '',
    ...totalLines(estimates, screen),
  ];
}

/** Whole specs are long: then a blank line keeps one node from the next. */
function nodeBlocks(plan: Plan, previewing: Previewing): readonly string[] {
  const blocks = plan.nodes.map((node) => nodeLines(plan, node, previewing));
  return blocks.flatMap((block, i) => (previewing.full && i > 0 ? ['', ...block] : block));
}

function nodeLines(plan: Plan, node: PlanNode, previewing: Previewing): readonly string[] {
  const { estimates, screen, full } = previewing;
  const { columns, ascii, palette } = screen;
  const slug = plain(node.slug, ascii);
  const title = plain(node.title, ascii).trim();
  const name = title === '' || title === slug ? slug : `${slug}: ${title}`;
  const isFinal = node.id === FINAL_NODE;
  const facts = isFinal ? finalFacts(plan, full) : nodeFacts(plan, node, full);
  const factLines = full
    ? facts.flatMap((fact) => wrap(plain(fact, ascii), { columns: inside(columns), most: Infinity, ascii }))
    : facts.map((fact) => plain(fact, ascii));
  return [
    heading(name, estimates.perNode.get(node.id) ?? 0, screen),
    // What the final node is to do its facts say; the rest of its spec is the objective.
    ...(isFinal && !full ? [] : specLines(node.spec, previewing)),
    ...factLines.map((line) => palette.dim(clip(INDENT + line, columns, ascii))),
  ];
}

const INDENT = '    ';

function inside(columns: number): number {
  return Math.max(1, Math.min(columns, MOST_COLUMNS) - INDENT.length);
}

function specLines(spec: string, { screen, full }: Previewing): readonly string[] {
  const { columns, ascii, palette } = screen;
  const lines = spec
    .trim()
    .split(/\r\n|\r|\n/)
    .flatMap((line) => indented(plain(line, ascii), inside(columns), ascii));
  const shown = full ? lines : lines.slice(0, MAX_SPEC_LINES);
  const more = lines.length - shown.length;
  return [
    ...shown.map((line) => clip(INDENT + line, columns, ascii)),
    ...(more > 0
      ? [palette.dim(clip(`${INDENT}${counted(more, 'more line')}: goalgraph show --full`, columns, ascii))]
      : []),
  ];
}

/** A list keeps its shape: what is wrapped stands under its beginning. */
function indented(line: string, columns: number, ascii: boolean): readonly string[] {
  if (line.trim() === '') return [''];
  const lead = ' '.repeat(Math.min(/^ */.exec(line)?.[0].length ?? 0, Math.floor(columns / 2)));
  return wrap(line, { columns: columns - lead.length, most: Infinity, ascii }).map((part) => lead + part);
}

/** The estimate stands at the right, in its own column as long as there is room for a name beside it. */
function heading(name: string, tokens: number, { columns, ascii }: Screen): string {
  const cost = tokens > 0 ? `~${formatTokens(tokens)}` : '';
  const room = Math.min(columns, MOST_COLUMNS) - COST_WIDTH - 2;
  if (room < LEAST_NAME) return clip(cost === '' ? name : `${name}  ${cost}`, columns, ascii);
  const right = pad('', COST_WIDTH - width(cost)) + cost;
  return `${pad(clip(name, room, ascii), room)}  ${right}`.trimEnd();
}

const MOST_COLUMNS = 100;
const COST_WIDTH = 6;
const LEAST_NAME = 20;

function nodeFacts(plan: Plan, node: PlanNode, full: boolean): readonly string[] {
  const slugs = new Map(plan.nodes.map(({ id, slug }) => [id, slug]));
  const { deps, run, timeout, scope, frozen, budget } = node;
  return [
    ...(deps.length === 0 ? [] : [`after ${deps.map((id) => slugs.get(id) ?? id).join(', ')}`]),
    ...(scope.length === 0 ? [] : [`writes ${scope.join(', ')}`]),
    ...(run === null
      ? []
      : [`run: ${run}${timeout === null ? '' : ` (at most ${formatDuration(timeout)})`}`]),
    ...(budget === null ? [] : [`budget: ${formatTokens(budget)} tokens`]),
    ...(full && frozen.length > 0 ? [`nobody may change ${frozen.join(', ')}`] : []),
    ...checkFacts(
      node.checks.map((check) => check.run),
      { full, none: ['no check of its own'] },
    ),
  ];
}

/** The final node depends on all of them; which ones the drawing says. */
function finalFacts(plan: Plan, full: boolean): readonly string[] {
  return [
    'after every node; all their checks again',
    ...checkFacts(
      plan.checks.map((check) => check.run),
      { full, none: [] },
    ),
  ];
}

function checkFacts(
  checks: readonly string[],
  { full, none }: { readonly full: boolean; readonly none: readonly string[] },
): readonly string[] {
  if (checks.length === 0) return none;
  const most = full ? Infinity : MAX_CHECKS;
  const more = checks.length - most;
  return [
    ...checks.slice(0, most).map((run) => `check: ${run}`),
    ...(more > 0 ? [`and ${counted(more, 'more check')}`] : []),
  ];
}

function totalLines({ total, budget = null }: PlanEstimates, screen: Screen): readonly string[] {
  const { columns, ascii, palette } = screen;
  if (total === 0 && budget === null) return [];
  const limit = budget === null ? 'no token budget' : `budget ${formatTokens(budget)}`;
  const facts = [`estimate ~${formatTokens(total)} tokens`, limit];
  const wrap = { columns, separator: dot(screen), ascii };
  const lines = flow(facts, wrap).map((line) => palette.bold(line));
  if (budget === null || budget >= total) return lines;
  const words = ['the estimate is more than the budget:', 'the run may pause before its end'];
  return [...lines, ...flow(words, { ...wrap, separator: ' ' }).map((line) => palette.yellow(line))];
}
