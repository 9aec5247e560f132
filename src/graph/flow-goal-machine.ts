/**
 * The goal machine of a node whose agent follows a chart.
 *
 *   idle ▶ basing ▶ moving ──END──▶ achieved
 *                   ▲  │  ▲
 *     move.ended,   └──┘  │ again
 *     flow.chosen     spent, undecided   (the run pauses; a person adds moves, chooses, or has it asked again)
 *
 * Where an event leads is worked out in `flow-goal.ts`, which names the state to go to.
 */

import { setup } from 'xstate';
import { COMMAND, pureMachine, type Snapshot } from '../kernel/pure-machine.ts';
import {
  evolveFlowGoal,
  NEW_FLOW_GOAL,
  targetOf,
  type FlowGoalContext,
  type FlowGoalEvent,
  type FlowGoalState,
} from './flow-goal.ts';

/** What a goal wants told to the graph. */
export type FlowGoalWish = 'spent' | 'undecided' | 'achieved';

export type FlowGoalSnapshot = Snapshot<FlowGoalContext, FlowGoalState>;

const types = {} as { context: FlowGoalContext; events: FlowGoalEvent };

const parts = setup({
  types,
  guards: {
    isThisMove: ({ context, event }) => event.type === 'move.ended' && event.move === context.move,
    isBranch: ({ context, event }) =>
      (event.type === 'flow.chosen' || event.type === 'pick') &&
      event.step === context.step &&
      targetOf(context, event.branch) !== undefined,
  },
  actions: {
    [COMMAND]: (_: unknown, _wish: FlowGoalWish) => undefined,
  },
});

const take = parts.assign(({ context, event }) => evolveFlowGoal(context, event));
const tell = (params: FlowGoalWish) => ({ type: COMMAND, params }) as const;

/** To the state that the context names. */
const onwards = (['moving', 'spent', 'undecided', 'achieved'] as const).map((target) => ({
  guard: ({ context }: { context: FlowGoalContext }) => context.next === target,
  target,
}));

const kept = { actions: [take] };
const chosen = { guard: 'isBranch', target: 'moved', actions: [take] } as const;
const picked = { guard: 'isBranch', actions: [take] } as const;
const goneOn = { target: 'moved', actions: [take] } as const;
const stopped = { cut: kept, again: goneOn, pick: picked, 'flow.chosen': chosen } as const;

/** The machine itself, for tests that walk it. */
export const flowGoalLogic = parts.createMachine({
  context: NEW_FLOW_GOAL,
  initial: 'idle',
  states: {
    idle: { on: { open: { target: 'basing', actions: [take] } } },
    basing: { on: { again: kept, cut: kept, 'base.ended': { target: 'moved', actions: [take] } } },
    moving: {
      on: {
        again: goneOn,
        cut: kept,
        pick: picked,
        'move.ended': { guard: 'isThisMove', target: 'moved', actions: [take] },
        'flow.chosen': chosen,
      },
    },
    moved: { always: onwards },
    spent: { entry: [tell('spent')], on: stopped },
    undecided: { entry: [tell('undecided')], on: stopped },
    achieved: { type: 'final', entry: [tell('achieved')] },
  },
});

export const flowGoalMachine = pureMachine<FlowGoalSnapshot, FlowGoalEvent, FlowGoalWish>(flowGoalLogic);
