/** What a model did for a node, as front ends show it. */

import type { GapView, GoalView, VoteView } from '../contract/view.ts';
import type { GapRecord, GoalRecord, VoteRecord } from './goal-records.ts';
import type { ModelGoalContext } from './model-goal-context.ts';

export interface GoalSeen {
  readonly record: GoalRecord | null;
  /** The goal itself, while there is one. */
  readonly live: ModelGoalContext | null;
  readonly achieved: boolean;
  /** Commands of the node's checks, by place. */
  readonly checks: readonly string[];
}

export function goalView(seen: GoalSeen): GoalView {
  const { record, live } = seen;
  const rounds = record?.rounds ?? [];
  return {
    round: live?.round ?? rounds.at(-1)?.round ?? 0,
    verification: live?.verification ?? record?.votes.at(-1)?.verification ?? 0,
    gaps: gapViews(seen),
    votes: standingVotes(record).map(({ seat, verdict, why }): VoteView => ({ seat, verdict, why })),
    injections: (record?.votes ?? []).flatMap(({ injection }) => injection ?? []),
    tokens: record?.tokens ?? 0,
    turns: record?.turns ?? 0,
    sameShare: record && record.sent > 0 ? record.same / record.sent : null,
    discovered: rounds.flatMap(({ report }) => report?.discovered ?? []),
    summary: rounds.findLast(({ report }) => report !== null)?.report?.summary ?? null,
    doing: record?.doing ?? null,
    until: live?.next === 'parked' ? live.until : null,
    patch: record?.kept?.patch ?? null,
  };
}

const STALE: Pick<VoteRecord, 'verdict' | 'why'> = {
  verdict: 'inconclusive',
  why: 'the tree was changed meanwhile',
};

/** Of each seat of the last verification the last vote; one on another tree than the last of all counts for nobody. */
function standingVotes(record: GoalRecord | null): readonly VoteRecord[] {
  const last = record?.votes.at(-1);
  if (!last) return [];
  const seats = new Map<number, VoteRecord>();
  for (const vote of record?.votes ?? []) {
    if (vote.verification !== last.verification) continue;
    seats.set(vote.seat, vote.tree === last.tree ? vote : { ...vote, ...STALE });
  }
  return [...seats.values()].sort((a, b) => a.seat - b.seat);
}

/** What the goal still holds against the worker is open; of one that ended short, what was found last. */
function gapViews({ record, live, achieved, checks }: GoalSeen): readonly GapView[] {
  const found = record?.gaps ?? [];
  const last = found.at(-1)?.round ?? 0;
  const lastClaim = achieved ? (record?.rounds.at(-1)?.round ?? 0) : null;
  const standing = achieved ? standingVotes(record) : [];
  const count = (verdict: VoteRecord['verdict']) =>
    standing.filter((vote) => vote.verdict === verdict).length;
  return found.map((gap) => {
    const text = textOf(gap, checks);
    const common = { round: gap.round, from: gap.from, text, closedIn: null, againIn: null, outvoted: null };
    if (gap.vote && standing.includes(gap.vote)) {
      const outvoted = { achieved: count('achieved'), refuted: count('refuted') };
      return { ...common, state: 'outvoted', outvoted };
    }
    // Against the present claim: the judges are not done with it.
    const isNew = gap.round === (live?.round ?? last);
    const isHeld = live?.gaps.some((open) => open.from === gap.from && open.text.startsWith(text));
    const isOpen = isNew || isHeld === true;
    const state = achieved || !isOpen ? 'closed' : 'open';
    return { ...common, state, ...judgedAgain(gap, found, lastClaim) };
  });
}

/**
 * Closed by the first later claim of which this gap was not held any more. A claim that a check refuted was not seen
 * by a skeptic: it says nothing about a skeptic's gap.
 */
function judgedAgain(
  gap: GapRecord,
  found: readonly GapRecord[],
  lastClaim: number | null,
): Pick<GapView, 'closedIn' | 'againIn'> {
  const later = found.filter(({ round }) => round > gap.round);
  for (const round of new Set(later.map((each) => each.round))) {
    const then = later.filter((each) => each.round === round);
    if (then.some((other) => isSame(other, gap))) return { closedIn: null, againIn: round };
    if (gap.from !== 'skeptic' || then.some(({ from }) => from === 'skeptic')) {
      return { closedIn: round, againIn: null };
    }
  }
  return { closedIn: lastClaim, againIn: null };
}

/** A red check is the same gap also when it says something else by now. */
function isSame(a: GapRecord, b: GapRecord): boolean {
  return a.from === b.from && (a.check === null ? a.text === b.text : a.check === b.check);
}

function textOf({ check, text }: GapRecord, checks: readonly string[]): string {
  return check === null ? text : `check \`${checks[check] ?? ''}\`: ${text}`;
}
