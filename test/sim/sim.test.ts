import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { runSeed, seedOf } from './seeds.ts';

/** A third of them have models. */
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
});
