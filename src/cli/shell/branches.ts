/** The branches that can be typed just now. */

import type { RunView } from '../../contract/view.ts';
import { branchesHere } from '../../graph/branch.ts';

/** None unless the run that is seen is a flow at a decision. */
export function branchesOf(view: RunView | null): readonly string[] {
  const isOpen = view?.status === 'running' || view?.status === 'paused';
  return isOpen && view.flow ? branchesHere(view.flow) : [];
}
