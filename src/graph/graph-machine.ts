/**
 * The graph machine. It decides one thing: which node may run now, and whether the run is at its end.
 *
 *                planning ──run.planned──▶ approval
 *                 ▲               │            │ run.approved
 *                 │               ▼            ▼
 *   unplanned ──run.created──▶ running ◀────────
 *                              │  ▲  └──▶ complete (end)
 *                   run.paused │  │ run.resumed (without a plan: to planning)
 *                 run.restored ▼  │
 *                             paused ──▶ cleared (end; from everywhere)
 */

import { setup } from 'xstate';
import { COMMAND, pureMachine, type Snapshot } from '../kernel/pure-machine.ts';
import { nextWish, refusal, type GraphWish } from './admit.ts';
import { evolve, NO_GRAPH, type GraphContext, type GraphEvent } from './graph-context.ts';

export type GraphState =
  'unplanned' | 'planning' | 'approval' | 'running' | 'paused' | 'complete' | 'cleared';
export type GraphSnapshot = Snapshot<GraphContext, GraphState>;

const types = {} as { context: GraphContext; events: GraphEvent };

const parts = setup({
  types,
  guards: {
    allowed: ({ context, event }) => refusal(context, event) === null,
    hasPlan: ({ event }) => event.type === 'run.created' && event.plan !== null,
    isPlanned: ({ context }) => context.plan !== null,
    needsApproval: ({ context }) => context.approve,
  },
  actions: { [COMMAND]: (_: unknown, _wish: GraphWish | null) => undefined },
});

const change = parts.assign(({ context, event }) => evolve(context, event));

/** Comes after the change, and is asked of the context that this has made. */
const goOn = {
  type: COMMAND,
  params: ({ context }: { context: GraphContext }) => nextWish(context),
} as const;

/** The machine itself, for tests that walk it. */
export const graphLogic = parts.createMachine({
  context: NO_GRAPH,
  initial: 'unplanned',
  states: {
    unplanned: {
      on: {
        'run.created': [
          { guard: 'hasPlan', target: 'running', actions: [change, goOn] },
          { target: 'planning', actions: [change] },
        ],
      },
    },
    planning: {
      on: {
        'run.planned': [
          { guard: 'needsApproval', target: 'approval', actions: [change] },
          { target: 'running', actions: [change, goOn] },
        ],
        'run.paused': { target: 'paused', actions: [change] },
        'run.restored': { target: 'paused', actions: [change] },
        'run.cleared': { target: 'cleared', actions: [change] },
      },
    },
    approval: {
      on: {
        'node.skipped': { guard: 'allowed', actions: [change] },
        'node.edited': { guard: 'allowed', actions: [change] },
        'run.approved': { target: 'running', actions: [change, goOn] },
        'run.cleared': { target: 'cleared', actions: [change] },
      },
    },
    running: {
      on: {
        'node.started': { guard: 'allowed', actions: [change, goOn] },
        'node.achieved': { guard: 'allowed', actions: [change, goOn] },
        'node.failed': { guard: 'allowed', actions: [change, goOn] },
        'node.blocked': { guard: 'allowed', actions: [change, goOn] },
        'node.parked': { guard: 'allowed', actions: [change, goOn] },
        'node.woken': { guard: 'allowed', actions: [change, goOn] },
        'node.retried': { guard: 'allowed', actions: [change, goOn] },
        'node.skipped': { guard: 'allowed', actions: [change, goOn] },
        'node.edited': { guard: 'allowed', actions: [change, goOn] },
        'run.paused': { target: 'paused', actions: [change] },
        'run.restored': { target: 'paused', actions: [change] },
        'run.completed': { guard: 'allowed', target: 'complete', actions: [change] },
        'run.cleared': { target: 'cleared', actions: [change] },
      },
    },
    paused: {
      on: {
        'node.blocked': { guard: 'allowed', actions: [change] },
        'node.retried': { guard: 'allowed', actions: [change] },
        'node.skipped': { guard: 'allowed', actions: [change] },
        'node.edited': { guard: 'allowed', actions: [change] },
        // Its process died before all that was in flight had ended: calls are still reserved.
        'run.restored': { actions: [change] },
        'run.resumed': [
          { guard: 'isPlanned', target: 'running', actions: [change, goOn] },
          { target: 'planning', actions: [change] },
        ],
        'run.cleared': { target: 'cleared', actions: [change] },
      },
    },
    complete: { type: 'final' },
    cleared: { type: 'final' },
  },
});

export const graphMachine = pureMachine<GraphSnapshot, GraphEvent, GraphWish>(graphLogic);
