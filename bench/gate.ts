/** How long the gate takes: 10,000 nodes and 30,000 deps, text to plan with hash, median of five. `npx tsx bench/gate.ts` */

import { gate } from '../src/graph/gate.ts';
import { parsePlan, type PlanText } from '../src/graph/parse-plan.ts';

const NODES = 10_000;
const DEPS_EACH = 3;
const RUNS = 5;

interface Row {
  readonly slug: string;
  readonly title: string;
  readonly spec: string;
  readonly deps: readonly string[];
  readonly scope: readonly string[];
  readonly checks: readonly { readonly run: string }[];
  readonly run: string;
}

/** Deps spread over all earlier nodes by a fixed generator, so that every run measures the same plan. */
function rows(): readonly Row[] {
  let seed = 1;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed % below;
  };
  return Array.from({ length: NODES }, (_, i) => ({
    slug: `node-${i}`,
    title: `Node number ${i}`,
    spec: `The file src/part-${i}/out.txt holds what its deps made,\none line each, in their order.`,
    deps: [...new Set(Array.from({ length: i === 0 ? 0 : DEPS_EACH }, () => `node-${random(i)}`))],
    scope: [`src/part-${i}/**`],
    checks: [{ run: `test -s src/part-${i}/out.txt` }],
    run: `node build.js ${i}`,
  }));
}

function markdown(nodes: readonly Row[]): string {
  const parts = nodes.map(({ slug, title, spec, deps, scope, checks, run }) =>
    [
      `## ${slug}: ${title}`,
      `deps: ${deps.join(', ')}`,
      `scope: ${scope.join(', ')}`,
      ...checks.map((check) => `check: \`${check.run}\``),
      `run: \`${run}\``,
      '',
      spec,
      '',
    ].join('\n'),
  );
  return ['# Build everything', 'check: `node verify.js`', '', ...parts].join('\n');
}

function measure(plan: PlanText): string {
  const times: number[] = [];
  let hash = '';
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const gated = gate(parsePlan(plan), { source: 'file', hasModel: false, hasPanel: false, budget: null });
    times.push(performance.now() - start);
    if (!gated.ok) throw new Error(gated.faults[0]?.message);
    hash = gated.plan.hash;
  }
  times.sort((a, b) => a - b);
  const size = (plan.text.length / 1024 / 1024).toFixed(1);
  const shown = times.map((ms) => ms.toFixed(0)).join(' ');
  return `${plan.format.padEnd(8)} ${size} MiB  median ${(times[RUNS >> 1] ?? 0).toFixed(0)} ms  (${shown})  ${hash}\n`;
}

const nodes = rows();
const json = JSON.stringify(
  { objective: 'Build everything', checks: [{ run: 'node verify.js' }], nodes },
  null,
  2,
);
const edges = nodes.reduce((sum, { deps }) => sum + deps.length, 0);
process.stdout.write(`${NODES} nodes, ${edges} deps\n`);
process.stdout.write(measure({ text: json, file: 'plan.json', source: 'file', format: 'json' }));
process.stdout.write(measure({ text: markdown(nodes), file: 'plan.md', source: 'file', format: 'markdown' }));
