/** How long it takes until the shell shows its first screen, beside a node that does nothing; and what it costs at rest. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node-pty';
import { inFreshDir } from './fresh-dir.ts';
import { median, spread, type Row } from './rows.ts';

const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const MOST_MS = 300;
const MOST_MB = 120;

/** Milliseconds of looking at an idle shell. */
const IDLE = 5_000;

/** Of Linux: clock ticks a second in /proc. */
const TICKS = 100;

export async function shellStart(rounds: number): Promise<readonly Row[]> {
  if (!existsSync(CLI)) throw new Error('build first: npm run build');
  return inFreshDir(async (dir) => {
    // A workspace of its own, within the checkout as it is.
    writeFileSync(join(dir, 'goalgraph.json'), '{}');
    const ours: number[] = [];
    const nothing: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      nothing.push(timed());
      ours.push(await firstScreen(dir));
    }
    // The first round fills the caches of the disk.
    const shown = ours.slice(1);
    const start: Row = {
      what: 'the first screen of the shell, ms after its process was started (node -e 0 beside it)',
      goal: `≤ ${MOST_MS} ms`,
      met: median(shown) <= MOST_MS,
      measured: `${spread(shown, 0)} ms, node -e 0 ${spread(nothing.slice(1), 0)} ms`,
    };
    return [start, ...(await atRest(dir))];
  });
}

function timed(): number {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

function open(dir: string) {
  const shell = spawn(process.execPath, [CLI, '-C', dir], { cols: 80, rows: 24, cwd: dir });
  // A terminal keeps nobody waiting, so this has to.
  const alive = setInterval(() => undefined, 1_000);
  const over = new Promise<void>((resolve) => {
    shell.onExit(() => {
      clearInterval(alive);
      resolve();
    });
  });
  return { shell, over };
}

async function firstScreen(dir: string): Promise<number> {
  const start = performance.now();
  const { shell, over } = open(dir);
  let seen = '';
  const shown = await new Promise<number>((resolve, reject) => {
    void over.then(() => reject(new Error(`the shell has ended: ${seen}`)));
    shell.onData((text) => {
      seen += text;
      // Where it is, and a prompt under it.
      if (seen.includes('goalgraph in')) resolve(performance.now() - start);
    });
  });
  shell.write('\x04');
  await over;
  return shown;
}

async function atRest(dir: string): Promise<readonly Row[]> {
  if (!existsSync('/proc/self/stat')) return [];
  const { shell, over } = open(dir);
  await wait(1_000);
  const before = ticksOf(shell.pid);
  await wait(IDLE);
  const share = (ticksOf(shell.pid) - before) / TICKS / (IDLE / 1_000);
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${shell.pid}/status`, 'utf8'))?.[1]);
  shell.write('\x04');
  await over;
  return [
    {
      what: 'the shell at rest: share of one CPU',
      goal: '< 1 %',
      met: share < 0.01,
      measured: `${(share * 100).toFixed(1)} %`,
    },
    {
      what: 'the shell at rest: memory',
      goal: `< ${MOST_MB} MB`,
      met: kilobytes / 1024 < MOST_MB,
      measured: `${(kilobytes / 1024).toFixed(0)} MB`,
    },
  ];
}

/** User and system time. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
