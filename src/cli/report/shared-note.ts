/** What has to be known of the files that are listed node by node. */

import type { NodeId } from '../../contract/ids.ts';
import type { ReportData } from './report-data.ts';
import { rowTimes } from './timeline-words.ts';

/** A node is compared with its own base: what a neighbour wrote meanwhile is in there as well. */
export function sharedNote({ nodes, timeline }: Pick<ReportData, 'nodes' | 'timeline'>): string | null {
  const compared = new Set<NodeId | null>(nodes.flatMap(({ id, diff }) => (diff === null ? [] : [id])));
  const spans = timeline.rows
    .filter(({ node, segments }) => segments.length > 0 && compared.has(node))
    .map((row) => rowTimes(row))
    .sort((a, b) => a.from - b.from);
  const sideBySide = spans.some(({ to }, i) => (spans[i + 1]?.from ?? Infinity) < to);
  if (!sideBySide) return null;
  return 'Nodes that worked side by side shared one folder: a file that one wrote may be listed with the other, too.';
}
