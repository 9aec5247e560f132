/** A run whose nodes a model works on, answered by hand: each answer goes to the effect that is owed. */

import type { Effect } from '../../src/contract/command.ts';
import type { Answer, Ended, RunEvent } from '../../src/contract/event.ts';
import type { Round, RoundOutcome, Vote } from '../../src/contract/goal.ts';
import { FINAL_NODE, nodeId, type NodeId } from '../../src/contract/ids.ts';
import type { Limits } from '../../src/contract/limits.ts';
import type { ModelSettings } from '../../src/contract/settings.ts';
import type { Report } from '../../src/contract/tool.ts';
import type { Untimed } from '../../src/engine/drive.ts';
import { planOf } from '../../src/graph/graph-context.ts';
import { isModelGoal } from '../../src/graph/goals.ts';
import type { ModelGoalContext } from '../../src/graph/model-goal-context.ts';
import { owed } from '../../src/graph/owed.ts';
import { applyRun } from '../../src/graph/run.ts';
import { NO_RUN, plainState } from '../../src/graph/run-state.ts';
import { cellAt } from '../../src/graph/table.ts';
import { fold } from '../../src/kernel/step.ts';
import { GREEN } from './answers.ts';
import { created, plan, stepper, type NodeText, type Stepper } from './plans.ts';

export interface ModelRun extends Stepper {
  /** `round a 1`, `check a 0`, `vote a 1.2.1` …: what is owed, without fences. */
  owes(): readonly string[];
  effect(type: Effect['type'], seat?: number): Effect;
  base(tree?: string): void;
  brief(): void;
  round(outcome: RoundOutcome, more?: Partial<Round>): void;
  /** Ends the check that is owed. */
  check(end?: Ended, tree?: string | null): void;
  /** Casts the vote of a seat; of the first that is open when left out. */
  vote(verdict: Vote['verdict'], more?: Partial<Vote> & { tree?: string; seat?: number }): void;
  strategy(suggestion?: string | null): void;
  wake(): void;
  pause(): void;
  /** A new owner takes over. */
  crash(): void;
  resume(): void;
  goal(slug?: string): ModelGoalContext;
  status(slug?: string): string;
  /** The last event of this type. */
  last<T extends RunEvent['type']>(type: T): Extract<RunEvent, { type: T }>;
  /** Fails when folding the events does not come to the state. */
  mustFold(): void;
}

export interface ModelRunOptions {
  readonly models?: Partial<ModelSettings>;
  readonly limits?: Partial<Limits>;
  readonly checks?: readonly string[];
  readonly concurrency?: number;
}

export const TREE = 'e'.repeat(40);

export function report(more: Partial<Report> = {}): Report {
  return { status: 'done', summary: 'done it', evidence: [], discovered: [], wait: null, ...more };
}

export function modelRun(nodes: readonly NodeText[], options: ModelRunOptions = {}): ModelRun {
  const full = nodes.map((node) => ({ run: null, ...node }));
  const { models = {}, ...rest } = options;
  return runOf(stepper(created(plan(full, options.checks ?? [], true), { models, ...rest })));
}

/** A run that has no plan yet. */
export function planningRun(more: Parameters<typeof created>[1] = {}): ModelRun {
  return runOf(stepper(created(null, { models: {}, ...more })));
}

