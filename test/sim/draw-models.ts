/** What is drawn for a run with models: its settings, its limits, and how far its provider keeps to the law. */

import type { Limits } from '../../src/contract/limits.ts';
import type { ModelKnobs } from './model-world.ts';
import type { Random } from './random.ts';

/** Millionths of a dollar a million tokens; round numbers, so that the observer need not round. */
const PRICE = { input: 1_000_000, cached: 100_000, output: 2_000_000 };

interface Trouble {
  readonly trouble: number;
  readonly meddling: boolean;
}

export function drawModels(random: Random, { trouble, meddling }: Trouble): ModelKnobs {
  const price = random.chance(0.5) ? PRICE : null;
  const caps = { rounds: random.int(2, 9), verifications: random.int(1, 5), turns: 8 };
  // Skeptics side by side are who waits for each other's reservations.
  const panel = { node: random.pick([0, 1, 3, 3]), final: random.pick([0, 1, 3, 3]) };
  const planning = random.chance(0.3);
  const approve = planning && random.chance(0.5);
  const rogue = random.chance(0.2);
  return {
    models: {
      worker: 'sim/worker',
      verifier: random.chance(0.5) ? 'sim/verifier' : 'sim/worker',
      baseUrl: null,
      prices: { worker: price, verifier: price },
      panel,
      caps,
      sandbox: 'off',
      allowNet: false,
    },
    planning,
    approve,
    faults: 0.02 * trouble,
    rogue: meddling && rogue,
  };
}

/** Tight ones, as a rule: a run meets them a few times. */
export function limitsFor(random: Random, { models }: ModelKnobs, { meddling }: Trouble): Partial<Limits> {
  if (!meddling) return {};
  const tokens = random.chance(0.8) ? random.int(5_000, 120_000) : null;
  const cost = models.prices.worker && random.chance(0.5) ? random.int(20_000, 200_000) : null;
  return { tokens, cost };
}
