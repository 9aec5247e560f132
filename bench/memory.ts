/** The most memory that a process ever holds which runs 10,000 nodes and then restores the run. Needs a process of its own. */

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadRun } from '../src/engine/load.ts';
import { openStore } from '../src/store/store.ts';
import { RUN, runOnEngine } from './engine-run.ts';
import { inFreshDir } from './fresh-dir.ts';
import type { Row } from './rows.ts';
import { planOf, SHAPES, type Shape } from './shapes.ts';

const NODES = 10_000;
const MOST_MB = 300;

export async function memory(): Promise<Row> {
  const peaks = new Map<Shape, number>();
  for (const shape of SHAPES) peaks.set(shape, await peakOf(shape));
  return {
    what: `peak RSS of a process that gates, runs and restores ${NODES} nodes`,
    goal: `≤ ${MOST_MB} MB`,
    met: Math.max(...peaks.values()) <= MOST_MB,
    measured: [...peaks].map(([shape, mb]) => `${shape} ${mb.toFixed(0)}`).join(', ') + ' MB',
  };
}

function peakOf(shape: Shape): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [shape]);
    let peak = NaN;
    child.on('message', (mb: number) => (peak = mb));
    child.on('exit', (code) => (code === 0 ? resolve(peak) : reject(new Error(`exit ${code ?? '?'}`))));
  });
}

async function child(shape: Shape): Promise<void> {
  await inFreshDir(async (dir) => {
    await runOnEngine(planOf({ shape, nodes: NODES }), dir);
    const store = openStore(dir);
    if (!store.ok) throw new Error(store.fault.message);
    const loaded = await loadRun(store.value.log, RUN);
    store.value.close();
    if (!loaded.ok) throw new Error(loaded.fault.message);
  });
  process.send?.(process.resourceUsage().maxRSS / 1024);
}

const shape = SHAPES.find((name) => name === process.argv[2]);
if (process.send && shape) await child(shape);
