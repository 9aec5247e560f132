/** Whose check a check of the final node is. */

import type { CheckView, RunView } from '../../contract/view.ts';
import { FINAL_NODE } from '../../contract/ids.ts';

/** For each check the slugs of the nodes that have it, skipped ones left out; a check that none has is the plan's own. */
export type Owners = ReadonlyMap<string, readonly string[]>;

export function checkOwners(view: RunView): Owners {
  const owners = new Map<string, string[]>();
  for (const node of view.nodes) {
    if (node.id === FINAL_NODE || node.status === 'skipped') continue;
    for (const run of new Set(node.checks.map((check) => check.run))) {
      const slugs = owners.get(run);
      if (slugs === undefined) owners.set(run, [node.slug]);
      else slugs.push(node.slug);
    }
  }
  return owners;
}

export function isGreen({ end }: CheckView): boolean {
  return end !== null && (end.reused || (end.outcome === 'exit' && end.exit === 0));
}
