/**
 * A real job for the tests that kill: nine nodes whose commands may be cut and run again, in scopes that let some of
 * them run side by side. Each command also writes, outside the compared tree, when it was started, and one of them
 * appends to a file in the workspace, as a command should not.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '../../src/contract/event.ts';
import { nodeId } from '../../src/contract/ids.ts';
import type { PlanNodeInput, Rig } from './rig.ts';

/** Writes line by line into its place: a command that is cut leaves half a file, and one that lives on adds lines. */
const WORK = `
pause=$1 name=$2 out=$3; shift 3
echo $$ >> "../logs/$name.work"
: > "$out"
for i in 1 2 3 4 5; do echo "$name $i" >> "$out"; sleep $pause; done
cat "$@" < /dev/null >> "$out"
`;

const CHECK = `
echo $$ >> "../logs/$1.check"
sleep 0.01
test "$(wc -l < "$2")" -eq "$3"
`;

const APPEND = `
echo $$ >> ../logs/append.work
echo once more >> history.txt
sleep 0.05
`;

/** What differs from run to run by design. */
export const NOT_COMPARED = ['history.txt'];

interface Step {
  readonly slug: string;
  /** Seconds between two lines: "slow" outlives its owner until after the next one has begun. */
  readonly pause?: number;
  readonly inputs: readonly string[];
  readonly lines: number;
  readonly once?: boolean;
}

const STEPS: readonly Step[] = [
  { slug: 'slow', pause: 0.15, inputs: [], lines: 5 },
  { slug: 'left', inputs: [], lines: 5 },
  { slug: 'right', inputs: [], lines: 5, once: true },
  { slug: 'both', inputs: ['left', 'right'], lines: 15 },
  { slug: 'side', inputs: ['left'], lines: 10, once: true },
  { slug: 'top', inputs: ['both', 'side'], lines: 30 },
];

/** Slugs of the nodes that have a command of their own. */
export const WORKERS: readonly string[] = [...STEPS.map(({ slug }) => slug), 'append', 'pack'];
/** Slugs of the nodes whose check the final verification does not repeat. */
export const CHECKED_ONCE: readonly string[] = STEPS.filter(({ once }) => once).map(({ slug }) => slug);

/** Writes the scripts and the plan; the value is the path of the plan. */
export function makeJob(rig: Rig): string {
  mkdirSync(join(rig.root, 'logs'));
  for (const [name, script] of Object.entries({ work: WORK, check: CHECK, append: APPEND })) {
    writeFileSync(join(rig.root, `${name}.sh`), script);
  }
  const steps = STEPS.map(({ slug, pause = 0.015, inputs, lines, once }): PlanNodeInput => ({
    slug,
    deps: inputs,
    scope: [`${slug}.txt`],
    run: `sh ../work.sh ${pause} ${slug} ${[slug, ...inputs].map((name) => `${name}.txt`).join(' ')}`,
    checks: [{ run: `sh ../check.sh ${slug} ${slug}.txt ${lines}`, ...(once ? { once } : {}) }],
  }));
  return rig.plan({
    checks: [{ run: 'test -f packed.txt' }],
    nodes: [
      ...steps,
      { slug: 'append', scope: ['history.txt'], run: 'sh ../append.sh' },
      { slug: 'look', deps: ['top'], scope: ['nothing'], checks: [{ run: 'grep -q "^left 5$" top.txt' }] },
      {
        slug: 'pack',
        deps: ['top', 'slow', 'append', 'look'],
        run: 'sh ../work.sh 0.015 pack packed.txt top.txt slow.txt',
      },
    ],
  });
}

/** How often a node's command, or its check, was started; told by the commands themselves. */
export function starts(rig: Rig, slug: string, kind: 'work' | 'check'): number {
  const file = join(rig.root, 'logs', `${slug}.${kind}`);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}

/** By name, how often what has ended, as the journal tells, was started: these numbers must never grow again. */
export function endedForEver(rig: Rig, events: readonly RunEvent[]): ReadonlyMap<string, number> {
  const ended = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'work.ended' && event.exit === 0) note('work', WORKERS, event.node);
    if (event.type === 'check.ended' && event.exit === 0) note('check', CHECKED_ONCE, event.node);
  }
  return ended;

  function note(kind: 'work' | 'check', slugs: readonly string[], node: string) {
    const slug = slugs.find((each) => nodeId(each) === node);
    if (slug !== undefined) ended.set(`${kind} of ${slug}`, starts(rig, slug, kind));
  }
}

/** What is wrong with how often commands ran, at the end of a run that was killed any number of times. */
export function wrongRuns(rig: Rig, events: readonly RunEvent[]): readonly string[] {
  return WORKERS.flatMap((slug) => {
    const of = events.filter((event) => 'node' in event && event.node === nodeId(slug));
    const end = of.findIndex(({ type }) => type === 'work.ended');
    const begun = of.slice(0, end).filter((event) => event.type === 'node.started');
    const ran = starts(rig, slug, 'work');
    const wrong: string[] = [];
    if (of.filter(({ type }) => type === 'work.ended').length !== 1) wrong.push('has not one end');
    if (ran < 1 || ran > begun.length) wrong.push(`ran ${ran} times, was started ${begun.length} times`);
    begun.forEach(({ rerun }, i) => {
      if (rerun !== i > 0) wrong.push(`start ${i + 1} says rerun: ${rerun}`);
    });
    const last = of[end];
    if (last?.type === 'work.ended' && last.rerun !== begun.length > 1)
      wrong.push(`its end says rerun: ${last.rerun}`);
    return wrong.map((what) => `${slug} ${what}`);
  });
}

/** How often the command that appends has done so. */
export function appended(rig: Rig): number {
  return readFileSync(join(rig.workspace, 'history.txt'), 'utf8').split('\n').length - 1;
}
