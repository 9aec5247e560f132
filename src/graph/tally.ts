/** What a panel's votes come to. A vote that could not be read is never counted for anybody. */

import type { Vote } from '../contract/goal.ts';

export type Tally =
  | { readonly type: 'achieved' }
  /** Each gap once, in the order of the votes. */
  | { readonly type: 'refuted'; readonly gaps: readonly string[] }
  | { readonly type: 'unverifiable'; readonly why: string }
  /** `seats`: places in the list, from 0, of the votes that must be cast again. */
  | { readonly type: 'inconclusive'; readonly seats: readonly number[] };

/**
 * More than half achieved: achieved. Else any gap: refuted. Else any that cannot be judged: unverifiable. Else the
 * panel said too little. A vote that contradicts itself (achieved with gaps, refuted without) counts for what cannot
 * do harm: its gaps if it has any, else for nothing.
 */
export function tally(votes: readonly Vote[]): Tally {
  const achieved = votes.filter(({ verdict, gaps }) => verdict === 'achieved' && gaps.length === 0);
  if (achieved.length * 2 > votes.length) return { type: 'achieved' };
  const gaps = new Set(votes.filter(objects).flatMap((vote) => vote.gaps));
  if (gaps.size > 0) return { type: 'refuted', gaps: [...gaps] };
  const unverifiable = votes.filter(({ verdict }) => verdict === 'unverifiable');
  if (unverifiable.length > 0) {
    return { type: 'unverifiable', why: [...new Set(unverifiable.map(({ why }) => why))].join('; ') };
  }
  const seats = votes.flatMap((vote, seat) => (achieved.includes(vote) ? [] : [seat]));
  return { type: 'inconclusive', seats };
}

function objects({ verdict }: Vote): boolean {
  return verdict === 'achieved' || verdict === 'refuted';
}
