/** What a model did for a node, as front ends show it. */

import type { GapView, GoalView } from '../contract/view.ts';
import type { GapRecord, GoalRecord } from './goal-records.ts';
import type { ModelGoalContext } from './model-goal.ts';

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

/** What the goal still holds against the worker is open; of one that ended short, what was found last. */
function gapViews({ record, live, achieved, checks }: GoalSeen): readonly GapView[] {
  const found = record?.gaps ?? [];
  const last = found.at(-1)?.round ?? 0;
  return found.map((gap) => {
    const text = textOf(gap, checks);
    const isOpen = live
      ? live.gaps.some((open) => open.from === gap.from && open.text.startsWith(text))
      : gap.round === last;
    return { round: gap.round, from: gap.from, text, closed: achieved || !isOpen };
  });
}

function textOf({ check, text }: GapRecord, checks: readonly string[]): string {
  return check === null ? text : `check \`${checks[check] ?? ''}\`: ${text}`;
}
