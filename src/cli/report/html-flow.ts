/** A flow on the page: its chart, its steps with their exits, and the moves one by one. */

import { CAPS, cutText } from './caps.ts';
import type { FlowExitReport, FlowReport, FlowStepReport } from './flow-report.ts';
import {
  BACK,
  BEFORE,
  exitWords,
  MOVE_COLUMNS,
  moveName,
  moveRows,
  saysMore,
  someExits,
  someSteps,
  stepMark,
  trailNotes,
  unreachableWords,
  type MoveRow,
  type StepMark,
} from './flow-rows.ts';
import { flowSvg } from './flow-svg.ts';
import { moreHtml, section, table } from './html-parts.ts';
import { html, NOTHING, type Html } from './html-text.ts';
import type { ReportData } from './report-data.ts';
import type { Column } from './tables.ts';

export function flowSections({ flow, status, nodes }: ReportData): Html {
  if (flow === null) return NOTHING;
  return html`${chartSection(flow, status !== 'running')}${trailSection(flow, nodes)}`;
}

function chartSection(flow: FlowReport, isResting: boolean): Html {
  const drawing = flowSvg(flow, isResting);
  const drawn =
    drawing === null
      ? html`<p class="dim">The chart is too large to be drawn: this is the list of its steps.</p>`
      : html`<div class="scroll chart" tabindex="0" role="region" aria-label="The flow, drawn">
            ${drawing}
          </div>
          ${keyHtml(flow, isResting)}`;
  return section('The flow', html`${drawn}${stepTable(flow, isResting)}`);
}

/** The marks that occur, and what the drawing shows in another way, or not at all. */
function keyHtml(flow: FlowReport, isResting: boolean): Html {
  const reached = flow.steps.filter(({ reachable }) => reachable);
  const marks = [...new Set(reached.map((step) => stepMark(step, flow, isResting)))];
  const back = reached.some(({ exits }) => exits.some((exit) => exit.back));
  const none = unreachableWords(flow);
  return html`<p class="key dim">
      ${marks.map((mark) => html`<span>${markTag(mark)}</span>`)}
      ${back ? html`<span>${BACK} leads back to the step that it names</span>` : NOTHING}
    </p>
    ${none === null ? NOTHING : html`<p class="dim">${none}</p>`}`;
}

function markTag({ look, glyph, words }: StepMark): Html {
  return html`<span class="tag ${look}">${glyph} ${words}</span>`;
}

const STEP_COLUMNS: readonly Column<FlowStepReport>[] = [
  { head: 'state', kind: 'text', cell: () => '' },
  { head: 'kind', kind: 'text', cell: ({ kind }) => kind },
  { head: 'exits', kind: 'text', cell: ({ exits }) => exits.map(exitWords).join(', ') },
];

function stepTable(flow: FlowReport, isResting: boolean): Html {
  const { shown, more } = someSteps(flow);
  const body = table({
    head: 'step',
    label: 'The steps of the flow',
    columns: STEP_COLUMNS,
    rows: shown,
    name: stepName,
    cell: (step, { head }) => {
      if (head === 'state') return stepState(step, flow, isResting);
      return head === 'exits' && step.exits.length > 0 ? exitList(step) : null;
    },
  });
  return html`<h4>Its steps</h4>
    <div class="steps">${body}</div>
    ${moreHtml(more, ' steps')}`;
}

function stepState(step: FlowStepReport, flow: FlowReport, isResting: boolean): Html {
  const often = step.visits > 1 ? html` <span class="dim">${step.visits}×</span>` : NOTHING;
  return html`${markTag(stepMark(step, flow, isResting))}${often}`;
}

function stepName(step: FlowStepReport): Html {
  const { id, label } = step;
  const sub = saysMore(step) ? html` <span class="sub">${cutText(label, CAPS.text)}</span>` : NOTHING;
  return html`<span class="mono">${cutText(id, CAPS.choice)}</span>${sub}`;
}

function exitList(step: FlowStepReport): Html {
  const { shown, more } = someExits(step);
  const item = (exit: FlowExitReport): Html =>
    html`<li class="${exit.taken > 0 ? 'went' : 'dim'}">${exitWords(exit)}</li> `;
  const rest = more === 0 ? NOTHING : html`<li class="dim">and ${more} more</li> `;
  return html`<ul class="ways">
    ${shown.map(item)}${rest}
  </ul>`;
}

function trailSection(flow: FlowReport, nodes: ReportData['nodes']): Html {
  const { shown, more } = moveRows(flow);
  const notes = trailNotes(flow, nodes).map((note) => html`<p class="dim">${note}</p>`);
  if (shown.length === 0) return section('Its moves', html`<p>None yet.</p>`);
  const body = table({
    head: 'move',
    label: 'The moves of the flow',
    columns: MOVE_COLUMNS,
    rows: shown,
    name: (row) => html`${moveName(row)}`,
    cell: moveCell,
  });
  return section(
    'Its moves',
    html`${moreHtml(more, BEFORE)}
      <div class="trail">${body}</div>
      ${notes}`,
  );
}

const SIGN = { good: '✓', warn: '!', bad: '✗', calm: '?' } as const;

function moveCell({ move, told }: MoveRow, { head, cell }: Column<MoveRow>): Html | null {
  if (head === 'step') return html`<span class="mono">${String(cell({ move, told }))}</span>`;
  if (head !== 'what came of it') return null;
  return html`<span class="tag ${told.tone}">${SIGN[told.tone]} ${told.word}</span> ${told.text}`;
}
