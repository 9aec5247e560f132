import type { Effect } from '../../src/contract/command.ts';
import type { Answer, Ended } from '../../src/contract/event.ts';

export const GREEN: Ended = {
  outcome: 'exit',
  exit: 0,
  detail: null,
  ms: 5,
  output: null,
  bytes: 0,
  tail: '',
};
export const RED: Ended = { ...GREEN, exit: 1 };

/** The answer to an effect. */
export function answer(effect: Effect, end: Ended = GREEN, tree: string | null = null, at = 2_000): Answer {
  const { node, epoch, attempt } = effect;
  return effect.type === 'work'
    ? { type: 'work.ended', at, node, epoch, attempt, rerun: effect.rerun, ...end }
    : { type: 'check.ended', at, node, epoch, attempt, check: effect.check, tree, reused: false, ...end };
}
