/** A run whose agent follows a chart, answered by hand; and charts of any shape. */

import fc from 'fast-check';
import type { Answer, RunEvent } from '../../src/contract/event.ts';
import type { MoveOutcome } from '../../src/contract/flow-event.ts';
import type { Flow, FlowExit, FlowNode } from '../../src/contract/flow.ts';
import type { Limits } from '../../src/contract/limits.ts';
import { NOTHING_ADDED, type AddedLimits, type Request } from '../../src/contract/request.ts';
import type { FlowView } from '../../src/contract/view.ts';
import type { Untimed } from '../../src/engine/drive.ts';
import type { FlowGoalContext } from '../../src/graph/flow-goal.ts';
import { flowPlan } from '../../src/graph/flow-plan.ts';
import { isFlowGoal } from '../../src/graph/goals.ts';
import { owed } from '../../src/graph/owed.ts';
import { keepRecords } from '../../src/graph/records.ts';
import { eventOf } from '../../src/graph/request.ts';
import { applyRun } from '../../src/graph/run.ts';
import { NO_RUN, plainState } from '../../src/graph/run-state.ts';
import { viewOf } from '../../src/graph/view.ts';
import { fold } from '../../src/kernel/step.ts';
import { created, stepper, type Stepper } from './plans.ts';

const TREE = 'e'.repeat(40);

export interface FlowTester extends Stepper {
  /** `base`, `move 3 review` …: what is owed, without fences. */
  owes(): readonly string[];
  base(): void;
  /** The agent answers the move that is owed. */
  says(choice?: string | null): void;
  falls(outcome: Exclude<MoveOutcome, 'said'>): void;
  /** The provider refuses. */
  fails(): void;
  /** What a person asks, through the words they get: why not, or null. */
  ask(request: Request): string | null;
  choose(branch: string, step?: string | null): string | null;
  resume(add?: Partial<AddedLimits>): string | null;
  pause(): void;
  /** A new owner takes over. */
  crash(): void;
  /** Null before it begins and after its end. */
  goal(): FlowGoalContext | null;
  /** `running`, `paused stuck`, `complete` … */
  stands(): string;
  detail(): string | null;
  view(): FlowView | null;
  /** Fails when folding the events does not come to the state. */
  mustFold(): void;
}

export interface FlowTesterOptions {
  readonly maxMoves?: number | null;
  readonly limits?: Partial<Limits>;
}

