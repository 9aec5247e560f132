/** What is told of a model's node beyond its status: its brief, rounds, votes, gaps and tokens. Kept as events go by. */

import type { Usage } from '../contract/budget.ts';
import type { RunEvent } from '../contract/event.ts';
import type { NodeKept } from '../contract/goal-event.ts';
import type { Brief, Gap, Round, Vote } from '../contract/goal.ts';
import { never } from '../contract/never.ts';
import type { SessionEvent } from '../contract/session-event.ts';
import { passed, wordsOfEnd } from './goal-machine.ts';

export interface RoundRecord extends Round {
  readonly round: number;
}

export interface VoteRecord extends Vote {
  readonly round: number;
  readonly verification: number;
  readonly seat: number;
  readonly ballot: number;
  /** The tree that was judged. */
  readonly tree: string;
}

export interface GapRecord extends Gap {
  readonly round: number;
  /** Place of the check that was red; null for a skeptic's gap. */
  readonly check: number | null;
  /** The vote that named it; null for a red check. */
  readonly vote: VoteRecord | null;
}

export interface GoalRecord {
  brief: Brief | null;
  rounds: RoundRecord[];
  votes: VoteRecord[];
  gaps: GapRecord[];
  suggestions: { readonly round: number; readonly text: string }[];
  /** Requests that were answered, and their tokens as reported; all roles of the node, all tries. */
  turns: number;
  tokens: number;
  /** Those of `turns` that were its worker's. */
  worked: number;
  /** Milliseconds in flight, up to the last rest. */
  ms: number;
  /** Bytes that were sent in requests after a session's first, and how many of these the request before had too. */
  sent: number;
  same: number;
  kept: NodeKept | null;
  /** Who is at work: role and tool, for a person who watches. */
  doing: string | null;
}

export function newGoalRecord(): GoalRecord {
  return {
    brief: null,
    rounds: [],
    votes: [],
    gaps: [],
    suggestions: [],
    turns: 0,
    tokens: 0,
    worked: 0,
    ms: 0,
    sent: 0,
    same: 0,
    kept: null,
    doing: null,
  };
}

/** Events that speak of a model's work; others change nothing. */
export function noteGoal(record: GoalRecord, event: RunEvent): void {
  switch (event.type) {
    case 'brief.ended':
      record.brief = event.brief;
      break;
    case 'round.ended': {
      const { round, outcome, report, tree, results, detail } = event;
      record.rounds.push({ round, outcome, report, tree, results, detail });
      record.doing = null;
      break;
    }
    case 'vote.ended': {
      const { verification, seat, ballot, tree, verdict, gaps, why, injection } = event;
      const round = record.rounds.at(-1)?.round ?? 0;
      const vote: VoteRecord = { round, verification, seat, ballot, tree, verdict, gaps, why, injection };
      record.votes.push(vote);
      if (verdict !== 'refuted') break;
      record.gaps.push(
        ...gaps.map((text): GapRecord => ({ round, from: 'skeptic', check: null, vote, text })),
      );
      break;
    }
    case 'check.ended': {
      if (passed(event)) break;
      const round = record.rounds.at(-1)?.round ?? 0;
      record.gaps.push({ round, from: 'check', check: event.check, vote: null, text: wordsOfEnd(event) });
      break;
    }
    case 'strategy.ended':
      if (event.suggestion !== null) {
        record.suggestions.push({ round: event.round, text: event.suggestion });
      }
      break;
    case 'node.kept':
      record.kept = event;
      break;
    default:
      break;
  }
}

export function noteSession(record: GoalRecord, event: SessionEvent): void {
  const { role } = event.session;
  switch (event.type) {
    case 'session.asked':
      record.doing = role;
      break;
    case 'turn.ended':
      record.turns++;
      if (role === 'worker') record.worked++;
      record.tokens += tokensOf(event.usage);
      // The first request of a session has nothing before it.
      if (event.same > 0) {
        record.sent += event.sent;
        record.same += event.same;
      }
      record.doing = event.calls.length > 0 ? `${role}: ${event.calls.join(', ')}` : role;
      break;
    case 'tools.ended':
      record.doing = role;
      break;
    case 'session.compacted':
      record.doing = `${role}: compacted`;
      break;
    default:
      never(event);
  }
}

function tokensOf(usage: Usage | null): number {
  return usage ? usage.input + usage.output : 0;
}
