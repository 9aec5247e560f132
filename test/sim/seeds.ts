/** What each seed is held to, and how a failing one is made small. */

import { scenario, type Knobs } from './scenario.ts';

export interface Seed {
  readonly seed: number;
  readonly maxNodes: number;
  readonly trouble: number;
}

export interface SeedResult {
  readonly wrong: readonly string[];
  readonly events: number;
  readonly crashes: number;
}

export function seedOf(seed: number): Seed {
  return { seed, maxNodes: 8, trouble: 1 };
}

/** Every seed is one of six kinds, and some have a flow as well; each is a promise of its own. */
export async function runSeed({ seed, maxNodes, trouble }: Seed): Promise<SeedResult> {
  const calm: Knobs = { seed, maxNodes, trouble: 0, meddling: false };
  // Every third run has models; the others are as they are without.
  if (seed % 3 === 0) {
    const modelled = { ...calm, maxNodes: Math.min(maxNodes, 5), byModel: true };
    const own = await troubled(modelled, { trouble, same: (seed / 3) % 3 === 0 });
    if (seed % 2 === 0) return own;
    // And half of those have one that follows a chart beside it.
    const charted = { ...calm, byModel: true, byChart: true };
    return both(own, await troubled(charted, { trouble, same: (seed - 3) % 18 === 0 }));
  }
  switch (Math.floor(seed / 3) % 4) {
    case 0:
      // Whatever breaks, the run ends as if nothing had.
      return same([calm, { ...calm, trouble }], 'after crashes and pauses');
    case 1:
      return same(
        [1, 3, 8].map((concurrency) => ({ ...calm, concurrency })),
        'at another concurrency',
      );
    default:
      return scenario({ ...calm, trouble, meddling: true });
  }
}

/** `same`: it ends as if nothing had happened to it; else a person meddles, and it may end anyhow. */
function troubled(
  calm: Knobs,
  { trouble, same: isSame }: { readonly trouble: number; readonly same: boolean },
): Promise<SeedResult> {
  return isSame
    ? same([calm, { ...calm, trouble }], 'after crashes and pauses')
    : scenario({ ...calm, trouble, meddling: true });
}

function both(one: SeedResult, other: SeedResult): SeedResult {
  return {
    wrong: [...one.wrong, ...other.wrong],
    events: one.events + other.events,
    crashes: one.crashes + other.crashes,
  };
}

async function same(knobs: readonly Knobs[], how: string): Promise<SeedResult> {
  const told = [];
  for (const each of knobs) told.push(await scenario(each));
  const wrong = told.flatMap((one) => one.wrong);
  const [first, ...others] = told.map(({ end }) => end.join(', '));
  for (const other of others) {
    if (other !== first) wrong.push(`${how} it ends as: ${other}; it should be: ${first ?? ''}`);
  }
  return {
    wrong,
    events: told.reduce((sum, { events }) => sum + events, 0),
    crashes: told.reduce((sum, { crashes }) => sum + crashes, 0),
  };
}

/** The smallest plan and the least trouble with which the seed still fails. */
export async function shrink(failing: Seed): Promise<Seed> {
  let smallest = failing;
  for (const maxNodes of range(1, failing.maxNodes)) {
    const candidate = { ...smallest, maxNodes };
    if ((await runSeed(candidate)).wrong.length > 0) {
      smallest = candidate;
      break;
    }
  }
  for (const trouble of [0, 0.1, 0.3]) {
    const candidate = { ...smallest, trouble };
    if ((await runSeed(candidate)).wrong.length > 0) return candidate;
  }
  return smallest;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
