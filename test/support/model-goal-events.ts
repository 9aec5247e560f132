import type { Ended } from '../../src/contract/event.ts';
import type { RoundOutcome, Vote } from '../../src/contract/goal.ts';
import type { ModelGoalContext, ModelGoalEvent } from '../../src/graph/model-goal-context.ts';

const GREEN: Ended = { outcome: 'exit', exit: 0, detail: null, ms: 1, output: null, bytes: 0, tail: '' };
const OUTCOMES: readonly RoundOutcome[] = ['claim', 'blocked', 'wait', 'none', 'loop', 'failed'];
const VERDICTS: readonly Vote['verdict'][] = ['achieved', 'refuted', 'unverifiable', 'inconclusive'];

/** How a goal may be opened. */
export const OPENINGS: readonly ModelGoalEvent[] = [0, 1, 2].flatMap((panel) =>
  [0, 2].flatMap((checks) =>
    [true, false].map((final) => ({
      type: 'open' as const,
      epoch: 1,
      final,
      checks,
      panel,
      caps: { rounds: 5, verifications: 2, turns: 1 },
      needsBrief: !final && checks === 0,
    })),
  ),
);

/** Every kind of event that the goal of a model may meet where it stands, awaited or not. */
export function allModelGoalEvents(context: ModelGoalContext): readonly ModelGoalEvent[] {
  const { epoch, attempt, round, at, verification, ballot } = context;
  const fence = { node: 'gn-x', epoch, attempt, at: 0 } as const;
  return [
    ...OPENINGS.slice(0, 1),
    { type: 'again', epoch: epoch + 1 },
    { type: 'cut' },
    { type: 'unstarted' },
    { type: 'base.ended', ...fence, tree: 'a' },
    { type: 'brief.ended', ...fence, brief: null, detail: null },
    { type: 'strategy.ended', ...fence, round, suggestion: null },
    { type: 'wake.ended', ...fence, round },
    { type: 'wake.ended', ...fence, round: round + 1 },
    ...OUTCOMES.flatMap((outcome) =>
      [0, 1].map((results) => ({
        type: 'round.ended' as const,
        ...fence,
        round,
        outcome,
        report: null,
        tree: 'a',
        results,
        detail: null,
      })),
    ),
    ...[0, 1].flatMap((exit) =>
      [at, at + 1].map((check) => ({
        type: 'check.ended' as const,
        ...fence,
        ...GREEN,
        exit,
        check,
        tree: null,
        reused: false,
        restored: [],
        run: 'test',
      })),
    ),
    ...VERDICTS.flatMap((verdict) =>
      [1, 2].map((seat) => ({
        type: 'vote.ended' as const,
        ...fence,
        verification,
        seat,
        ballot,
        tree: seat === 2 && verdict === 'achieved' ? 'b' : 'a',
        verdict,
        gaps: verdict === 'refuted' ? ['gap'] : [],
        why: '',
        injection: null,
      })),
    ),
  ];
}
