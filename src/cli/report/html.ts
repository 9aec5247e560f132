/** A report as one HTML file that needs nothing else: no script, no font, no picture, no address. */

import { firstLine } from '../render/text.ts';
import { CAPS, cutText, someNodes } from './caps.ts';
import { planSvg } from './plan-svg.ts';
import { flowSections } from './html-flow.ts';
import { ganttSection } from './html-gantt.ts';
import { nodeSections } from './html-nodes.ts';
import {
  factList,
  fileTable,
  linesHtmlOf,
  moreHtml,
  section,
  setupList,
  statusTag,
  table,
} from './html-parts.ts';
import { FLOW_STYLE, STYLE } from './html-style.ts';
import { html, linesHtml, NOTHING, type Html } from './html-text.ts';
import type { NextStep } from './outcome.ts';
import type { NodeReport } from './node-report.ts';
import type { ReportData } from './report-data.ts';
import { sharedNote } from './shared-note.ts';
import {
  keyFacts,
  nodeColumns,
  recordWords,
  setupFacts,
  spendColumns,
  spendNotes,
  spendRows,
  stamp,
} from './tables.ts';

/** Whatever the page may hold by mistake: it loads nothing and runs nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export function toHtml(data: ReportData): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${{ html: POLICY }}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${titleOf(data)}: goalgraph ${data.run}</title>
        <style>
          ${{ html: data.flow === null ? STYLE : STYLE + FLOW_STYLE }}
        </style>
      </head>
      <body>
        ${headHtml(data)}
        <main>
          ${[nextSection(data.next), ...bodySections(data), ganttSection(data), spendSection(data)]}
          ${[fileSection(data), nodeParts(data), section('How it ran', setupList(setupFacts(data)))]}
        </main>
        ${footHtml(data)}
      </body>
    </html> `;
  return page.html;
}

function titleOf({ objective }: ReportData): string {
  const line = firstLine(objective);
  return line === '' ? 'A run' : cutText(line, 200);
}

function headHtml(data: ReportData): Html {
  const rest = data.objective.trim() === firstLine(data.objective) ? NOTHING : objectiveHtml(data);
  return html`<header>
    <p class="dim">goalgraph report · run <span class="mono">${data.run}</span></p>
    <h1>${titleOf(data)}</h1>
    ${rest}
    <p class="outcome ${toneOf(data)}">${data.outcome}</p>
    ${detailHtml(data)}${factList('facts', keyFacts(data))}
  </header> `;
}

function objectiveHtml({ objective }: ReportData): Html {
  return html`<details>
    <summary>The whole objective</summary>
    <pre>${linesHtml(cutText(objective.trim(), CAPS.objective))}</pre>
  </details> `;
}

/** Who or what paused it; the faults of a plan that was refused have lines of their own. */
function detailHtml({ detail, status }: ReportData): Html {
  const text = (detail ?? '').trim();
  if (status !== 'paused' || text === '') return NOTHING;
  return html`<pre>${linesHtml(cutText(text, CAPS.objective))}</pre> `;
}

function toneOf({ status, why, counts }: ReportData): string {
  if (status === 'complete') return counts.skipped > 0 ? 'warn' : 'good';
  if (status === 'paused') return why === 'stuck' && counts.failed > 0 ? 'bad' : 'warn';
  return status === 'running' || status === 'planning' ? 'busy' : 'calm';
}

function nextSection(steps: readonly NextStep[]): Html {
  if (steps.length === 0) return NOTHING;
  const items = steps.map((step) =>
    step.type === 'about'
      ? html`<li class="about">${step.text}</li>`
      : html`<li><code>${step.command}</code> <span class="dim">${step.does}</span></li>`,
  );
  return section(
    'What you can do now',
    html`<ul class="next">
      ${items}
    </ul>`,
  );
}

/** The one node of a flow says nothing that its moves do not. */
function bodySections(data: ReportData): readonly Html[] {
  return data.flow === null ? [planSection(data), nodeTable(data)] : [flowSections(data)];
}

function nodeParts({ flow, nodes }: ReportData): Html {
  return flow === null ? nodeSections(nodes) : NOTHING;
}

function planSection({ nodes }: ReportData): Html {
  const drawing = planSvg(nodes);
  if (drawing === null) {
    const words = `The plan has ${nodes.length} nodes: too many to be drawn.`;
    return nodes.length === 0 ? NOTHING : section('The plan', html`<p class="dim">${words}</p>`);
  }
  return section(
    'The plan',
    html`<div class="scroll" tabindex="0" role="region" aria-label="The plan, drawn">${drawing}</div>`,
  );
}

function nodeTable(data: ReportData): Html {
  const { nodes } = data;
  if (nodes.length === 0) return NOTHING;
  const { shown, more } = someNodes(nodes, CAPS.rows);
  const body = table({
    head: 'node',
    label: 'The nodes',
    columns: nodeColumns(data),
    rows: shown,
    name: nodeName,
    cell: (node, { head }) => {
      if (head === 'status') return statusTag(node);
      const { diff } = node;
      return head === 'lines' && diff !== null && diff.files.length > 0 ? linesHtmlOf(diff) : null;
    },
  });
  return section(
    'The nodes',
    html`${body}${moreHtml(more, ' nodes')}
      <p class="dim">${recordWords(data)}</p>`,
  );
}

function nodeName({ slug, title, reason }: NodeReport): Html {
  const sub = (text: string): Html =>
    text.trim() === '' || text === slug ? NOTHING : html` <span class="sub">${cutText(text, 200)}</span>`;
  return html`<span class="mono">${slug}</span>${sub(title)}${sub(reason ?? '')}`;
}

/** More of them are shown when they are asked for. */
const FEW_FILES = 15;

function fileSection(data: ReportData): Html {
  const { files } = data;
  if (files === null) return NOTHING;
  const note = sharedNote(data);
  const missing = files.missing === null ? NOTHING : html`<p class="dim">${files.missing}</p>`;
  const shared = note === null ? NOTHING : html`<p class="dim">${note}</p>`;
  const { total } = files;
  if (total === null) return files.missing === null ? NOTHING : section('Changed files', missing);
  if (total.files.length === 0)
    return section(
      'Changed files',
      html`<p>None.</p>
        ${missing}`,
    );
  const sum = html`${total.files.length} in all ${linesHtmlOf(total)}`;
  const list = fileTable(total, CAPS.files);
  const body =
    total.files.length > FEW_FILES
      ? html`<details>
          <summary>${sum}</summary>
          ${list}
        </details>`
      : html`<p>${sum}</p>
          ${list}`;
  return section('Changed files', html`${body}${missing}${shared}`);
}

function spendSection(data: ReportData): Html {
  const { budget } = data;
  if (budget === null || budget.total.calls === 0) return NOTHING;
  const { roles, models, total } = spendRows(budget);
  const columns = spendColumns(budget);
  const name = (row: { readonly name: string }): Html => html`${row.name}`;
  const notes = spendNotes(budget, data).map((note) => html`<p class="dim">${note}</p>`);
  const byRole = table({
    head: 'role',
    label: 'Tokens, role by role',
    columns,
    rows: roles,
    foot: total,
    name,
  });
  const byModel =
    models.length === 0
      ? NOTHING
      : html`<h4>Model by model</h4>
          ${table({ head: 'model', label: 'Tokens, model by model', columns, rows: models, name })}`;
  return section('What it used', html`${byRole}${byModel}${notes}`);
}

function footHtml({ lastAt }: ReportData): Html {
  return html`<footer>
    <p>Made by goalgraph from the stored events of the run, as of ${stamp(lastAt)}.</p>
  </footer>`;
}
