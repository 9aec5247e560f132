import fc from 'fast-check';
import { assign, initialTransition, setup, transition } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { GoalEvent, GoalSnapshot } from '../../src/graph/goal-machine.ts';
import { goalLogic, goalMachine } from '../../src/graph/goal-machine.ts';
import { COMMAND, pureMachine } from '../../src/kernel/pure-machine.ts';
import {
  modelGoalLogic,
  modelGoalMachine,
  type ModelGoalSnapshot,
} from '../../src/graph/model-goal-machine.ts';
import type { ModelGoalEvent } from '../../src/graph/model-goal-context.ts';
import { allModelGoalEvents, OPENINGS } from '../support/model-goal-events.ts';
import { allGoalEvents } from '../support/goal-events.ts';

describe('a machine used as a pure function', () => {
  it('comes to the same snapshots and commands as the transition() of its library', () => {
    let seen = 0;
    const visited = new Set<string>();
    const [start] = initialTransition(goalLogic);
    const walk = (snapshot: typeof start, depth: number): void => {
      const mark = JSON.stringify([snapshot.value, snapshot.context]);
      if (visited.has(mark) || depth === 0) return;
      visited.add(mark);
      for (const event of allGoalEvents(snapshot.context)) {
        const ours = goalMachine.step(snapshot as unknown as GoalSnapshot, event);
        if (snapshot.status !== 'active' || !snapshot.can(event)) {
          expect(ours.ok).toBe(false);
          continue;
        }
        const [next, actions] = transition(goalLogic, snapshot, event);
        expect(JSON.stringify(ours.ok && ours.next)).toBe(JSON.stringify(next));
        expect(ours.ok && ours.commands).toEqual(actions.map(({ params }) => params));
        seen++;
        walk(next, depth - 1);
      }
    };
    walk(start, 12);
    expect(seen).toBeGreaterThan(100);
  });

  it('does so too for the goal of a model, which always stands where its context says it goes', () => {
    let seen = 0;
    const walks = fc.tuple(fc.constantFrom(...OPENINGS), fc.array(fc.nat(), { minLength: 5, maxLength: 60 }));
    const walk = ([opening, picks]: readonly [ModelGoalEvent, readonly number[]]) => {
      let [snapshot] = initialTransition(modelGoalLogic);
      const take = (event: ModelGoalEvent) => {
        const ours = modelGoalMachine.step(snapshot as unknown as ModelGoalSnapshot, event);
        const [next, actions] = transition(modelGoalLogic, snapshot, event);
        expect(ours.ok && JSON.stringify(ours.next)).toBe(JSON.stringify(next));
        expect(ours.ok && ours.commands).toEqual(actions.map(({ params }) => params));
        expect(next.value).toBe(next.context.next);
        snapshot = next;
        seen++;
      };
      take(opening);
      for (const pick of picks) {
        if (snapshot.status !== 'active') return;
        const events = allModelGoalEvents(snapshot.context);
        const refused = events.filter((event) => !snapshot.can(event));
        for (const event of refused) {
          expect(modelGoalMachine.step(snapshot as unknown as ModelGoalSnapshot, event).ok).toBe(false);
        }
        const taken = events.filter((event) => snapshot.can(event));
        const event = taken[pick % taken.length];
        if (event) take(event);
      }
    };
    fc.assert(fc.property(walks, walk), { numRuns: 300 });
    expect(seen).toBeGreaterThan(1_000);
  });

  it('leaves the snapshot it was given as it was', () => {
    const opening = {
      epoch: 1,
      retries: 0,
      onCut: 'rerun',
      works: true,
      checks: 1,
      final: false,
    } as const;
    const open: GoalEvent = { type: 'open', ...opening };
    const before = JSON.stringify(goalMachine.initial);
    goalMachine.step(goalMachine.initial, open);
    expect(JSON.stringify(goalMachine.initial)).toBe(before);
  });

  it('takes no event at its end, even where a handler at the root would', () => {
    const types = {} as { context: { n: number }; events: { type: 'go' } | { type: 'late' } };
    const machine = setup({ types }).createMachine({
      context: { n: 0 },
      initial: 'on',
      on: { late: { actions: assign({ n: ({ context }) => context.n + 1 }) } },
      states: { on: { on: { go: 'off' } }, off: { type: 'final' } },
    });
    const pure = pureMachine<
      { status: string; value: string; context: { n: number } },
      { type: string },
      never
    >(machine);
    const off = pure.step(pure.initial, { type: 'go' });
    if (!off.ok) throw new Error('go is not taken');
    expect(off.next.status).toBe('done');
    expect(pure.step(off.next, { type: 'late' })).toEqual({ ok: false });
  });

  it('may do nothing but command', () => {
    const machine = setup({ actions: { [COMMAND]: () => undefined, shout: () => undefined } }).createMachine({
      initial: 'on',
      states: { on: { on: { go: { actions: ['shout'] } } } },
    });
    const pure = pureMachine<{ status: string; value: string; context: unknown }, { type: string }, never>(
      machine,
    );
    expect(() => pure.step(pure.initial, { type: 'go' })).toThrow('may only command, not shout');
  });
});
