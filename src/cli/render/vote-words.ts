/** What skeptics said, and what became of the gaps they found, in words. */

import type { Verdict } from '../../contract/goal.ts';
import type { GapView, GoalView, VoteView } from '../../contract/view.ts';
import { clip, firstLine, plain } from './text.ts';

const VERDICTS: Readonly<Record<Verdict, string>> = {
  achieved: 'achieved',
  refuted: 'refuted',
  unverifiable: 'unverifiable',
  inconclusive: 'without a verdict',
};

/** Columns of a reason: it may be pages long. */
const MOST_WHY = 120;

/** `2 achieved, 1 refuted`: the votes of the last verification. */
export function voteCounts(goal: Pick<GoalView, 'votes'>): string {
  return counts(goal, () => '').join(', ');
}

/** The same, and why somebody did not say the one or the other. */
export function voteWords(goal: Pick<GoalView, 'votes'>, ascii: boolean): string {
  return counts(goal, (votes) => whyWords(votes, ascii)).join(', ');
}

function counts(
  { votes }: Pick<GoalView, 'votes'>,
  why: (votes: readonly VoteView[]) => string,
): readonly string[] {
  return (['achieved', 'refuted', 'unverifiable', 'inconclusive'] as const).flatMap((verdict) => {
    const found = votes.filter((vote) => vote.verdict === verdict);
    if (found.length === 0) return [];
    const isClear = verdict === 'achieved' || verdict === 'refuted';
    return [`${found.length} ${VERDICTS[verdict]}${isClear ? '' : why(found)}`];
  });
}

function whyWords(votes: readonly VoteView[], ascii: boolean): string {
  const why = new Set(votes.map((vote) => plain(firstLine(vote.why), ascii)).filter((words) => words !== ''));
  return why.size === 0 ? '' : `: ${clip([...why].join('; '), MOST_WHY, ascii)}`;
}

/** Whether all said achieved; also when there was nobody to ask. */
export function isUnanimous({ votes }: Pick<GoalView, 'votes'>): boolean {
  return votes.every(({ verdict }) => verdict === 'achieved');
}

export function fateWords({ state, closedIn, againIn, outvoted }: GapView): string {
  if (outvoted !== null) return `outvoted ${outvoted.achieved} to ${outvoted.refuted}`;
  if (againIn !== null) return `again in ${againIn}`;
  if (closedIn !== null) return `closed in ${closedIn}`;
  return state === 'closed' ? 'not judged again' : state;
}
