/** What is stored of every session, in order: from this one goes on after a crash, and counts what has come before. */

import type { RunEvent } from '../contract/event.ts';
import type { NodeId } from '../contract/ids.ts';
import { sessionKey, type SessionEvent, type SessionId } from '../contract/session-event.ts';

/** One step of a conversation, as it was stored. */
export type Piece = SessionEvent;

export interface SessionIndex {
  /** Takes every stored event of the run; those of no session are passed over. */
  add(event: RunEvent): void;
  of(id: SessionId): readonly Piece[];
  /** Hashes of all tool results of a goal's worker, all rounds. */
  hashesOf(node: NodeId | null, born: number): ReadonlySet<string>;
}

export function sessionIndex(): SessionIndex {
  const sessions = new Map<string, Piece[]>();

  function of(id: SessionId): readonly Piece[] {
    // A copy: a reader must not see it grow.
    return [...(sessions.get(sessionKey(id)) ?? [])];
  }

  return {
    of,
    add(event) {
      if (!('session' in event)) return;
      const key = sessionKey(event.session);
      const pieces = sessions.get(key);
      if (pieces === undefined) sessions.set(key, [event]);
      else pieces.push(event);
    },
    hashesOf: (node, born) =>
      new Set(tracesOf(of({ role: 'worker', node, born, series: 1, seat: 1 })).map(({ hash }) => hash)),
  };
}

export function tracesOf(pieces: readonly Piece[]) {
  return pieces.flatMap((piece) => (piece.type === 'tools.ended' ? piece.results : []));
}

/** How often each result has come, by its hash. */
export function repeatsOf(pieces: readonly Piece[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { hash } of tracesOf(pieces)) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

/** Results of this round that no round before had, each counted once. `silent`: tools that show nothing of the world. */
export function newResults(pieces: readonly Piece[], round: number, silent: ReadonlySet<string>): number {
  const before = new Set(tracesOf(pieces.filter((piece) => piece.round < round)).map(({ hash }) => hash));
  const now = tracesOf(pieces.filter((piece) => piece.round === round));
  return new Set(
    now.filter(({ name, hash }) => !silent.has(name) && !before.has(hash)).map(({ hash }) => hash),
  ).size;
}