function runOf(run: Stepper): ModelRun {
  let at = 1_000;
  const clock = () => (at += 10);
  const must = (event: RunEvent) => {
    const refused = run.step(event);
    if (refused !== null) throw new Error(`${event.type}: ${refused}`);
  };
  const context = () => run.state().graph.context;
  const slugOf = (id: NodeId) => planOf(context()).nodes.find((node) => node.id === id)?.slug ?? id;
  const idOf = (slug: string) => (slug === FINAL_NODE ? FINAL_NODE : nodeId(slug));

  function effect<T extends Effect['type']>(type: T, seat?: number): Extract<Effect, { type: T }> {
    const found = owed(run.state()).find(
      (one) => one.type === type && (seat === undefined || ('seat' in one && one.seat === seat)),
    );
    if (!found) throw new Error(`no ${type} is owed, but ${words().join(', ') || 'nothing'}`);
    return found as Extract<Effect, { type: T }>;
  }

  function words(): readonly string[] {
    return owed(run.state()).map((one) => {
      if (one.type === 'plan') return `plan ${one.epoch}`;
      const which = `${one.type} ${slugOf(one.node)}`;
      if (one.type === 'vote') return `${which} ${one.verification}.${one.seat}.${one.ballot}`;
      if (one.type === 'check') return `${which} ${one.check}`;
      return 'round' in one ? `${which} ${one.round}` : which;
    });
  }

  const fenceOf = ({ node, epoch, attempt }: Exclude<Effect, { type: 'plan' }>) => ({ node, epoch, attempt });
  const answer = (event: Untimed<Answer>) => must({ ...event, at: clock() });

  return {
    ...run,
    owes: words,
    effect,
    base: (tree = TREE) => answer({ type: 'base.ended', ...fenceOf(effect('base')), tree }),
    brief: () => {
      const brief = { criteria: [{ text: 'it works', gating: true }], nonGoals: [] };
      answer({ type: 'brief.ended', ...fenceOf(effect('brief')), brief, detail: null });
    },
    round(outcome, more = {}) {
      const { round, ...of } = effect('round');
      const body: Round = { outcome, report: null, tree: TREE, results: 1, detail: null, ...more };
      answer({ type: 'round.ended', ...fenceOf({ round, ...of }), round, ...body });
    },
    check(end = GREEN, tree = null) {
      const of = effect('check');
      const body = { check: of.check, tree, reused: false, restored: [], ...end };
      answer({ type: 'check.ended', ...fenceOf(of), ...body });
    },
    vote(verdict, { seat, tree = TREE, ...more } = {}) {
      const of = effect('vote', seat);
      const gaps = verdict === 'refuted' ? ['something is missing'] : [];
      const body = { verdict, gaps, why: verdict, injection: null, tree, ...more };
      const ballot = { verification: of.verification, seat: of.seat, ballot: of.ballot };
      answer({ type: 'vote.ended', ...fenceOf(of), ...ballot, ...body });
    },
    strategy(suggestion = 'another way') {
      const of = effect('strategy');
      answer({ type: 'strategy.ended', ...fenceOf(of), round: of.round, suggestion });
    },
    wake() {
      const of = effect('wake');
      answer({ type: 'wake.ended', ...fenceOf(of), round: of.round });
    },
    pause: () => must({ type: 'run.paused', at: clock(), why: 'user', detail: null, resetAt: null }),
    crash: () => must({ type: 'run.restored', at: clock() }),
    resume() {
      const { ledger } = run.state();
      if (!ledger) throw new Error('no ledger');
      const limits = { ...ledger.limits, maxTime: ledger.clock.maxTime, until: ledger.clock.until };
      must({
        type: 'run.resumed',
        at: clock(),
        limits,
        concurrency: context().concurrency,
        models: null,
        moves: 0,
      });
    },
    goal(slug = 'a') {
      const goal = run.state().goals.get(idOf(slug));
      if (!goal || !isModelGoal(goal)) throw new Error(`${slug} has no goal of a model`);
      return goal.context;
    },
    status(slug = 'a') {
      const place = planOf(context()).nodes.findIndex((node) => node.slug === slug);
      return cellAt(context().table, place).status;
    },
    last: (type) => {
      const found = run.events().findLast((event) => event.type === type);
      if (!found) throw new Error(`there is no ${type}`);
      return found as never;
    },
    mustFold() {
      const folded = fold(applyRun, NO_RUN, run.events());
      if (!folded.ok) throw new Error(`event ${folded.index + 1}: ${folded.why}`);
      if (plainState(folded.state) !== plainState(run.state())) throw new Error('folded is not live');
    },
  };
}
