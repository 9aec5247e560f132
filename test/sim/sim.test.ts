import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { scenario } from './scenario.ts';
import { runSeed, seedOf } from './seeds.ts';

/** A third of them have models, and half of those a run that follows a chart beside them. */
const SEEDS = 3_000;

describe('the simulation', () => {
  it(
    `finds nothing wrong in ${SEEDS} seeds`,
    async () => {
      const main = resolve(import.meta.dirname, 'main.ts');
      const jobs = String(availableParallelism());
      const args = ['--import', 'tsx', main, '--seeds', String(SEEDS), '--jobs', jobs];
      const { stdout, exitCode } = await execa(process.execPath, args, { reject: false, all: true });
      expect(exitCode, stdout).toBe(0);
      expect(stdout).toContain(`${SEEDS} of ${SEEDS} seeds`);
    },
    10 * 60_000,
  );

  it('plays a seed the same way twice', async () => {
    for (const seed of [3, 4, 5, 6, 7, 8, 9])
      expect(await runSeed(seedOf(seed))).toEqual(await runSeed(seedOf(seed)));
  });

  it('has crashes in it, or it would show nothing', async () => {
    let crashes = 0;
    for (let seed = 1; seed < 40; seed += 3) crashes += (await runSeed(seedOf(seed))).crashes;
    expect(crashes).toBeGreaterThan(5);
  });

  it('has charts in it that are followed to their ends', async () => {
    const ends = [];
    for (let seed = 3; seed < 60; seed += 6) {
      const knobs = { seed, maxNodes: 8, trouble: 1, meddling: false, byModel: true, byChart: true };
      ends.push((await scenario(knobs)).end);
    }
    expect(ends.filter((end) => end.at(-1) === 'complete' && end.includes('end')).length).toBeGreaterThan(5);
    expect(Math.max(...ends.map((end) => end.length))).toBeGreaterThan(8);
  });
});