export function flowRun(flow: Flow, { maxMoves = null, limits = {} }: FlowTesterOptions = {}): FlowTester {
  const of = { name: 'flow', flow, args: 'please', maxMoves };
  const plan = flowPlan(of, { description: 'a flow', objective: 'test' });
  const first = { ...created(plan, { models: { panel: { node: 0, final: 0 } }, limits }), flow: of };
  const run = stepper(first);
  let at = 1_000;
  const clock = () => (at += 10);
  const must = (event: RunEvent) => {
    const refused = run.step(event);
    if (refused !== null) throw new Error(`${event.type}: ${refused}`);
  };
  const context = () => run.state().graph.context;
  const answer = (event: Untimed<Answer>) => must({ ...event, at: clock() });

  function only() {
    const [effect] = owed(run.state());
    if (!effect || !('node' in effect)) throw new Error('nothing is owed');
    const { node, epoch, attempt } = effect;
    return { effect, fence: { node, epoch, attempt } };
  }

  function moved(outcome: MoveOutcome, choice: string | null) {
    const { effect, fence } = only();
    if (effect.type !== 'move') throw new Error(`a ${effect.type} is owed, no move`);
    const { move, step } = effect;
    answer({ type: 'move.ended', ...fence, move, step, outcome, choice, tree: TREE, detail: null });
  }

  function ask(request: Request): string | null {
    const event = eventOf(run.state(), request, clock());
    return event.ok ? run.step(event.value) : event.fault;
  }

  return {
    ...run,
    owes: () =>
      owed(run.state()).map((one) => (one.type === 'move' ? `move ${one.move} ${one.step}` : one.type)),
    base: () => answer({ type: 'base.ended', ...only().fence, tree: TREE }),
    says: (choice = null) => moved('said', choice),
    falls: (outcome) => moved(outcome, null),
    fails() {
      const { effect, fence } = only();
      if (effect.type !== 'move') throw new Error(`a ${effect.type} is owed, no move`);
      const key = `${fence.node} ${fence.epoch}.${fence.attempt} move ${effect.move}`;
      answer({ type: 'effect.failed', effect: key, why: 'provider', detail: '429', resetAt: null });
    },
    ask,
    choose: (branch, step = null) => ask({ type: 'choose', branch, step }),
    resume: (add = {}) =>
      ask({ type: 'resume', add: { ...NOTHING_ADDED, ...add }, concurrency: null, models: null }),
    pause: () => must({ type: 'run.paused', at: clock(), why: 'user', detail: null, resetAt: null }),
    crash: () => must({ type: 'run.restored', at: clock() }),
    goal() {
      const [goal] = [...run.state().goals.values()];
      return goal && isFlowGoal(goal) ? goal.context : null;
    },
    stands() {
      const { value } = run.state().graph;
      const why = context().paused?.why;
      return why === undefined ? value : `${value} ${why}`;
    },
    detail: () => context().paused?.detail ?? null,
    view() {
      const records = keepRecords();
      for (const event of run.events()) records.add(event);
      return viewOf(first, run.state(), records).flow;
    },
    mustFold() {
      const folded = fold(applyRun, NO_RUN, run.events());
      if (!folded.ok) throw new Error(`event ${folded.index + 1}: ${folded.why}`);
      if (plainState(folded.state) !== plainState(run.state())) throw new Error('folded is not live');
    },
  };
}

/** A chart as it is written down: `review: yes > end, no > work`; a step with one bare way is a task. BEGIN leads to the first. */
export function chart(...steps: readonly string[]): Flow {
  const nodes = steps.map((text): FlowNode => {
    const [id = '', ways = ''] = text.split(': ');
    const exits = ways.split(', ').map((way): FlowExit => {
      const [to = '', label = null] = way.split(' > ').reverse();
      return { to, label };
    });
    return { id, label: `do ${id}`, kind: exits.length > 1 ? 'decision' : 'task', exits };
  });
  return flowOf(nodes);
}

function flowOf(steps: readonly FlowNode[]): Flow {
  const exits = [{ to: steps[0]?.id ?? 'end', label: null }];
  return {
    nodes: [
      { id: 'begin', label: 'BEGIN', kind: 'begin', exits },
      ...steps,
      { id: 'end', label: 'END', kind: 'end', exits: [] },
    ],
    begin: 'begin',
    end: 'end',
  };
}

export const LABELS = ['a', 'b', 'c'] as const;

/** Any chart: the first exit of each step leads forward, so END can be reached; the others lead anywhere. */
export const flows: fc.Arbitrary<Flow> = fc
  .array(
    fc.record({
      targets: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      turn: fc.nat(2),
      named: fc.boolean(),
    }),
    { maxLength: 7 },
  )
  .map((drawn) => {
    const ids = drawn.map((_, i) => `s${i}`);
    const steps = drawn.map(({ targets, turn, named }, i): FlowNode => {
      const exits = targets.map((target, k): FlowExit => {
        const place = k === 0 ? i + 1 + (target % (ids.length - i)) : target % ids.length;
        const label = targets.length > 1 || named ? (LABELS[(k + turn) % 3] ?? null) : null;
        return { to: ids[place] ?? 'end', label };
      });
      const turned = [...exits.slice(turn), ...exits.slice(0, turn)];
      return { id: ids[i] ?? '', label: 'step', kind: exits.length > 1 ? 'decision' : 'task', exits: turned };
    });
    return flowOf(steps);
  });

/** The ways that are drawn from a step. */
export function exitsOf({ nodes }: Flow, step: string): readonly FlowExit[] {
  return nodes.find(({ id }) => id === step)?.exits ?? [];
}
