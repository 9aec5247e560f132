/** Partial work of a node that is cut: kept as a patch, for a person. The workspace itself is left as it is. */

import type { MoveCommand, RoundCommand } from '../../contract/command.ts';
import type { NodeKept } from '../../contract/goal-event.ts';
import { ok } from '../../contract/fault.ts';
import type { Playing } from './world.ts';

/** Bytes of a patch that is stored; of a larger one only the snapshots are. */
const MOST = 1_000_000;

type Cut = Playing<RoundCommand | MoveCommand>;

export async function keepWork(playing: Cut, base: string | null): Promise<void> {
  const { world, effect, say } = playing;
  if (base === null) return;
  const tree = await world.shadow.snapshot();
  if (!tree.ok || tree.value === base) return;
  const kept = await patchOf(playing, base, tree.value);
  if (kept === null) return;
  await say.store((_, at) =>
    ok({ type: 'node.kept', at, node: effect.node, base, tree: tree.value, ...kept }),
  );
}

type Kept = Pick<NodeKept, 'patch' | 'files' | 'detail'>;

async function patchOf({ world }: Cut, base: string, tree: string): Promise<Kept | null> {
  const diff = await world.shadow.diff(base, tree, 1);
  if (!diff.ok) return null;
  const files = diff.value.files.length;
  const without = (detail: string): Kept => ({ patch: null, files, detail });
  const patch = await world.shadow.patch(base, tree);
  if (!patch.ok) return without(patch.fault.message);
  if (patch.value.length > MOST)
    return without(`its patch of ${patch.value.length} bytes is too large to store`);
  const stored = await world.blobs.putBlob(Buffer.from(world.mask(patch.value.toString('latin1')), 'latin1'));
  return stored.ok ? { patch: stored.value, files, detail: null } : without(stored.fault.message);
}
