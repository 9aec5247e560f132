/** The plan of a run that follows a chart: one node, whose goal is the flow. Nothing is verified at its end. */

import type { FlowRun } from '../contract/flow.ts';
import { nodeId } from '../contract/ids.ts';
import { BARE_NODE, type Plan } from '../contract/plan.ts';
import { MAX_TITLE } from './draft.ts';
import { planHash } from './plan-hash.ts';
import { oneLine } from './text.ts';

export interface FlowText {
  /** What it is for, in a line. */
  readonly description: string;
  readonly objective: string;
}

export function flowPlan(
  { name, flow, args, maxMoves }: FlowRun,
  { description, objective }: FlowText,
): Plan {
  const slug = slugOf(name);
  const content: Omit<Plan, 'version' | 'hash'> = {
    objective,
    checks: [],
    workspace: null,
    nodes: [
      {
        id: nodeId(slug),
        slug,
        title: oneLine(description).slice(0, MAX_TITLE),
        // All of it, so that the plan's hash tells one chart from another.
        spec: chartText({ flow, args, maxMoves }),
        deps: [],
        ...BARE_NODE,
      },
    ],
  };
  return { version: 1, hash: planHash(content), ...content };
}

/** The chart for a person who reads it as a list. */
function chartText({ flow, args, maxMoves }: Pick<FlowRun, 'flow' | 'args' | 'maxMoves'>): string {
  const steps = flow.nodes.map(({ id, label, kind, exits }) => {
    const ways = exits.map((exit) => `  ${exit.label === null ? '' : `${exit.label}: `}to ${exit.to}`);
    return [`${id} (${kind}): ${label}`, ...ways].join('\n');
  });
  return [...steps, `moves: ${maxMoves ?? 'no limit'}`, ...(args === '' ? [] : [`request: ${args}`])].join(
    '\n',
  );
}

/** As nodes are named: 1 to 64 letters, digits, dashes. */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 64)
    .replace(/-+$/, '');
  return slug === '' ? 'flow' : slug;
}
