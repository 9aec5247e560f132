/** What helps now: the commands for a run that has come to rest short of its end. */

import { isOverCeiling } from '../../contract/ceiling.ts';
import type { FlowView, NodeView, RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import type { PausedWhy } from '../../contract/status.ts';
import { branchesHere } from '../../graph/branch.ts';
import { FINAL_NODE } from '../../contract/ids.ts';
import { never } from '../../contract/never.ts';
import { oneLineLabel } from '../../contract/flow.ts';
import { isGreen, type Owners } from './check-owners.ts';
import { clip, pad, plain, width } from './text.ts';
import { glyphOf, isRefusal, nodeWords, paintStatus } from './words.ts';

/** Nodes whose commands are spelled out; for more there is the list. */
const MAX_HELPED = 8;

/** Nodes offered for another try when the final node is red. */
const MAX_AGAIN = 3;

/** What a person can do about a run at rest, as commands to copy. */
export function helpLines(view: RunView, owners: Owners, screen: Screen): readonly string[] {
  if (view.status === 'approval') return ['', ...commandLines(APPROVAL, screen)];
  if (view.status !== 'paused' || view.why === null) return [];
  const commands =
    view.why === 'stuck'
      ? view.flow
        ? commandLines(undecidedHelp(view.flow), screen)
        : stuckHelp(view, owners, screen)
      : commandLines(pauseHelp(view, view.why), screen);
  return commands.length === 0 ? [] : ['', ...commands];
}

type Helpful = readonly { readonly command: string; readonly does: string }[];

const APPROVAL: Helpful = [
  { command: 'goalgraph show', does: 'see the plan' },
  { command: 'goalgraph approve', does: 'run it' },
  { command: 'goalgraph edit NODE …', does: 'change one of its nodes first' },
  { command: 'goalgraph clear', does: 'give it up' },
];

function pauseHelp(view: RunView, why: Exclude<PausedWhy, 'stuck'>): Helpful {
  const does = isRefusal(why, view.detail) ? 'have another plan made' : 'go on';
  const resume = { command: 'goalgraph resume', does };
  switch (why) {
    case 'user':
      return [resume];
    case 'deadline':
      return [{ command: 'goalgraph resume --max-time 1h', does: 'go on for another hour' }];
    case 'budget':
      return budgetHelp(view);
    case 'moves':
      return [{ command: 'goalgraph resume --max-moves 50', does: 'go on with so many more' }];
    case 'provider':
    case 'infra':
      return [resume];
    default:
      return never(why);
  }
}

/** At most so many branches are spelled out. */
const MOST_BRANCHES = 6;

/** The agent got nowhere at a step: a person may decide in its place, or have it asked again. */
function undecidedHelp(flow: FlowView): Helpful {
  const { picked } = flow;
  if (picked !== null) return [{ command: 'goalgraph resume', does: `go on with ${oneLineLabel(picked)}` }];
  return [
    ...branchesHere(flow)
      .slice(0, MOST_BRANCHES)
      .map((label) => ({
        command: `goalgraph choose ${argument(oneLineLabel(label))}`,
        does: 'decide so; then resume',
      })),
    { command: 'goalgraph resume', does: 'have the step asked again' },
  ];
}

/** As a shell takes it, and not as an option. */
function argument(label: string): string {
  return `${label.startsWith('-') ? '-- ' : ''}${quoted(label)}`;
}

function quoted(label: string): string {
  return /^[\w.-]+$/.test(label) ? label : `'${label.replaceAll("'", "'\\''")}'`;
}

/** Which of two limits was met the pause says; adding to the other would not help. */
function budgetHelp({ budget, detail }: RunView): Helpful {
  if (isOverCeiling(detail)) {
    return [
      {
        command: 'goalgraph resume',
        does: 'go on when it frees, or with a higher one in your own configuration',
      },
    ];
  }
  const tokens = { command: 'goalgraph resume --budget 100k', does: 'go on with that much more' };
  const money = { command: 'goalgraph resume --max-cost 1usd', does: 'go on with that much more money' };
  if (budget === null || budget.limits.cost === null) return [tokens];
  return budget.limits.tokens === null ? [money] : [tokens, money];
}

function stuckHelp(view: RunView, owners: Owners, screen: Screen): readonly string[] {
  const stopped = view.nodes.filter(({ status }) => status === 'failed' || status === 'blocked');
  const held = view.nodes.filter(({ status }) => status === 'held');
  const lines = stopped
    .slice(0, MAX_HELPED)
    .flatMap((node) => [stuckLine(node, screen), ...commandLines(nodeHelp(node, owners), screen)]);
  const more = stopped.length - MAX_HELPED;
  if (more > 0) lines.push(clip(`and ${more} more: goalgraph status`, screen.columns, screen.ascii));
  lines.push(...held.slice(0, MAX_HELPED).map((node) => stuckLine(node, screen)));
  const moreHeld = held.length - MAX_HELPED;
  if (moreHeld > 0) lines.push(clip(`and ${moreHeld} more held`, screen.columns, screen.ascii));
  return lines;
}

function stuckLine(node: NodeView, screen: Screen): string {
  const { ascii, columns, palette } = screen;
  const line = `${glyphOf(node.status, screen)} ${plain(node.slug, ascii)} ${nodeWords(node, ascii)}`;
  return paintStatus(node.status, palette)(clip(line, columns, ascii));
}

function nodeHelp(node: NodeView, owners: Owners): Helpful {
  const byModel = node.goal !== null;
  const log = {
    command: `goalgraph log ${node.slug}`,
    does: byModel ? 'see what was said and done' : 'see what it printed',
  };
  const retry = { command: `goalgraph retry ${node.slug}`, does: byModel ? 'begin it anew' : 'run it again' };
  if (node.id !== FINAL_NODE) {
    return [
      log,
      retry,
      {
        command: `goalgraph edit ${node.slug} …`,
        does: byModel ? 'change its spec or checks' : 'change its command, checks or spec',
      },
      { command: `goalgraph skip ${node.slug}`, does: 'go on without it' },
    ];
  }
  const red = node.checks.filter((check) => check.end !== null && !isGreen(check));
  const slugs = new Set(red.flatMap((check) => owners.get(check.run) ?? []));
  const again = [...slugs]
    .slice(0, MAX_AGAIN)
    .map((slug) => ({ command: `goalgraph retry ${slug}`, does: 'do again what is red' }));
  return [log, ...again, retry];
}

function commandLines(help: Helpful, screen: Screen): readonly string[] {
  const { ascii, columns, palette } = screen;
  const commands = help.map(({ command }) => plain(ascii ? command.replace('…', '...') : command, ascii));
  const longest = Math.max(...commands.map(width));
  return help.map(({ does }, i) => {
    const command = commands[i] ?? '';
    // A command is there to be copied: when there is no room for both, what it does has to go.
    const both = `    ${pad(command, longest)}  ${does}`;
    const line = width(both) <= columns ? both : `  ${command}`;
    return palette.dim(clip(line, columns, ascii));
  });
}
