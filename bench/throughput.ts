/** Nodes a second, as a part of what the floor does with the same plan. */

import { runOnEngine } from './engine-run.ts';
import { runOnFloor } from './floor.ts';
import { inFreshDir } from './fresh-dir.ts';
import { median, spread, type Row } from './rows.ts';
import { edgesOf, planOf, SHAPES, type Shape } from './shapes.ts';

const NODES = 1_000;
/** Commits of one turn are one transaction; a chain has nothing to put together. */
const GOALS: Record<Shape, number> = { chain: 0.6, fan: 1.2, dag: 1.2 };

export async function throughput(rounds: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const shape of SHAPES) {
    const plan = planOf({ shape, nodes: NODES });
    const floor = () => inFreshDir((dir) => runOnFloor(plan, dir));
    const engine = () => inFreshDir((dir) => runOnEngine(plan, dir));
    const pairs = [];
    for (let round = 0; round <= rounds; round++) {
      // Each goes first in every other pair.
      const early = round % 2 === 0 ? await floor() : null;
      const run = await engine();
      pairs.push({ floor: early ?? (await floor()), ...run });
    }
    // The first pair is there to be compiled.
    pairs.shift();
    const ratios = pairs.map((pair) => pair.floor / pair.ms);
    const perSecond = (ms: readonly number[]) =>
      spread(
        ms.map((each) => (plan.nodes.length / each) * 1_000),
        0,
      );
    const commits = median(pairs.map((pair) => pair.commits / NODES)).toFixed(2);
    rows.push({
      what: `${shape} of ${NODES}, ${edgesOf(plan)} edges: engine / floor`,
      goal: `≥ ${GOALS[shape]}`,
      met: median(ratios) >= GOALS[shape],
      measured:
        `${spread(ratios, 2)}, nodes/s ${perSecond(pairs.map(({ ms }) => ms))}` +
        ` on ${perSecond(pairs.map((pair) => pair.floor))}, ${commits} commits a node`,
    });
  }
  return rows;
}
