import { describe, expect, it } from 'vitest';
import { fold, step, type Applied } from '../../src/kernel/step.ts';

/** Counts down: each event below `n` derives the one before it. */
function countdown(state: readonly number[], event: number): Applied<readonly number[], number> {
  if (event < 0) return { ok: false, why: `${event} is negative` };
  return { ok: true, next: [...state, event], derived: event > 0 ? [event - 1] : [] };
}

describe('a step', () => {
  it('holds the event and all that follows from it, in order', () => {
    expect(step(countdown, [], 3)).toEqual({ ok: true, next: [3, 2, 1, 0], events: [3, 2, 1, 0] });
  });

  it('is refused with a reason, as a value', () => {
    expect(step(countdown, [], -1)).toEqual({ ok: false, why: '-1 is negative' });
  });

  it('throws when an event that follows is refused: that is a bug', () => {
    const broken = (state: number, event: number): Applied<number, number> =>
      event < 0 ? { ok: false, why: 'no' } : { ok: true, next: state, derived: [-1] };
    expect(() => step(broken, 0, 1)).toThrow('derived event refused (no): -1');
  });
});

describe('a fold', () => {
  it('comes to the state of the steps without deriving anything again', () => {
    const stepped = step(countdown, [], 5);
    if (!stepped.ok) throw new Error(stepped.why);
    expect(fold(countdown, [], stepped.events)).toEqual({ ok: true, state: stepped.next });
  });

  it('stops at the event that does not follow, and names it', () => {
    expect(fold(countdown, [], [4, 3, -2, 1])).toEqual({ ok: false, index: 2, why: '-2 is negative' });
  });
});
