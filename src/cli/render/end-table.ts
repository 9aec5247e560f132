/** What is printed when a run comes to rest: each node's three records, what was checked, and what helps now. */

import type { CheckView, NodeView, RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import type { PausedWhy } from '../../contract/status.ts';
import { FINAL_NODE } from '../../contract/ids.ts';
import { never } from '../../contract/never.ts';
import { clip, pad, plain, width } from './text.ts';
import { formatDuration } from '../../contract/amount.ts';
import { glyphOf, nodeWords, paintStatus } from './words.ts';
import { headerLines } from './header.ts';
import { nodeTable } from './table.ts';

/** Nodes whose commands are spelled out; for more there is the list. */
const MAX_HELPED = 8;

/** Nodes offered for another try when the final node is red. */
const MAX_AGAIN = 3;

export function endTable(view: RunView, screen: Screen): readonly string[] {
  const owners = checkOwners(view);
  return [
    ...headerLines(view, screen),
    '',
    ...nodeTable(view.nodes, screen),
    ...finalChecks(view, owners, screen),
    ...help(view, owners, screen),
  ];
}

function finalChecks(view: RunView, owners: Owners, screen: Screen): readonly string[] {
  const final = view.nodes.find((node) => node.id === FINAL_NODE);
  if (final === undefined || final.checks.every((check) => check.end === null)) return [];
  const rows = final.checks.map((check) => {
    const { word, paint } = checkWord(check, screen);
    const from = plain((owners.get(check.run) ?? ['plan']).join(', '), screen.ascii);
    const ms = check.end === null || check.end.reused ? '' : formatDuration(check.end.ms);
    return { word, paint, ms, run: plain(check.run, screen.ascii), from };
  });
  const time = Math.max(0, ...rows.map((row) => width(row.ms)));
  const room = screen.columns - 'reused'.length - time - 6;
  const lines = rows.map((row) => {
    const text = clip(`${row.run}  (${row.from})`, Math.max(0, room), screen.ascii);
    const line = `  ${row.paint(row.word)}${pad('', 6 - width(row.word))}  ${pad(row.ms, time)}  ${text}`;
    return room > 0 ? line.trimEnd() : clip(`  ${row.word}`, screen.columns, screen.ascii);
  });
  return ['', clip(`${FINAL_NODE} checked`, screen.columns, screen.ascii), ...lines];
}

function checkWord(check: CheckView, { palette }: Screen): { word: string; paint: (text: string) => string } {
  if (check.end === null) return { word: 'open', paint: palette.dim };
  if (check.end.reused) return { word: 'reused', paint: palette.green };
  return isGreen(check) ? { word: 'green', paint: palette.green } : { word: 'red', paint: palette.red };
}

function isGreen({ end }: CheckView): boolean {
  return end !== null && (end.reused || (end.outcome === 'exit' && end.exit === 0));
}

/** For each check the slugs of the nodes that have it; a check that none has is the plan's own. */
type Owners = ReadonlyMap<string, readonly string[]>;

function checkOwners(view: RunView): Owners {
  const owners = new Map<string, string[]>();
  for (const node of view.nodes) {
    if (node.id === FINAL_NODE) continue;
    for (const run of new Set(node.checks.map((check) => check.run))) {
      const slugs = owners.get(run);
      if (slugs === undefined) owners.set(run, [node.slug]);
      else slugs.push(node.slug);
    }
  }
  return owners;
}

function help(view: RunView, owners: Owners, screen: Screen): readonly string[] {
  if (view.status !== 'paused' || view.why === null) return [];
  const commands =
    view.why === 'stuck' ? stuckHelp(view, owners, screen) : commandLines(pauseHelp(view.why), screen);
  return commands.length === 0 ? [] : ['', ...commands];
}

type Helpful = readonly { readonly command: string; readonly does: string }[];

function pauseHelp(why: Exclude<PausedWhy, 'stuck'>): Helpful {
  const resume = { command: 'goalgraph resume', does: 'go on' };
  switch (why) {
    case 'user':
      return [resume];
    case 'deadline':
      return [{ command: 'goalgraph resume --max-time 1h', does: 'go on for another hour' }];
    case 'budget':
      return [{ command: 'goalgraph resume --budget 100k', does: 'go on with that much more' }];
    case 'infra':
      return [resume];
    default:
      return never(why);
  }
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
  const log = { command: `goalgraph log ${node.slug}`, does: 'see what it printed' };
  const retry = { command: `goalgraph retry ${node.slug}`, does: 'run it again' };
  if (node.id !== FINAL_NODE) {
    return [
      log,
      retry,
      { command: `goalgraph edit ${node.slug} …`, does: 'change its command, checks or spec' },
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
