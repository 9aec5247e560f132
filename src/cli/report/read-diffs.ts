/** The files that a run has changed, read from its snapshots. What cannot be read is said, and stops nothing. */

import type { NodeId } from '../../contract/ids.ts';
import type { StoredEvent } from '../../contract/ports.ts';
import type { ChangedFile } from '../../os/shadow-git-diff.ts';
import type { PatchOptions } from '../../os/shadow-git-patch.ts';
import { filesBetween } from '../../os/shadow-git-stat.ts';
import type { RunDiffs } from './file-report.ts';
import { spansOf, type Span } from './spans.ts';

/** Nodes that are compared; each takes two calls of git. */
const MOST_NODES = 100;

/** Null when no snapshots were taken. */
export async function readDiffs(
  options: PatchOptions,
  events: readonly StoredEvent[],
): Promise<RunDiffs | null> {
  const { total, nodes } = spansOf(events);
  if (total === null) return null;
  let missing = null as string | null;
  const read = async ({ base, tree }: Span): Promise<readonly ChangedFile[] | null> => {
    const files = await filesBetween(options, base, tree);
    if (files.ok) return files.value;
    missing ??= `What was changed cannot be told: ${files.fault.message}`;
    return null;
  };
  const all = await read(total);
  const found = new Map<NodeId, readonly ChangedFile[]>();
  for (const [node, span] of [...nodes].slice(0, MOST_NODES)) {
    // Without the snapshots of one there are mostly none of the others.
    const files = missing === null ? await read(span) : null;
    if (files !== null) found.set(node, files);
  }
  if (nodes.size > MOST_NODES) missing ??= `Only ${MOST_NODES} nodes were compared with their bases.`;
  return { total: all, nodes: found, missing };
}
