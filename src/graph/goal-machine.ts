/**
 * The goal machine of a command node: one attempt (`retries` more) of its command, then its checks.
 *
 *   idle ──▶ working ──exit 0──▶ checking ──all green──▶ achieved
 *              ▲  │ else              │ a red one
 *              └──┴── attempts left ──┤
 *                                     └─ none left ──▶ failed
 *
 * A cut (pause, crash) keeps the state: a command that has ended never runs again, one that was in flight does, marked
 * as a rerun, or blocks the node if its plan says so. The final node goes on with its checks too, but those from before
 * the cut count only if the tree is still the same; else they are done again, after the others.
 */

import { setup } from 'xstate';
import type { CheckEnded, WorkEnded } from '../contract/event.ts';
import type { OnCut } from '../contract/plan.ts';
import type { FailedWhy } from '../contract/status.ts';
import { COMMAND, pureMachine, type Snapshot } from '../kernel/pure-machine.ts';

export interface GoalContext {
  readonly kind: 'command';
  readonly epoch: number;
  /** 1-based. */
  readonly attempt: number;
  readonly retries: number;
  readonly onCut: OnCut;
  /** Whether the node has a command of its own. */
  readonly works: boolean;
  readonly checks: number;
  /**
   * The final verification. It must see every check on one and the same state of things; and it keeps no trees,
   * because nobody reuses its checks and there may be very many.
   */
  readonly final: boolean;
  /** The check that is next or in flight. */
  readonly at: number;
  /** How many checks in a row, up to the last one, speak of the same state of things. At `checks` they are all seen. */
  readonly seen: number;
  /** The tree when the last check began. */
  readonly tree: string | null;
  /** The final verification was cut after the last check: a person may have changed anything since. */
  readonly doubt: boolean;
  /** False once it is known that the command in flight never began. */
  readonly begun: boolean;
  /** True once a start of the present attempt's command was cut: it may have had effects. */
  readonly cut: boolean;
  /** Places of the checks that went red in this attempt. */
  readonly red: readonly number[];
  /** Per check so far: the tree it was green on. Stays empty for the final node. */
  readonly green: readonly (string | null)[];
  /** How the last attempt fell short, for the record of a node that fails. */
  readonly short: { readonly why: FailedWhy; readonly detail: string } | null;
}

/** What the plan says about a goal. */
type Opening = Pick<GoalContext, 'epoch' | 'retries' | 'onCut' | 'works' | 'checks' | 'final'>;

export type GoalEvent =
  | ({ readonly type: 'open' } & Opening)
  | { readonly type: 'again'; readonly epoch: number }
  | { readonly type: 'cut' }
  | { readonly type: 'unstarted' }
  | WorkEnded
  | CheckEnded;

/** What a goal wants: its end told to the graph. (Its effects are what its state stands for: `effectOf`.) */
export type GoalWish = 'achieved' | 'failed' | 'blocked';

export type GoalState = 'idle' | 'working' | 'checking' | 'achieved' | 'failed' | 'blocked';
export type GoalSnapshot = Snapshot<GoalContext, GoalState>;

const NEW_GOAL: GoalContext = {
  kind: 'command',
  epoch: 0,
  attempt: 1,
  retries: 0,
  onCut: 'rerun',
  works: false,
  checks: 0,
  final: false,
  at: 0,
  seen: 0,
  tree: null,
  doubt: false,
  begun: false,
  cut: false,
  red: [],
  green: [],
  short: null,
};

function evolve(context: GoalContext, event: GoalEvent): GoalContext {
  switch (event.type) {
    case 'open': {
      const { epoch, retries, onCut, works, checks, final } = event;
      return { ...context, epoch, retries, onCut, works, checks, final, begun: true };
    }
    case 'again':
      return { ...context, epoch: event.epoch, begun: true };
    case 'unstarted':
      return { ...context, begun: false };
    case 'cut':
      return { ...context, cut: context.cut || (context.works && context.begun), doubt: context.final };
    case 'work.ended':
      return passed(event) ? { ...context, cut: false } : { ...context, short: shortOf(event) };
    case 'check.ended':
      return checked(context, event);
  }
}

