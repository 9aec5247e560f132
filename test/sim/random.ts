/** Seeded randomness: the same seed, the same world, on every machine. */

export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  chance(p: number): boolean;
  pick<T>(of: readonly T[]): T;
}

/** mulberry32. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (p) => next() < p,
    pick(of) {
      const item = of[Math.floor(next() * of.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
}

/** Randomness that depends on names alone, so that it does not matter when it is asked for. */
export function named(seed: number, ...names: readonly (string | number)[]): Random {
  let hash = seed ^ 0x9e3779b9;
  for (const char of names.join('\u0000')) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  return seeded(hash);
}
