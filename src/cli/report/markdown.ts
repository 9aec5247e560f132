/** A report as Markdown, for a pull request or a terminal. */

import picocolors from 'picocolors';
import { formatDuration } from '../../contract/amount.ts';
import type { NodeId } from '../../contract/ids.ts';
import { drawNodes } from '../render/dag.ts';
import { firstLine } from '../render/text.ts';
import { CAPS, cutText, some, someNodes } from './caps.ts';
import { code, fenced, moreLine, prose, tableLines } from './markdown-text.ts';
import { flowParts } from './markdown-flow.ts';
import { fileTable, nodeParts } from './markdown-nodes.ts';
import type { NodeReport } from './node-report.ts';
import type { ReportData } from './report-data.ts';
import { sharedNote } from './shared-note.ts';
import {
  keyFacts,
  linesWords,
  nodeColumns,
  recordWords,
  setupFacts,
  spendColumns,
  spendNotes,
  spendRows,
  stamp,
  type Column,
} from './tables.ts';
import { pauseWords, rowTimes } from './timeline-words.ts';

export function toMarkdown(data: ReportData): string {
  const isFlow = data.flow !== null;
  const lines = [
    ...head(data),
    ...next(data),
    ...(isFlow ? flowParts(data, SCREEN) : [...plan(data), ...nodes(data)]),
    ...timeline(data),
    ...spend(data),
    ...files(data),
    // The one node of a flow says nothing that its moves do not.
    ...(isFlow ? [] : nodeParts(data.nodes)),
    ...part(
      'How it ran',
      setupFacts(data).map(({ label, value }) => `- ${label}: ${code(value)}`),
    ),
    '',
    `Made by goalgraph from the stored events of the run, as of ${stamp(data.lastAt)}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function part(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
}

function head(data: ReportData): readonly string[] {
  const objective = data.objective.trim();
  const title = prose(cutText(firstLine(objective), 200));
  const detail = data.status === 'paused' ? (data.detail ?? '').trim() : '';
  return [
    `# ${title === '' ? 'A run' : title}`,
    '',
    `**${prose(data.outcome)}**`,
    ...(detail === '' ? [] : ['', ...fenced(cutText(detail, CAPS.objective).split(/\r\n|\r|\n/))]),
    ...(objective === firstLine(objective)
      ? []
      : ['', 'The whole objective:', '', ...fenced(cutText(objective, CAPS.objective).split(/\r\n|\r|\n/))]),
    '',
    ...keyFacts(data).map(({ label, value }) => `- ${label}: ${prose(value)}`),
  ];
}

function next({ next: steps }: ReportData): readonly string[] {
  return part(
    'What you can do now',
    steps.map((step) =>
      step.type === 'about' ? `- ${prose(step.text)}` : `- ${code(step.command)} ${prose(step.does)}`,
    ),
  );
}

const SCREEN = { columns: 100, now: 0, palette: picocolors.createColors(false), ascii: false };

function plan({ nodes: all }: ReportData): readonly string[] {
  const drawn = drawNodes(
    all.map((node) => ({ ...node, deps: node.depIds })),
    SCREEN,
  );
  if (drawn !== null) return part('The plan', fenced(drawn));
  return all.length === 0
    ? []
    : part('The plan', [`The plan has ${all.length} nodes: too many to be drawn.`]);
}

/** The cells of these columns; hostile texts are in the first column only. */
function cells<T>(row: T, columns: readonly Column<T>[]): readonly string[] {
  return columns.map(({ cell }) => {
    const value = cell(row);
    return typeof value === 'string' ? prose(value) : value ? '✓' : '–';
  });
}

function heads<T>(first: string, columns: readonly Column<T>[]) {
  return [
    { head: first, right: false },
    ...columns.map(({ head: name, kind }) => ({ head: name, right: kind === 'number' })),
  ];
}

function nodes(data: ReportData): readonly string[] {
  const { shown, more } = someNodes(data.nodes, CAPS.rows);
  if (shown.length === 0) return [];
  const columns = nodeColumns(data);
  const why = shown.some(({ reason }) => reason !== null);
  const reason = (node: NodeReport) => (why ? [prose(cutText(node.reason ?? '', 200))] : []);
  const rows = shown.map((node) => [code(node.slug, true), ...cells(node, columns), ...reason(node)]);
  const last = why ? [{ head: 'why', right: false }] : [];
  return part('The nodes', [
    ...tableLines([...heads('node', columns), ...last], rows),
    ...moreLine(more, ' nodes'),
    '',
    recordWords(data),
  ]);
}

function files(data: ReportData): readonly string[] {
  if (data.files === null) return [];
  const { total, missing } = data.files;
  const notes = [missing, sharedNote(data)].flatMap((note) => (note === null ? [] : ['', prose(note)]));
  if (total === null) return missing === null ? [] : part('Changed files', [prose(missing)]);
  if (total.files.length === 0) return part('Changed files', ['None.', ...notes]);
  const sum = `${total.files.length} in all, ${linesWords(total)}`;
  return part('Changed files', [sum, '', ...fileTable(total, CAPS.files), ...notes]);
}

function spend(data: ReportData): readonly string[] {
  const { budget } = data;
  if (budget === null || budget.total.calls === 0) return [];
  const { roles, models, total } = spendRows(budget);
  const columns = spendColumns(budget);
  const bold = (cell: string): string => (cell === '' ? '' : `**${cell}**`);
  const rowOf = (row: (typeof roles)[number]) => [code(row.name, true), ...cells(row, columns)];
  const sum = ['total', ...cells(total, columns)].map(bold);
  return part('What it used', [
    ...tableLines(heads('role', columns), [...roles.map(rowOf), sum]),
    ...(models.length === 0 ? [] : ['', ...tableLines(heads('model', columns), models.map(rowOf))]),
    ...spendNotes(budget, data).flatMap((note) => ['', prose(note)]),
  ]);
}

function timeline({ timeline: line, nodes: all }: ReportData): readonly string[] {
  if (line.rows.length === 0) return [];
  const slugs = new Map<NodeId | null, string>(all.map(({ id, slug }) => [id, slug]));
  const { shown, more } = some(line.rows, CAPS.bars);
  const right = (name: string) => ({ head: name, right: true });
  const rows = shown.map((row) => {
    const { from, to, busy, parked } = rowTimes(row);
    const waited = parked > 0 ? formatDuration(parked) : '';
    return [
      code(slugs.get(row.node) ?? 'planning', true),
      stamp(from),
      stamp(to),
      formatDuration(busy),
      waited,
    ];
  });
  const columns = [
    { head: 'node', right: false },
    right('begun'),
    right('ended'),
    right('at work'),
    right('waited'),
  ];
  const pauses = some(line.pauses, CAPS.pauses);
  return part('Timeline', [
    ...tableLines(columns, rows),
    ...moreLine(more, ' nodes'),
    ...(pauses.shown.length === 0
      ? []
      : ['', ...pauses.shown.map((pause) => `- ${prose(pauseWords(pause))}`)]),
    ...moreLine(pauses.more, ' pauses'),
  ]);
}
