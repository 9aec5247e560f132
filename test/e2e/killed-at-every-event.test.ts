/** SIGKILL as soon as an event is printed, once for each event of a small run, and again while it is resumed. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeId } from '../../src/contract/ids.ts';
import { eventsIn, treeOf, verdicts } from '../support/rig-journal.ts';
import { inLanes, withRig, type Rig } from '../support/rig.ts';

function smallPlan(rig: Rig): string {
  mkdirSync(join(rig.root, 'logs'));
  const node = (slug: string, deps: readonly string[], scope: readonly string[]) => ({
    slug,
    deps,
    scope,
    run: `echo started >> ../logs/${slug}; echo ${slug} > ${slug}; sleep 0.02; echo end >> ${slug}`,
    checks: [{ run: `grep -q end ${slug}` }],
  });
  const look = {
    slug: 'look',
    deps: ['b'],
    scope: ['look'],
    checks: [{ run: 'test -f a' }, { run: 'test -f b' }],
  };
  return rig.plan({ nodes: [node('a', [], ['a']), node('b', ['a'], ['b']), node('c', ['a'], ['c']), look] });
}

interface Ideal {
  readonly events: number;
  readonly end: unknown;
}

async function endOf(rig: Rig): Promise<unknown> {
  const view = await rig.status();
  return { tree: treeOf(rig.workspace), verdicts: verdicts(view), types: endTypes(rig) };
}

/** The ends that are stored, in any order: each once, however often the run was cut. */
function endTypes(rig: Rig): readonly string[] {
  return rig
    .journal()
    .events.filter(({ type }) => /ended|achieved|completed|failed|blocked/.test(type))
    .map(
      (event) =>
        ('node' in event ? `${event.node} ` : '') + event.type + ('check' in event ? ` ${event.check}` : ''),
    )
    .sort();
}

/** Kills the command line when it prints its `place`th line, if it gets that far. */
async function killedAtLine(rig: Rig, args: readonly string[], place: number): Promise<void> {
  const owner = rig.start([...args, '--json']);
  let lines = 0;
  owner.onLine(() => {
    if (++lines === place) owner.kill('SIGKILL');
  });
  const { exit, signal, stdout } = await owner.ended;
  if (signal === null) expect([exit, eventsIn(stdout).at(-1)?.type]).toEqual([0, 'run.completed']);
}

async function resumed(rig: Rig): Promise<void> {
  const last = rig.journal().events.findLast(({ type }) => type.startsWith('run.'));
  // Killed after its last event, the run is through.
  if (last?.type === 'run.completed') return;
  const { exit, stderr } = await rig.run(['resume']);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
}

function commandsRanAsTold(rig: Rig): void {
  const { events } = rig.journal();
  for (const slug of ['a', 'b', 'c']) {
    const of = events.filter((event) => 'node' in event && event.node === nodeId(slug));
    const end = of.findIndex(({ type }) => type === 'work.ended');
    const reruns = of.slice(0, end).flatMap((event) => (event.type === 'node.started' ? [event.rerun] : []));
    expect(reruns).toEqual(reruns.map((_, i) => i > 0));
  }
}

test('a run that is killed at any of its events ends as if nothing had happened', async () => {
  const ideal = await withRig(async (rig): Promise<Ideal> => {
    const { exit, stdout } = await rig.run(['run', smallPlan(rig), '--json']);
    expect(exit).toBe(0);
    return { events: eventsIn(stdout).length, end: await endOf(rig) };
  });
  expect(ideal.events).toBeGreaterThan(20);
  const places = Array.from({ length: ideal.events }, (_, i) => i + 1);
  await inLanes(3, places, (place) =>
    withRig(async (rig) => {
      await killedAtLine(rig, ['run', smallPlan(rig)], place);
      await resumed(rig);
      expect({ place, end: await endOf(rig) }).toEqual({ place, end: ideal.end });
      commandsRanAsTold(rig);
    }),
  );
});

/** `run.restored`, `run.resumed`, at most two `node.started`: the fifth is the first that gets on. */
const FIRST_STEP = 5;

test('a run whose every owner is killed at its first step still gets to its end', async () => {
  await withRig(async (rig) => {
    await killedAtLine(rig, ['run', smallPlan(rig)], FIRST_STEP);
    let owners = 1;
    while (rig.journal().events.at(-1)?.type !== 'run.completed') {
      expect(++owners).toBeLessThan(40);
      await killedAtLine(rig, ['resume'], FIRST_STEP);
    }
    expect(owners).toBeGreaterThan(5);
    commandsRanAsTold(rig);
  });
});
