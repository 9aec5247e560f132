/**
 * The goal machine of a node that a model works on.
 *
 *   idle ▶ basing ▶ briefing ▶ working ──claim──▶ checking ──green──▶ verifying ──▶ achieved
 *                               ▲ ▲ │               │ red               │ refuted
 *                     wake.ended│ │ │wait           ▼                   ▼
 *                          parked◀──┘    next round (the same gap twice: strategizing first)
 *
 *   working, checking, verifying ──no progress, a cap, no verdict──▶ failed | blocked
 *
 * The final node begins at checking. What an event means is worked out in `model-goal.ts`, which names the state to
 * go to; the chart says which ways there are.
 */

import { setup } from 'xstate';
import { COMMAND, pureMachine, type Snapshot } from '../kernel/pure-machine.ts';
import { evolveModelGoal } from './model-goal.ts';
import {
  NEW_MODEL_GOAL,
  type ModelGoalContext,
  type ModelGoalEvent,
  type ModelGoalState,
} from './model-goal-context.ts';

/** What a goal wants told to the graph. */
export type ModelGoalWish = 'parked' | 'achieved' | 'failed' | 'blocked';

export type ModelGoalSnapshot = Snapshot<ModelGoalContext, ModelGoalState>;

const types = {} as { context: ModelGoalContext; events: ModelGoalEvent };

const parts = setup({
  types,
  guards: {
    isNextCheck: ({ context, event }) => event.type === 'check.ended' && event.check === context.at,
    isThisRound: ({ context, event }) => 'round' in event && event.round === context.round,
    isOpenSeat: ({ context, event }) =>
      event.type === 'vote.ended' &&
      event.verification === context.verification &&
      event.ballot === context.ballot &&
      event.seat <= context.panel &&
      context.votes.every(({ seat }) => seat !== event.seat),
  },
  actions: {
    [COMMAND]: (_: unknown, _wish: ModelGoalWish) => undefined,
  },
});

const take = parts.assign(({ context, event }) => evolveModelGoal(context, event));
const tell = (params: ModelGoalWish) => ({ type: COMMAND, params }) as const;

/** To the state that the context names, if it is one of these. */
function goTo(...targets: readonly Exclude<ModelGoalState, 'idle'>[]) {
  return {
    always: targets.map((target) => ({
      guard: ({ context }: { context: ModelGoalContext }) => context.next === target,
      target,
    })),
  };
}

const kept = { actions: [take] };
const held = { again: kept, unstarted: kept };
const cuttable = { ...held, cut: kept };

/** The machine itself, for tests that walk it. */
export const modelGoalLogic = parts.createMachine({
  context: NEW_MODEL_GOAL,
  initial: 'idle',
  states: {
    idle: { on: { open: { target: 'basing', actions: [take] } } },
    basing: { on: { ...cuttable, 'base.ended': { target: 'based', actions: [take] } } },
    based: goTo('briefing', 'working', 'checking', 'verifying', 'achieved', 'failed'),
    briefing: { on: { ...cuttable, 'brief.ended': { target: 'briefed', actions: [take] } } },
    briefed: goTo('working', 'checking', 'verifying', 'achieved', 'failed'),
    working: {
      on: {
        ...cuttable,
        'round.ended': { guard: 'isThisRound', target: 'worked', actions: [take] },
      },
    },
    worked: goTo('working', 'parked', 'checking', 'verifying', 'achieved', 'failed', 'blocked'),
    checking: {
      on: {
        ...held,
        cut: { target: 'checked', actions: [take] },
        'check.ended': { guard: 'isNextCheck', target: 'checked', actions: [take] },
      },
    },
    checked: goTo('checking', 'verifying', 'working', 'strategizing', 'achieved', 'failed'),
    verifying: {
      on: {
        ...held,
        cut: { target: 'voted', actions: [take] },
        'vote.ended': { guard: 'isOpenSeat', target: 'voted', actions: [take] },
      },
    },
    voted: goTo('verifying', 'checking', 'achieved', 'working', 'strategizing', 'failed', 'blocked'),
    strategizing: {
      on: { ...cuttable, 'strategy.ended': { guard: 'isThisRound', target: 'advised', actions: [take] } },
    },
    advised: goTo('working', 'failed'),
    parked: {
      entry: [tell('parked')],
      on: { again: kept, 'wake.ended': { guard: 'isThisRound', target: 'woken', actions: [take] } },
    },
    woken: goTo('working'),
    achieved: { type: 'final', entry: [tell('achieved')] },
    failed: { type: 'final', entry: [tell('failed')] },
    blocked: { type: 'final', entry: [tell('blocked')] },
  },
});

export const modelGoalMachine = pureMachine<ModelGoalSnapshot, ModelGoalEvent, ModelGoalWish>(modelGoalLogic);
