/** What is stored of every session, in order: from this one goes on after a crash, and counts what has come before. */

import type { RunEvent } from '../contract/event.ts';
import { sessionKey, type SessionEvent, type SessionId } from '../contract/session-event.ts';

/** One step of a conversation, as it was stored. */
export type Piece = SessionEvent;

export interface SessionIndex {
  /** Takes every stored event of the run; those of no session are passed over. */
  add(event: RunEvent): void;
  of(id: SessionId): readonly Piece[];
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
  };
}

export function tracesOf(pieces: readonly Piece[]) {
  return pieces.flatMap((piece) => (piece.type === 'tools.ended' ? piece.results : []));
}

/**
 * Counts how often a result has come since anything new did, those of the pieces first: whoever gets somewhere in
 * between is in no loop. The function takes the next hash and tells its count.
 */
export function repeatCounter(pieces: readonly Piece[]): (hash: string) => number {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const add = (hash: string) => {
    if (!seen.has(hash)) counts.clear();
    seen.add(hash);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    return count;
  };
  for (const { hash } of tracesOf(pieces)) add(hash);
  return add;
}

/**
 * Results of this round that no round before had, each counted once. `silent`: tools that show nothing of the world;
 * neither does a call that did not come to pass.
 */
export function newResults(pieces: readonly Piece[], round: number, silent: ReadonlySet<string>): number {
  const before = new Set(tracesOf(pieces.filter((piece) => piece.round < round)).map(({ hash }) => hash));
  const now = tracesOf(pieces.filter((piece) => piece.round === round));
  const shown = now.filter(({ name, hash, ok }) => ok && !silent.has(name) && !before.has(hash));
  return new Set(shown.map(({ hash }) => hash)).size;
}
