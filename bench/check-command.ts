/** How long `goalgraph check` of a small plan takes, beside a node that does nothing. */

import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inFreshDir } from './fresh-dir.ts';
import { median, spread, type Row } from './rows.ts';

const NODES = 10;
const MOST = 3;
const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

export async function checkCommand(rounds: number): Promise<Row> {
  if (!existsSync(CLI)) throw new Error('build first: npm run build');
  return inFreshDir((dir) => {
    const file = join(dir, 'plan.md');
    writeFileSync(file, plan());
    const ours: number[] = [];
    const nothing: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      nothing.push(timed(['-e', '0']));
      ours.push(timed([CLI, 'check', file]));
    }
    // The first round fills the caches of the disk.
    const ratios = ours.map((ms, i) => ms / (nothing[i] ?? NaN)).slice(1);
    return {
      what: `goalgraph check of ${NODES} nodes: time / time of node -e 0`,
      goal: `≤ ${MOST}`,
      met: median(ratios) <= MOST,
      measured: `${spread(ratios, 2)}, ${spread(ours.slice(1), 0)} ms on ${spread(nothing.slice(1), 0)} ms`,
    };
  });
}

function plan(): string {
  const nodes = Array.from({ length: NODES }, (_, i) =>
    [
      `## step-${i}: Step number ${i}`,
      ...(i === 0 ? [] : [`deps: step-${i - 1}`]),
      `scope: out/${i}/**`,
      `check: \`test -s out/${i}/result\``,
      `run: \`node build.js ${i}\``,
      '',
      'Makes the next part from the last one.',
      '',
    ].join('\n'),
  );
  return ['# Build it in ten steps', '', ...nodes].join('\n');
}

function timed(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')}: ${stderr}`);
  return performance.now() - start;
}
