/** The plan of a run as a drawing in HTML. */

import type { NodeId } from '../../contract/ids.ts';
import type { NodeStatus } from '../../contract/status.ts';
import { glyphOf } from '../render/words.ts';
import { boxesSvg, type SvgBox } from './dag-svg.ts';
import type { Html } from './html-text.ts';

export interface DrawnNode {
  readonly id: NodeId;
  readonly slug: string;
  readonly title: string;
  readonly status: NodeStatus;
  readonly depIds: readonly NodeId[];
}

/** Null when there is nothing to draw, or too much. */
export function planSvg(nodes: readonly DrawnNode[]): Html | null {
  const name = `The plan as a graph of ${nodes.length} nodes; the table of nodes says the same in words.`;
  return boxesSvg(nodes.map(nodeBox), { name });
}

function nodeBox({ id, depIds, slug, title, status }: DrawnNode): SvgBox {
  const glyph = glyphOf(status, { ascii: false });
  const tip = `${slug}: ${status}`;
  return { id, depIds, shape: 'box', look: `s-${status}`, glyph, name: slug, often: '', title, tip };
}
