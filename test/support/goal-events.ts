import type { Ended } from '../../src/contract/event.ts';
import type { GoalContext, GoalEvent } from '../../src/graph/goal-machine.ts';

const BASE: Ended = { outcome: 'exit', exit: 0, detail: null, ms: 1, output: null, bytes: 0, tail: '' };

const ENDS: readonly Ended[] = [
  BASE,
  { ...BASE, exit: 3 },
  { ...BASE, outcome: 'timeout', exit: null },
  { ...BASE, outcome: 'signal', exit: null, detail: 'SIGSEGV' },
];

/** Every kind of event that a goal may meet where it stands, awaited or not. */
export function allGoalEvents({ epoch, attempt, at }: GoalContext): readonly GoalEvent[] {
  const fence = { node: 'gn-x', epoch, attempt, at: 0 } as const;
  return [
    ...[true, false].flatMap((works) =>
      (
        [
          ['rerun', 0],
          ['block', 1],
        ] as const
      ).map(
        ([onCut, retries]) =>
          ({ type: 'open', epoch: 1, retries, onCut, works, checks: 2, final: !works }) as const,
      ),
    ),
    { type: 'open', epoch: 1, retries: 0, onCut: 'rerun', works: true, checks: 0, final: false },
    { type: 'again', epoch: 2 },
    { type: 'cut' },
    { type: 'unstarted' },
    ...ENDS.map((end) => ({ type: 'work.ended', ...fence, rerun: false, ...end }) as const),
    ...ENDS.flatMap((end) =>
      [at, at + 1].map(
        (check) =>
          ({ type: 'check.ended', ...fence, check, tree: 't', reused: false, restored: [], ...end }) as const,
      ),
    ),
  ];
}
