/** Parts that several sections of the page are made of. */

import { glyphOf } from '../render/words.ts';
import { cutText } from './caps.ts';
import type { DiffStat } from './file-report.ts';
import { html, linesHtml, NOTHING, type Html } from './html-text.ts';
import type { NodeReport } from './node-report.ts';
import { changeWords, type Column, type Fact } from './tables.ts';
import { some } from './caps.ts';

export function section(title: string, body: Html): Html {
  return html`<section class="card">
    <h2>${title}</h2>
    ${body}
  </section> `;
}

/** Nothing, when there is nothing more. */
export function moreHtml(more: number, words: string): Html {
  return more === 0 ? NOTHING : html`<p class="dim">and ${more} more${words}</p>`;
}

export function statusTag({ status }: Pick<NodeReport, 'status'>): Html {
  return html`<span class="tag s-${status}">${glyphOf(status, { ascii: false })} ${status}</span>`;
}

export function factList(name: string, facts: readonly Fact[]): Html {
  const rows = facts.map(
    ({ label, value }) =>
      html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`,
  );
  return html`<dl class="${name}">${rows}</dl>`;
}

/** A list of names and values in two columns. */
export function setupList(facts: readonly Fact[]): Html {
  const rows = facts.map(
    ({ label, value }) =>
      html`<dt>${label}</dt>
        <dd>${value}</dd>`,
  );
  return html`<dl class="setup">${rows}</dl>`;
}

interface Table<T> {
  /** Of the first column, whose cells name the rows. */
  readonly head: string;
  readonly name: (row: T) => Html;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly foot?: T;
  /** For people who cannot see it. */
  readonly label: string;
  /** What a cell shows in place of its text; null leaves it at that. */
  readonly cell?: (row: T, column: Column<T>) => Html | null;
}

export function table<T>({ head, name, columns, rows, foot, label, cell }: Table<T>): Html {
  const heads = columns.map((column) => html`<th scope="col" ${classOf(column)}>${column.head}</th>`);
  const line = (row: T): Html => {
    const cells = columns.map((column) => {
      const value = column.cell(row);
      const shown = cell?.(row, column) ?? (typeof value === 'boolean' ? yesNo(value) : html`${value}`);
      return html`<td${classOf(column)} data-l="${column.head}">${shown}</td>`;
    });
    return html`<tr>
      <th scope="row">${name(row)}</th>
      ${cells}
    </tr> `;
  };
  const end =
    foot === undefined
      ? NOTHING
      : html`<tfoot>
          ${line(foot)}
        </tfoot>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">${head}</th>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows.map(line)}
      </tbody>
      ${end}
    </table>
  </div>`;
}

function classOf({ kind }: { readonly kind: Column<never>['kind'] }): Html {
  if (kind === 'text') return NOTHING;
  return kind === 'number' ? html` class="n"` : html` class="m"`;
}

function yesNo(yes: boolean): Html {
  return yes ? html`<span class="yes">✓ yes</span>` : html`<span class="no">no</span>`;
}

/** Shown when it is opened: outputs are long. */
export function outputHtml(summary: Html, text: string, isOpen: boolean): Html {
  return html`<details${isOpen ? OPEN : NOTHING}>
    <summary>${summary}</summary>
    <pre>${linesHtml(text)}</pre>
  </details>`;
}

const OPEN: Html = { html: ' open' };

export function textList(texts: readonly string[], { most, each }: { most: number; each: number }): Html {
  const { shown, more } = some(texts, most);
  const items = shown.map((text) => html`<li>${cutText(text, each)}</li>`);
  return html`<ul class="plain">
      ${items}
    </ul>
    ${moreHtml(more, '')}`;
}

export function linesHtmlOf({ added, removed }: Pick<DiffStat, 'added' | 'removed'>): Html {
  return html`<span class="plus">+${added}</span> <span class="minus">−${removed}</span>`;
}

export function fileTable({ files }: DiffStat, most: number): Html {
  const { shown, more } = some(files, most);
  const rows = shown.map((file) => {
    const lines =
      file.added === null || file.removed === null
        ? html`binary`
        : linesHtmlOf({ added: file.added, removed: file.removed });
    return html`<tr>
      <th scope="row"><span class="mono">${file.path}</span></th>
      <td>${changeWords(file)}</td>
      <td class="g">${lines}</td>
    </tr> `;
  });
  return html`<table class="rows">
      <thead>
        <tr>
          <th scope="col">file</th>
          <th scope="col">change</th>
          <th scope="col">lines</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
    ${moreHtml(more, ' files')}`;
}
