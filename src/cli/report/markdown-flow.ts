/** A flow in Markdown: its chart as it is drawn on the screen, and the moves one by one. */

import { flowChart } from '../render/flow-chart.ts';
import type { Screen } from '../render/screen.ts';
import { CAPS, some } from './caps.ts';
import type { FlowReport } from './flow-report.ts';
import {
  BEFORE,
  exitWords,
  MOVE_COLUMNS,
  moveName,
  moveRows,
  trailNotes,
  unreachableWords,
} from './flow-rows.ts';
import { code, fenced, moreLine, prose, tableLines } from './markdown-text.ts';
import type { ReportData } from './report-data.ts';

export function flowParts({ flow, nodes }: ReportData, screen: Screen): readonly string[] {
  if (flow === null) return [];
  return [...chartPart(flow, screen), ...trailPart(flow, nodes)];
}

function chartPart(flow: FlowReport, screen: Screen): readonly string[] {
  const { shown, more } = some(flowChart(flow, screen), CAPS.chart);
  const none = unreachableWords(flow);
  return [
    '',
    '## The flow',
    '',
    ...fenced(shown),
    ...moreLine(more, ' lines'),
    ...(none === null ? [] : ['', none]),
    ...backLines(flow),
  ];
}

/** The drawing has no arrows upwards. */
function backLines({ steps }: FlowReport): readonly string[] {
  const all = steps.flatMap(({ id, exits }) =>
    exits.filter(({ back }) => back).map((exit) => `- ${code(id)} ${prose(exitWords(exit))}`),
  );
  if (all.length === 0) return [];
  const { shown, more } = some(all, CAPS.texts);
  return ['', 'Exits that lead back, which are not drawn:', '', ...shown, ...moreLine(more, '')];
}

function trailPart(flow: FlowReport, nodes: ReportData['nodes']): readonly string[] {
  const { shown, more } = moveRows(flow);
  const title = ['', '## Its moves'];
  if (shown.length === 0) return [...title, '', 'None yet.'];
  const heads = MOVE_COLUMNS.map(({ head, kind }) => ({ head, right: kind === 'number' }));
  const rows = shown.map((row) => [
    moveName(row),
    ...MOVE_COLUMNS.map(({ head, cell }) => {
      const text = String(cell(row));
      return head === 'step' ? code(text, true) : prose(text);
    }),
  ]);
  return [
    ...title,
    ...moreLine(more, BEFORE),
    '',
    ...tableLines([{ head: 'move', right: true }, ...heads], rows),
    ...trailNotes(flow, nodes).flatMap((note) => ['', prose(note)]),
  ];
}
