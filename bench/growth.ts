/** What ten times the nodes cost, and what it takes to go on with such a run. */

import { loadRun } from '../src/engine/load.ts';
import { openStore } from '../src/store/store.ts';
import { RUN, runOnEngine } from './engine-run.ts';
import { inFreshDir } from './fresh-dir.ts';
import { median, spread, type Row } from './rows.ts';
import { planOf, SHAPES, type PlanOf } from './shapes.ts';

const FEW = 1_000;
const MANY = 10_000;
const MOST = 12;
const RESTORE_MS = 1_000;

export async function growth(rounds: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const shape of SHAPES) rows.push(await grown({ shape, checks: 'shared' }, rounds));
  // Here the final node runs 10,000 checks after one another: three effects a node.
  rows.push(await grown({ shape: 'dag', checks: 'distinct' }, 1));
  return rows;
}

async function grown(of: Required<Omit<PlanOf, 'nodes'>>, rounds: number): Promise<Row> {
  const [few, many] = [planOf({ ...of, nodes: FEW }), planOf({ ...of, nodes: MANY })];
  const ratios: number[] = [];
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await inFreshDir((dir) => runOnEngine(few, dir));
    const big = await inFreshDir((dir) => runOnEngine(many, dir));
    const after = await inFreshDir((dir) => runOnEngine(few, dir));
    ratios.push(big.ms / ((before.ms + after.ms) / 2));
    seconds.push(big.ms / 1_000);
  }
  return {
    what: `${of.shape} of ${MANY}, ${of.checks === 'shared' ? 'one check text' : 'a check text each'}: time / time of ${FEW}`,
    goal: `≤ ${MOST}`,
    met: median(ratios) <= MOST,
    measured: `${spread(ratios, 1)}, ${spread(seconds, 1)} s`,
  };
}

/** Of a finished run: the longest journal that a plan without trouble leaves. */
export async function restore(rounds: number): Promise<Row> {
  return inFreshDir(async (dir) => {
    const { events } = await runOnEngine(planOf({ shape: 'dag', nodes: MANY }), dir);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const store = openStore(dir);
      if (!store.ok) throw new Error(store.fault.message);
      const start = performance.now();
      const loaded = await loadRun(store.value.log, RUN);
      times.push(performance.now() - start);
      store.value.close();
      if (!loaded.ok) throw new Error(loaded.fault.message);
    }
    return {
      what: `restore of a finished dag of ${MANY}: read and fold ${events} events`,
      goal: `≤ ${RESTORE_MS} ms`,
      met: median(times) <= RESTORE_MS,
      measured: `${spread(times, 0)} ms`,
    };
  });
}
