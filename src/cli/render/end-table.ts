/** What is printed when a run comes to rest: each node's three records, what was checked, and what helps now. */

import type { CheckView, RunView } from '../../contract/view.ts';
import type { Screen } from './screen.ts';
import { FINAL_NODE } from '../../contract/ids.ts';
import { checkOwners, isGreen, type Owners } from './check-owners.ts';
import { clip, pad, plain, width, wrap } from './text.ts';
import { counted } from './event-told.ts';
import { formatDuration } from '../../contract/amount.ts';
import { runLines } from './header.ts';
import { helpLines } from './end-help.ts';
import { ledgerReport } from './ledger-report.ts';
import { modelReport } from './model-report.ts';
import { nodesOf } from './table.ts';

export function endTable(view: RunView, screen: Screen): readonly string[] {
  const owners = checkOwners(view);
  return [
    ...runLines(view, screen),
    ...moreDetail(view, screen),
    ...nodesOf(view, screen),
    ...finalChecks(view, owners, screen),
    ...modelReport(view, screen),
    ...ledgerReport(view, screen),
    ...helpLines(view, owners, screen),
  ];
}

/** A plan that was refused is told with all its faults, and each names its fix: wrapped, not clipped. */
function moreDetail({ status, detail }: RunView, { columns, ascii }: Screen): readonly string[] {
  const lines = status === 'paused' ? (detail ?? '').trim().split(/[\r\n]+/) : [];
  return lines.slice(1).flatMap((line) => wrap(plain(line, ascii), { columns, most: Infinity, ascii }));
}

function finalChecks(view: RunView, owners: Owners, screen: Screen): readonly string[] {
  const final = view.nodes.find((node) => node.id === FINAL_NODE);
  if (final === undefined || final.checks.every((check) => check.end === null)) return [];
  const rows = final.checks.map((check) => {
    const { word, paint } = checkWord(check, screen);
    const from = plain((owners.get(check.run) ?? ['plan']).join(', '), screen.ascii);
    const ms = check.end === null || check.end.reused ? '' : formatDuration(check.end.ms);
    return { word, paint, ms, run: plain(check.run, screen.ascii), from: from + restoredWords(check) };
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

/** Not a check of the tree as it is: the person has to know. */
function restoredWords({ end }: CheckView): string {
  const changed = end?.restored.length ?? 0;
  return changed === 0 ? '' : `; with ${counted(changed, 'changed file')} as before the work`;
}

function checkWord(check: CheckView, { palette }: Screen): { word: string; paint: (text: string) => string } {
  if (check.end === null) return { word: 'open', paint: palette.dim };
  if (check.end.reused) return { word: 'reused', paint: palette.green };
  return isGreen(check) ? { word: 'green', paint: palette.green } : { word: 'red', paint: palette.red };
}
