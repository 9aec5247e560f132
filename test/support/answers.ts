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
  if (effect.type !== 'work' && effect.type !== 'check') throw new Error(`${effect.type} is no command`);
  const { node, epoch, attempt } = effect;
  const fence = { at, node, epoch, attempt };
  return effect.type === 'work'
    ? { type: 'work.ended', ...fence, rerun: effect.rerun, ...end }
    : { type: 'check.ended', ...fence, check: effect.check, tree, reused: false, restored: [], ...end };
}

/** What a command's effect runs; empty for any other. */
export function runOf(effect: Effect): string {
  return effect.type === 'work' || effect.type === 'check' ? effect.run : '';
}
