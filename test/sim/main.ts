/**
 * `npm run sim -- --seeds 100000 [--from 1] [--jobs 2]` looks for a seed that breaks an invariant;
 * `npm run sim -- --seed 17` plays one again. Exit 1 when something was found.
 */

import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runSeed, seedOf, shrink } from './seeds.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
  },
});

// What the machines throw is a bug, and comes up where nobody can catch it: say so as any other finding.
let playing = 0;
process.on('unhandledRejection', (error) => {
  console.log(`seed ${playing}: threw ${String(error instanceof Error ? error.stack : error)}`);
  process.exit(1);
});

/** Seeds that a job runs, between two words to its parent. */
const CHUNK = 250;

interface Tally {
  readonly seeds: number;
  readonly events: number;
  readonly crashes: number;
}

if (values.seed !== undefined) process.exitCode = await replay(Number(values.seed));
else if (process.send)
  process.exitCode = await search(Number(values.from), Number(values.seeds), (tally) =>
    process.send?.(tally),
  );
else process.exitCode = await campaign(Number(values.from), Number(values.seeds), Number(values.jobs));

async function search(from: number, seeds: number, tell: (tally: Tally) => void): Promise<number> {
  let tally: Tally = { seeds: 0, events: 0, crashes: 0 };
  for (let seed = from; seed < from + seeds; seed++) {
    playing = seed;
    const { wrong, events, crashes } = await runSeed(seedOf(seed));
    tally = { seeds: tally.seeds + 1, events: tally.events + events, crashes: tally.crashes + crashes };
    if (wrong.length > 0) return report(seed, wrong);
    if (tally.seeds === CHUNK || seed === from + seeds - 1) {
      tell(tally);
      tally = { seeds: 0, events: 0, crashes: 0 };
    }
  }
  return 0;
}

async function report(seed: number, wrong: readonly string[]): Promise<number> {
  console.log(`seed ${seed}: ${wrong.join('\n  ')}`);
  const small = await shrink(seedOf(seed));
  console.log(`smallest: ${JSON.stringify(small)}`);
  console.log((await runSeed(small)).wrong.map((sentence) => `  ${sentence}`).join('\n'));
  console.log(`again: npm run sim -- --seed ${seed}`);
  return 1;
}

async function replay(seed: number): Promise<number> {
  const { wrong, events, crashes } = await runSeed(seedOf(seed));
  if (wrong.length > 0) return report(seed, wrong);
  console.log(`seed ${seed}: nothing wrong in ${events} events, ${crashes} crashes`);
  return 0;
}

async function campaign(from: number, seeds: number, jobs: number): Promise<number> {
  const share = Math.ceil(seeds / jobs);
  const started = performance.now();
  let total: Tally = { seeds: 0, events: 0, crashes: 0 };
  const codes = await Promise.all(
    Array.from({ length: jobs }, async (_, job) => {
      const first = from + job * share;
      const count = Math.min(share, from + seeds - first);
      if (count <= 0) return 0;
      const child = fork(fileURLToPath(import.meta.url), ['--from', String(first), '--seeds', String(count)]);
      child.on('message', (tally: Tally) => {
        total = {
          seeds: total.seeds + tally.seeds,
          events: total.events + tally.events,
          crashes: total.crashes + tally.crashes,
        };
        if (total.seeds % 10_000 < CHUNK) console.log(`${total.seeds} seeds`);
      });
      return new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
    }),
  );
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const found = codes.some((code) => code !== 0);
  console.log(
    `${total.seeds} of ${seeds} seeds, ${total.events} events, ${total.crashes} crashes in ${seconds} s: ${found ? 'FOUND' : 'nothing found'}`,
  );
  return found ? 1 : 0;
}