function checked(context: GoalContext, event: CheckEnded): GoalContext {
  const stands = !context.doubt || (event.tree !== null && event.tree === context.tree);
  const { at, checks, final, seen, green, red, short } = stands ? context : anew(context);
  const ok = passed(event);
  return {
    ...context,
    at: (at + 1) % checks,
    seen: seen + 1,
    tree: event.tree,
    doubt: false,
    green: final ? green : [...green, ok ? event.tree : null],
    red: ok ? red : [...red, event.check],
    short: ok ? short : (short ?? shortOf(event)),
  };
}

function nextAttempt(context: GoalContext): GoalContext {
  return { ...anew(context), attempt: context.attempt + 1, at: 0, begun: true, cut: false };
}

/** Nothing seen yet. */
function anew(context: GoalContext): GoalContext {
  return { ...context, seen: 0, red: [], green: [], short: null };
}

export function passed(event: WorkEnded | CheckEnded): boolean {
  return event.outcome === 'exit' && event.exit === 0;
}

function shortOf(event: WorkEnded | CheckEnded): GoalContext['short'] {
  const detail = wordsOfEnd(event);
  if (event.type === 'check.ended') return { why: 'check_red', detail };
  return { why: event.outcome === 'timeout' ? 'timeout' : 'exit', detail };
}

/** How a command ended, in two or three words. */
export function wordsOfEnd({ outcome, exit, detail }: WorkEnded | CheckEnded): string {
  if (outcome === 'exit') return `exit ${exit ?? '?'}`;
  return outcome === 'timeout' ? 'timed out' : `${outcome} ${detail ?? ''}`.trim();
}

const types = {} as { context: GoalContext; events: GoalEvent };

const parts = setup({
  types,
  guards: {
    works: ({ event }) => event.type === 'open' && event.works,
    hasChecks: ({ event }) => event.type === 'open' && event.checks > 0,
    mayNotRerun: ({ context }) => context.onCut === 'block' && context.begun,
    passed: ({ event }) => 'outcome' in event && passed(event),
    passedAndUnchecked: ({ context, event }) => 'outcome' in event && passed(event) && context.checks === 0,
    isNextCheck: ({ context, event }) => event.type === 'check.ended' && event.check === context.at,
    moreChecks: ({ context }) => context.seen < context.checks,
    allGreen: ({ context }) => context.red.length === 0,
    attemptsLeft: ({ context }) => context.attempt <= context.retries,
  },
  actions: {
    [COMMAND]: (_: unknown, _wish: GoalWish) => undefined,
  },
});

const take = parts.assign(({ context, event }) => evolve(context, event));
const retry = parts.assign(({ context }) => nextAttempt(context));
const tell = (params: GoalWish) => ({ type: COMMAND, params }) as const;

/** The machine itself, for tests that walk it. */
export const goalLogic = parts.createMachine({
  context: NEW_GOAL,
  initial: 'idle',
  states: {
    idle: {
      on: {
        open: [
          { guard: 'works', target: 'working', actions: [take] },
          { guard: 'hasChecks', target: 'checking', actions: [take] },
          { target: 'achieved', actions: [take] },
        ],
      },
    },
    working: {
      on: {
        again: { actions: [take] },
        unstarted: { actions: [take] },
        cut: [{ guard: 'mayNotRerun', target: 'blocked', actions: [take] }, { actions: [take] }],
        'work.ended': [
          { guard: 'passedAndUnchecked', target: 'achieved', actions: [take] },
          { guard: 'passed', target: 'checking', actions: [take] },
          { target: 'short', actions: [take] },
        ],
      },
    },
    checking: {
      on: {
        again: { actions: [take] },
        unstarted: { actions: [take] },
        cut: { actions: [take] },
        'check.ended': { guard: 'isNextCheck', target: 'checked', actions: [take] },
      },
    },
    checked: {
      always: [
        { guard: 'moreChecks', target: 'checking' },
        { guard: 'allGreen', target: 'achieved' },
        { target: 'short' },
      ],
    },
    short: {
      always: [{ guard: 'attemptsLeft', target: 'retrying', actions: [retry] }, { target: 'failed' }],
    },
    retrying: {
      always: [{ guard: ({ context }) => context.works, target: 'working' }, { target: 'checking' }],
    },
    achieved: { type: 'final', entry: [tell('achieved')] },
    failed: { type: 'final', entry: [tell('failed')] },
    blocked: { type: 'final', entry: [tell('blocked')] },
  },
});

export const goalMachine = pureMachine<GoalSnapshot, GoalEvent, GoalWish>(goalLogic);
