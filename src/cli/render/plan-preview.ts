/** A plan as it is shown before it runs: the drawing, what each node is to do, and what it may cost. */

import { formatDuration, formatTokens } from '../../contract/amount.ts';
import { FINAL_NODE, type NodeId } from '../../contract/ids.ts';
import type { Plan, PlanNode } from '../../contract/plan.ts';
import { drawNodes } from './dag.ts';
import { counted } from './event-told.ts';
import type { Screen } from './screen.ts';
import { clip, firstLine, flow, pad, plain, width } from './text.ts';
import { dot } from './words.ts';

/** In tokens. Nobody knows what a plan costs before it has run, and the preview says so. */
export interface PlanEstimates {
  readonly perNode: ReadonlyMap<NodeId, number>;
  /** With what planning takes. */
  readonly total: number;
  /** The limit of the run; null or left out for none. */
  readonly budget?: number | null;
}

/** A node's checks that are spelled out. */
const MAX_CHECKS = 4;

export function planPreview(plan: Plan, estimates: PlanEstimates, screen: Screen): readonly string[] {
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
    ...plan.nodes.flatMap((node) => nodeLines(plan, node, { estimates, screen })),
    '',
    ...totalLines(estimates, screen),
  ];
}

interface Previewing {
  readonly estimates: PlanEstimates;
  readonly screen: Screen;
}

function nodeLines(plan: Plan, node: PlanNode, { estimates, screen }: Previewing): readonly string[] {
  const { columns, ascii, palette } = screen;
  const slug = plain(node.slug, ascii);
  const title = plain(node.title, ascii).trim();
  const name = title === '' || title === slug ? slug : `${slug}: ${title}`;
  const facts = node.id === FINAL_NODE ? finalFacts(plan) : nodeFacts(plan, node);
  const indent = (text: string): string => palette.dim(clip(`    ${plain(text, ascii)}`, columns, ascii));
  return [heading(name, estimates.perNode.get(node.id) ?? 0, screen), ...facts.map(indent)];
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

function nodeFacts(plan: Plan, node: PlanNode): readonly string[] {
  const slugs = new Map(plan.nodes.map(({ id, slug }) => [id, slug]));
  const { deps, run, timeout, scope, budget } = node;
  return [
    ...(deps.length === 0 ? [] : [`after ${deps.map((id) => slugs.get(id) ?? id).join(', ')}`]),
    ...(scope.length === 0 ? [] : [`writes ${scope.join(', ')}`]),
    ...(run === null
      ? []
      : [`run: ${run}${timeout === null ? '' : ` (at most ${formatDuration(timeout)})`}`]),
    ...(budget === null ? [] : [`budget: ${formatTokens(budget)} tokens`]),
    ...checkFacts(node.checks.map((check) => check.run)),
  ];
}

/** The final node depends on all of them; which ones the drawing says. */
function finalFacts(plan: Plan): readonly string[] {
  return [
    'after every node; all their checks again',
    ...checkFacts(
      plan.checks.map((check) => check.run),
      '',
    ),
  ];
}

function checkFacts(checks: readonly string[], none = 'no check of its own'): readonly string[] {
  if (checks.length === 0) return none === '' ? [] : [none];
  const more = checks.length - MAX_CHECKS;
  return [
    ...checks.slice(0, MAX_CHECKS).map((run) => `check: ${run}`),
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
