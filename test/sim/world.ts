/**
 * The machine of a simulated run: commands that take their time and come to their ends, and that take their time to
 * die as well. What a command comes to depends on names alone, never on when or how often it was run.
 */

import type { Usage } from '../../src/contract/budget.ts';
import type { CheckCommand, Effect, WorkCommand } from '../../src/contract/command.ts';
import { effectKey } from '../../src/contract/command.ts';
import type { Ended } from '../../src/contract/event.ts';
import type { Plan } from '../../src/contract/plan.ts';
import type { Perform } from '../../src/engine/drive.ts';
import { makeModelWorld, type ModelEffect, type ModelKnobs } from './model-world.ts';
import { named, type Random } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly plan: Plan;
  readonly clock: VirtualClock;
  readonly random: Random;
  /** How often commands end well, 0 to 1. */
  readonly luck: number;
  /** How often one cannot be started at all. */
  readonly spawnFaults: number;
  /** Whether trees can be told apart: else no check is ever reused, and ends do not depend on what ran since. */
  readonly trees: boolean;
  /** How many slots there are just now. */
  readonly slots: () => number;
  /** Keys of the effects that the stored events want. */
  readonly wanted: () => readonly string[];
  readonly complain: (sentence: string) => void;
  /** Null for a run that no model works on. */
  readonly models: ModelKnobs | null;
}

export interface World {
  /** What one process of ours does; it is heard as long as it is alive. */
  performer(alive: () => boolean): Perform;
  /** Ends everything that is alive, as a new owner does before it starts anything. */
  endAll(): void;
  /** A person mended something: what a node's commands come to is drawn anew. */
  mend(slug: string): void;
  /** A person changed a file. */
  touch(): void;
  /** Whether a provider has reported just this of a call; each report counts once. */
  reported(usage: Usage): boolean;
  alive(): number;
}

export function makeWorld(options: WorldOptions): World {
  const { seed, plan, clock, random, complain } = options;
  const living = new Map<symbol, Effect>();
  const begun = new Set<string>();
  const mended = new Map<string, number>();
  const slugs = new Map(plan.nodes.map(({ id, slug }) => [id, slug]));
  let tree = 0;
  /** Where trees must not depend on what ran beside or before: of each node, as it left it. */
  const own = new Map<string, string>();
  const slugOf = (id: string) => slugs.get(id as `gn-${string}`) ?? '';
  const mendedOf = (slug: string) => mended.get(slug) ?? 0;
  const treeOf = (slug: string) => (options.trees ? hex(tree) : (own.get(slug) ?? hex(0)));
  const models = options.models
    ? makeModelWorld({
        ...options,
        knobs: options.models,
        slugOf,
        mended: mendedOf,
        tree: treeOf,
        change(slug, round) {
          tree++;
          own.set(slug, hex(mendedOf(slug) * 1_000 + round));
          return treeOf(slug);
        },
      })
    : null;

  function endOf(effect: WorkCommand | CheckCommand): Ended {
    const slug = slugOf(effect.node);
    const what =
      effect.type === 'work'
        ? effect.attempt
        : `${effect.run} ${effect.attempt} ${Math.floor((models?.round(slug) ?? 0) / 3)}`;
    const fate = named(seed, slug, effect.type, what, mended.get(slug) ?? 0);
    const ms = fate.int(1, 1_000);
    const base = { ms, output: null, bytes: 0, tail: '', detail: null };
    if (fate.chance(options.luck)) return { ...base, outcome: 'exit', exit: 0 };
    const bad = fate.pick(['exit', 'signal', 'timeout'] as const);
    return { ...base, outcome: bad, exit: bad === 'exit' ? fate.int(1, 255) : null };
  }

  function begin(effect: Effect): symbol {
    const key = effectKey(effect);
    if (!options.wanted().includes(key)) complain(`${key} begins, but no stored event wants it`);
    // A model's node comes back to its checks after each round.
    const again = effect.type === 'wake' || (effect.type === 'check' && models !== null);
    if (begun.has(key) && !again) complain(`${key} begins a second time: a new try must be told as one`);
    begun.add(key);
    if (effect.type === 'wake') return Symbol(key);
    if (living.size >= options.slots()) complain(`${key} begins as number ${living.size + 1}`);
    const of = 'node' in effect ? effect.node : null;
    const node = plan.nodes.find(({ id }) => id === of);
    for (const other of living.values()) {
      const panel = effect.type === 'vote' && other.type === 'vote' && effect.node === other.node;
      if (panel) continue;
      const same = !('node' in other) || other.node === of;
      if (same) complain(`${key} begins while ${effectKey(other)} is alive`);
      if (node?.scope.length === 0) complain(`${key} has no scope and begins beside ${effectKey(other)}`);
      if (!isCommand(effect)) complain(`${key} is a model's and begins beside ${effectKey(other)}`);
    }
    const me = Symbol(key);
    living.set(me, effect);
    return me;
  }

  return {
    performer: (alive) => (effect, signal, say) => {
      if (isCommand(effect)) return command(effect, signal, alive);
      if (!models) throw new Error(`${effect.type} in a run without models`);
      const me = begin(effect);
      return new Promise((resolve) => {
        void models.perform(effect, { signal, say }).then((answer) => {
          living.delete(me);
          if (alive()) resolve(answer);
        });
      });
    },
    touch() {
      tree++;
    },
    reported: (usage) => models?.reported(usage) ?? false,
    endAll: () => living.clear(),
    mend: (slug) => void mended.set(slug, mendedOf(slug) + 1),
    alive: () => living.size,
  };

  function command(
    effect: WorkCommand | CheckCommand,
    signal: AbortSignal,
    alive: () => boolean,
  ): ReturnType<Perform> {
    return new Promise((resolve) => {
      const me = begin(effect);
      const end = random.chance(options.spawnFaults)
        ? { ...endOf(effect), outcome: 'spawn' as const, exit: null, detail: 'simulated' }
        : endOf(effect);
      const startTree = options.trees ? hex(tree) : null;
      let over = false;
      const finish = (ended: Ended) => {
        if (over) return;
        over = true;
        living.delete(me);
        if (effect.type === 'work') tree++;
        if (alive()) resolve(answerOf(effect, ended, startTree));
      };
      const reused = effect.type === 'check' && startTree !== null && effect.green === startTree;
      clock.at(clock.now() + (reused ? 0 : end.ms), () => finish(end));
      signal.addEventListener('abort', () => {
        clock.at(clock.now() + random.int(0, 300), () => finish({ ...end, outcome: 'aborted', exit: null }));
      });
    });
  }
}

function isCommand(effect: Effect): effect is Exclude<Effect, ModelEffect> {
  return effect.type === 'work' || effect.type === 'check';
}

/** A tree's name. */
function hex(tree: number): string {
  return tree.toString(16).padStart(40, '0');
}

function answerOf(effect: WorkCommand | CheckCommand, ended: Ended, tree: string | null) {
  const { node, epoch, attempt } = effect;
  if (effect.type === 'work') {
    return { type: 'work.ended' as const, node, epoch, attempt, rerun: effect.rerun, ...ended };
  }
  // The same check on the same tree comes to the same end: green before is green again.
  const reused = tree !== null && effect.green === tree && ended.outcome !== 'aborted';
  const end = reused ? { ...ended, outcome: 'exit' as const, exit: 0 } : ended;
  return {
    type: 'check.ended' as const,
    node,
    epoch,
    attempt,
    check: effect.check,
    tree,
    reused,
    restored: [],
    ...end,
  };
}
