/**
 * A check of a model's node. It runs in the workspace as any check does; if it is green, and what it rests on was
 * changed since the node's base, it runs again in a copy that has those files as they were, and that end counts.
 *
 * What was changed is looked at before and after the run: a program under test could put its traces right.
 */

import { effectKey, type CheckCommand } from '../contract/command.ts';
import type { CheckEnded, Ended } from '../contract/event.ts';
import { ok, type Result } from '../contract/fault.ts';
import type { Runner } from '../contract/ports.ts';
import type { Copies } from '../os/copies.ts';
import type { ShadowGit, SnapshotId } from '../os/shadow-git.ts';
import { fenceOf, GREEN } from './perform.ts';

export interface GuardedCheckDeps {
  /** In the workspace. */
  readonly runner: Runner;
  /** The same in another folder: a copy. */
  readonly runnerIn: (root: string) => Pick<Runner, 'run'>;
  readonly shadow: Pick<ShadowGit, 'snapshot' | 'diff' | 'files'>;
  readonly copies: Copies;
  /** Milliseconds a check may take. */
  readonly timeout: number;
  /** Of what was changed since its base: what must be as it was there when the check is run again. */
  readonly putBack: (effect: CheckCommand, seen: Seen) => readonly string[];
}

export interface Seen {
  readonly filesAtBase: readonly string[];
  readonly changed: readonly string[];
}

/** `failed`: nothing is known of the check, and nobody may take it for green. */
export type GuardedCheckEnd = Omit<CheckEnded, 'at'> | CheckFailed;

export interface CheckFailed {
  readonly type: 'failed';
  readonly why: 'infra';
  readonly detail: string;
}

export async function guardedCheck(
  deps: GuardedCheckDeps,
  effect: CheckCommand,
  signal: AbortSignal,
): Promise<GuardedCheckEnd> {
  const { runner, timeout } = deps;
  const tree = await runner.fingerprint();
  const before = effect.base === null ? null : await look(deps, effect.base);
  if (before !== null && !before.ok) return failed(before.fault.message);
  // It was green on this very tree, but for a node that may have begun after somebody had bent what it rests on.
  const bent = before === null ? [] : deps.putBack(effect, before.value);
  if (tree !== null && tree === effect.green && bent.length === 0) {
    return ended(effect, { tree, reused: true, end: GREEN });
  }
  const job = { key: effectKey(effect), command: effect.run, timeout };
  const end = await runner.run(job, signal);
  if (effect.base === null || before === null || !isGreen(end)) {
    return ended(effect, { tree, reused: false, end });
  }
  const after = await look(deps, effect.base);
  if (!after.ok) return failed(after.fault.message);
  const { filesAtBase } = before.value;
  const changed = [...new Set([...before.value.changed, ...after.value.changed])].sort();
  const restored = deps.putBack(effect, { filesAtBase, changed });
  if (restored.length === 0) return ended(effect, { tree, reused: false, end });
  const { base } = effect;
  const again = await inCopy(deps, { tree: before.value.tree, base, restored }, (runnerThere) =>
    runnerThere.run(job, signal),
  );
  if (!again.ok) return failed(again.fault.message);
  return ended(effect, { tree, reused: false, end: noted(again.value, restored), restored });
}

interface Look {
  /** The workspace as it is. */
  readonly tree: SnapshotId;
  /** Paths of the base or of now that are not the same in both. */
  readonly changed: readonly string[];
  readonly filesAtBase: readonly string[];
}

async function look(deps: GuardedCheckDeps, base: SnapshotId): Promise<Result<Look, Told>> {
  const tree = await deps.shadow.snapshot();
  if (!tree.ok) return tree;
  // The list alone: of the patch one byte is too much already.
  const diff = await deps.shadow.diff(base, tree.value, 1);
  if (!diff.ok) return diff;
  const now = await deps.shadow.files();
  if (!now.ok) return now;
  const { files } = diff.value;
  const moved = files.flatMap(({ from }) => (from === null ? [] : [from]));
  const added = files.flatMap(({ path, change }) => (change === 'added' || change === 'moved' ? [path] : []));
  const gone = [...moved, ...files.flatMap(({ path, change }) => (change === 'deleted' ? [path] : []))];
  const atBase = new Set([...now.value, ...gone]);
  for (const path of added) if (!gone.includes(path)) atBase.delete(path);
  const changed = [...files.map(({ path }) => path), ...moved];
  return ok({ tree: tree.value, changed, filesAtBase: [...atBase].sort() });
}

/** What all faults have. */
interface Told {
  readonly message: string;
}

interface Restored {
  readonly tree: SnapshotId;
  readonly base: SnapshotId;
  readonly restored: readonly string[];
}

async function inCopy(
  { copies, runnerIn }: GuardedCheckDeps,
  { tree, base, restored }: Restored,
  use: (runner: Pick<Runner, 'run'>) => Promise<Ended>,
): Promise<Result<Ended, Told>> {
  const made = await copies.copy(tree);
  if (!made.ok) return made;
  const copy = made.value;
  try {
    const back = await copies.restore(copy, base, restored);
    return back.ok ? ok(await use(runnerIn(copy.root))) : back;
  } finally {
    await copy.remove();
  }
}

const LONGEST_TAIL = 2_000;
const MOST_NAMES = 10;

/** A red end says first what was different, for its output alone would send the worker to the wrong place. */
function noted(end: Ended, restored: readonly string[]): Ended {
  if (isGreen(end)) return end;
  const names = restored.slice(0, MOST_NAMES).map((path) => path.slice(0, 100));
  const more = restored.length > names.length ? ` and ${restored.length - names.length} more` : '';
  const note = `[run in a copy that has these files as they were before this node's work: ${names.join(', ')}${more}]`;
  const room = LONGEST_TAIL - note.length - 1;
  const tail = end.tail.length > room ? end.tail.slice(-room) : end.tail;
  return { ...end, tail: tail === '' ? note : `${note}\n${tail}` };
}

function isGreen(end: Ended): boolean {
  return end.outcome === 'exit' && end.exit === 0;
}

interface Outcome {
  readonly tree: string | null;
  readonly reused: boolean;
  readonly end: Ended;
  readonly restored?: readonly string[];
}

function ended(effect: CheckCommand, outcome: Outcome): Omit<CheckEnded, 'at'> {
  const { tree, reused, end, restored = [] } = outcome;
  return { type: 'check.ended', ...fenceOf(effect), check: effect.check, tree, reused, restored, ...end };
}

function failed(detail: string): CheckFailed {
  return { type: 'failed', why: 'infra', detail };
}
