/** What a run has changed: files and lines, in total and node by node. */

import type { NodeId } from '../../contract/ids.ts';
import type { ChangedFile } from '../../os/shadow-git-diff.ts';

export interface RunDiffs {
  /** Since the first base of the run; null when it cannot be told. */
  readonly total: readonly ChangedFile[] | null;
  /** Since each node's own base. */
  readonly nodes: ReadonlyMap<NodeId, readonly ChangedFile[]>;
  /** Why some of it is missing, for a person; null when nothing is. */
  readonly missing: string | null;
}

export interface DiffStat {
  readonly files: readonly ChangedFile[];
  readonly added: number;
  readonly removed: number;
  /** Files whose lines cannot be counted. */
  readonly binary: number;
}

export interface FileReport {
  readonly total: DiffStat | null;
  readonly missing: string | null;
}

export function fileReport(diffs: RunDiffs | null): FileReport | null {
  if (diffs === null) return null;
  return { total: diffs.total && statOf(diffs.total), missing: diffs.missing };
}

export function statOf(files: readonly ChangedFile[]): DiffStat {
  const sum = (key: 'added' | 'removed') => files.reduce((all, file) => all + (file[key] ?? 0), 0);
  return {
    files,
    added: sum('added'),
    removed: sum('removed'),
    binary: files.filter(({ added }) => added === null).length,
  };
}
