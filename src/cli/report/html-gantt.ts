/** The timeline as bars: plain boxes placed in percent, so that they fit any width. */

import { formatDuration } from '../../contract/amount.ts';
import type { NodeId } from '../../contract/ids.ts';
import { CAPS, some } from './caps.ts';
import { scaleOf, type Scale } from './gantt-scale.ts';
import { moreHtml, section } from './html-parts.ts';
import { html, NOTHING, type Html } from './html-text.ts';
import type { ReportData } from './report-data.ts';
import { stamp } from './tables.ts';
import { KIND_WORDS, pauseWords, rowTimes } from './timeline-words.ts';
import type { Pause, Segment, SegmentKind, TimelineRow } from './timeline.ts';

export function ganttSection({ timeline, nodes }: ReportData): Html {
  const { rows, from, to, pauses } = timeline;
  if (rows.length === 0 || to <= from) return NOTHING;
  const slugs = new Map<NodeId | null, string>(nodes.map(({ id, slug }) => [id, slug]));
  const scale = scaleOf(timeline);
  const { shown, more } = some(rows, CAPS.bars);
  const still = pauses.map((pause) => bar('z', pause, { scale, words: '' }));
  const lines = shown.map((row) => rowHtml(row, slugs.get(row.node) ?? 'planning', { scale, still }));
  return section(
    'Timeline',
    html`<table class="gantt">
        <thead>
          <tr>
            <th scope="col">node</th>
            <th scope="col" class="ends"><span>${stamp(from)}</span><span>${stamp(to)}</span></th>
            <th scope="col" class="n">at work</th>
          </tr>
        </thead>
        <tbody>
          ${lines}
        </tbody>
      </table>
      ${moreHtml(more, ' nodes')}${keyHtml(shown, pauses)}${pauseList(pauses, scale)}`,
  );
}

interface Bars {
  readonly scale: Scale;
  readonly still: readonly Html[];
}

function rowHtml(row: TimelineRow, name: string, { scale, still }: Bars): Html {
  const { segments } = row;
  const { busy, from, to } = rowTimes(row);
  const { shown } = some(merged(segments), CAPS.segments);
  const bars = shown.map((segment) =>
    bar(`k-${segment.kind}`, segment, { scale, words: KIND_WORDS[segment.kind] }),
  );
  const words = `${name}: from ${stamp(from)} to ${stamp(to)}, ${formatDuration(busy)} at work`;
  return html`<tr>
    <th scope="row" class="mono">${name}</th>
    <td class="t"><div class="track" role="img" aria-label="${words}">${still}${bars}</div></td>
    <td class="n">${formatDuration(busy)}</td>
  </tr> `;
}

/** With too many to draw, neighbours become one: what lasted between them is a fraction of a pixel then. */
function merged(segments: readonly Segment[]): readonly Segment[] {
  if (segments.length <= CAPS.segments) return segments;
  const each = Math.ceil(segments.length / CAPS.segments);
  return Array.from({ length: Math.ceil(segments.length / each) }, (_, i) => {
    const part = segments.slice(i * each, (i + 1) * each);
    const [first] = part;
    return { kind: first?.kind ?? 'work', from: first?.from ?? 0, to: part.at(-1)?.to ?? 0 };
  });
}

function bar(
  kind: string,
  { from, to }: Pick<Segment, 'from' | 'to'>,
  { scale, words }: { readonly scale: Scale; readonly words: string },
): Html {
  const left = scale.x(from);
  const wide = Math.max(0, scale.x(to) - left);
  const title = words === '' ? NOTHING : html` title="${words}, ${formatDuration(to - from)}"`;
  return html`<i class="${kind}" style="left:${left.toFixed(2)}%;width:${wide.toFixed(2)}%" ${title}></i>`;
}

function keyHtml(rows: readonly TimelineRow[], pauses: readonly Pause[]): Html {
  const kinds = new Set(rows.flatMap(({ segments }) => segments.map(({ kind }) => kind)));
  const all: readonly SegmentKind[] = ['work', 'verify', 'parked'];
  const present = all.filter((kind) => kinds.has(kind));
  const keys = present.map((kind) => html`<span><i class="k-${kind}"></i>${KIND_WORDS[kind]}</span>`);
  const still = pauses.length === 0 ? NOTHING : html`<span><i class="z"></i>the run stood still</span>`;
  return html`<p class="key dim">${keys}${still}</p>`;
}

function pauseList(pauses: readonly Pause[], scale: Scale): Html {
  if (pauses.length === 0) return NOTHING;
  const { shown, more } = some(pauses, CAPS.pauses);
  const items = shown.map((pause) => html`<li>${pauseWords(pause)}</li>`);
  const cut = scale.cut ? html`<p class="dim">Long pauses are drawn short.</p>` : NOTHING;
  return html`<ul class="plain dim">
      ${items}
    </ul>
    ${moreHtml(more, ' pauses')}${cut}`;
}
