/**
 * SIGKILL at random points of a real run, several in one run, until it is through. GOALGRAPH_E2E_KILLS makes the
 * campaign longer, GOALGRAPH_E2E_SEED begins it elsewhere.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seeded } from '../sim/random.ts';
import { makeJob, appended, endedForEver, NOT_COMPARED, starts, wrongRuns } from '../support/rig-job.ts';
import { treeOf, verdicts } from '../support/rig-journal.ts';
import { isAlive, type Proc } from '../support/rig-processes.ts';
import { inLanes, withRig, type Rig } from '../support/rig.ts';

const KILLS = Number(process.env['GOALGRAPH_E2E_KILLS'] ?? 60);
const SEED = Number(process.env['GOALGRAPH_E2E_SEED'] ?? 1);
/** Kills in one run, at most: after that it may end in peace. */
const A_RUN = 4;

test(
  `a run that is killed again and again ends as if nothing had happened, over ${KILLS} kills`,
  async () => {
    const ideal = await withRig(uninterrupted);
    let kills = 0;
    let hits = 0;
    const seeds = Array.from({ length: KILLS }, (_, i) => SEED + i);
    await inLanes(3, seeds, async (seed) => {
      if (kills >= KILLS) return;
      await withRig(async (rig) => {
        const story: string[] = [`seed ${seed}`];
        try {
          const killed = await killedRun(rig, { seed, duration: ideal.duration, story });
          kills += killed.kills;
          hits += killed.hits;
          expect({
            tree: treeOf(rig.workspace, NOT_COMPARED),
            verdicts: verdicts(await rig.status()),
          }).toEqual(ideal.end);
        } catch (error) {
          throw new Error(`${story.join(', ')}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        }
      });
    });
    process.stderr.write(
      `${kills} kills, of which ${hits} hit a command; a run takes ${Math.round(ideal.duration)} ms\n`,
    );
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    expect(hits).toBeGreaterThan(KILLS / 4);
  },
  120_000 + KILLS * 1_000,
);

async function uninterrupted(rig: Rig) {
  const plan = makeJob(rig);
  const start = performance.now();
  const { exit } = await rig.run(['run', plan]);
  const duration = performance.now() - start;
  expect(exit).toBe(0);
  expect(wrongRuns(rig, rig.journal().events)).toEqual([]);
  expect(appended(rig)).toBe(1);
  return {
    duration,
    end: { tree: treeOf(rig.workspace, NOT_COMPARED), verdicts: verdicts(await rig.status()) },
  };
}

interface Killing {
  readonly seed: number;
  readonly duration: number;
  /** What was done, for the message of a failure. */
  readonly story: string[];
}

async function killedRun(
  rig: Rig,
  { seed, duration, story }: Killing,
): Promise<{ kills: number; hits: number }> {
  const random = seeded(seed);
  const plan = makeJob(rig);
  let kills = 0;
  let hits = 0;
  let orphans: readonly Proc[] = [];
  let ended: ReadonlyMap<string, number> = new Map();
  for (;;) {
    const last = rig.journal().events.findLast(({ type }) => type.startsWith('run.'));
    if (last?.type === 'run.completed') break;
    // Killed before the run was stored, there is nothing to resume.
    const owner = rig.start([...(last ? ['resume'] : ['run', plan]), '--json']);
    const others = orphans;
    const alive = new Promise<readonly Proc[]>((resolve) =>
      owner.onLine(() => resolve(others.filter(isAlive))),
    );
    const wait = kills < A_RUN ? random.int(0, Math.round(duration)) : null;
    if (wait !== null) await Promise.race([delay(wait), owner.ended]);
    if (wait === null || owner.isOver()) {
      const { exit, stderr } = await owner.ended;
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    } else {
      owner.kill('SIGKILL');
      await owner.ended;
      orphans = rig.alive();
      kills++;
      story.push(`killed after ${wait} ms`);
    }
    if (owner.stdout() !== '') expect(await alive).toEqual([]);
    const { events } = rig.journal();
    for (const [name, count] of ended) expect([name, countOf(rig, name)]).toEqual([name, count]);
    ended = endedForEver(rig, events);
    if (orphans.length > 0) hits++;
  }
  expect(rig.alive()).toEqual([]);
  const { events } = rig.journal();
  expect(wrongRuns(rig, events)).toEqual([]);
  expect(appended(rig)).toBe(starts(rig, 'append', 'work'));
  expect(appended(rig)).toBeLessThanOrEqual(1 + kills);
  return { kills, hits };
}

function countOf(rig: Rig, name: string): number {
  const [kind, , slug] = name.split(' ') as ['work' | 'check', string, string];
  return starts(rig, slug, kind);
}
