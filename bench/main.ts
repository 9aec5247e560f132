/**
 * `npm run bench [-- --rounds 7] [-- --only throughput,growth]`: what the project promises about speed, measured.
 * Machines differ and are busy, so what counts are ratios to a floor or a smaller run that takes turns with it in
 * the same process, over several rounds. Not met is said, and is no failure of the command.
 */

import { parseArgs } from 'node:util';
import { checkCommand } from './check-command.ts';
import { gateTime } from './gate-time.ts';
import { growth, restore } from './growth.ts';
import { memory } from './memory.ts';
import { modelTurns } from './model-turns.ts';
import { shellStart } from './shell-start.ts';
import { table, type Row } from './rows.ts';
import { throughput } from './throughput.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, only: { type: 'string' } },
});
const rounds = Number(values.rounds);

const PARTS: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  throughput: () => throughput(rounds),
  growth: () => growth(Math.max(1, Math.ceil(rounds / 3))),
  restore: async () => [await restore(rounds)],
  memory: async () => [await memory()],
  check: async () => [await checkCommand(3 * rounds)],
  gate: async () => [await gateTime()],
  turns: () => modelTurns(rounds),
  shell: () => shellStart(Math.max(10, rounds)),
};

const rows: Row[] = [];
for (const name of values.only?.split(',') ?? Object.keys(PARTS)) {
  const part = PARTS[name];
  if (!part) throw new Error(`no part ${name}: there are ${Object.keys(PARTS).join(', ')}`);
  const start = performance.now();
  rows.push(...(await part()));
  console.error(`${name}: ${((performance.now() - start) / 1_000).toFixed(0)} s`);
}

console.log(
  [
    'Two effects a node (a command, a check), each at its end as soon as it begins; 8 nodes at once; a write scope',
    'each; the same check text in all nodes, so that the final node (on top of those counted) has one check, unless',
    'it says otherwise. Journal: SQLite, synchronous=FULL. Floor: bare better-sqlite3, the same, 2 commits a node,',
    `each a status and an event row. Node ${process.version} with tsx (8 % of the engine's own time, 35 MB), ${rounds} rounds.`,
    '',
    table(rows),
    '',
    `peak RSS of this process, with all that it measured: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
  ].join('\n'),
);
