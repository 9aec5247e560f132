/**
 * Everything an end-to-end test needs: a workspace of its own, a scrubbed environment, the built command line in it,
 * puppets, and the proof afterwards that nothing was left behind.
 */

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from 'vitest';
import type { RunView } from '../../src/contract/view.ts';
import { until } from './os.ts';
import { launch, MAIN, type Finished, type Running } from './rig-cli.ts';
import { readJournal, type Journal } from './rig-journal.ts';
import { bearersOfMark, MARK, type Proc } from './rig-processes.ts';
import { openTheatre, type Puppet, type Trait } from './rig-puppets.ts';

export interface RunOptions {
  /** The folder for `-C`; null for none. The workspace unless given. */
  readonly dir?: string | null;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** A program that starts the command line, with its arguments. */
  readonly through?: readonly string[];
}

export interface PlanNodeInput {
  readonly slug: string;
  readonly title?: string;
  readonly deps?: readonly string[];
  readonly scope?: readonly string[];
  readonly run?: string;
  readonly checks?: readonly { readonly run: string; readonly once?: boolean }[];
  readonly timeout?: string;
  readonly retries?: number;
  readonly onCut?: 'rerun' | 'block';
}

export interface PlanInput {
  readonly objective?: string;
  readonly checks?: readonly { readonly run: string }[];
  readonly nodes: readonly PlanNodeInput[];
}

export interface Rig {
  /** Holds all of it; not part of the workspace. */
  readonly root: string;
  readonly workspace: string;
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a plan file, outside the workspace; the value is its path. */
  readonly plan: (plan: PlanInput) => string;
  readonly puppet: (name: string, ...traits: readonly Trait[]) => Puppet;
  readonly start: (args: readonly string[], options?: RunOptions) => Running;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Finished>;
  /** What `status --json` says. */
  readonly status: () => Promise<RunView>;
  /** The journal as it is stored now. */
  readonly journal: () => Journal;
  /** Every living process that the test has set going, however far removed. */
  readonly alive: () => readonly Proc[];
}

/** A nobody: neither the owner of anything nor root. */
const NOBODY = 65_534;

interface OpenRig {
  readonly rig: Rig;
  /** Prints what every command line has said. */
  readonly tellAll: () => string;
  /** Ends everything; the value is what should not have been there. */
  readonly close: () => Promise<readonly string[]>;
}

async function openRig(): Promise<OpenRig> {
  const root = mkdtempSync(join(tmpdir(), 'goalgraph-e2e-'));
  const [workspace, home, temp] = ['work', 'home', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspace, home, temp]) mkdirSync(folder);
  chmodSync(root, 0o755);
  chmodSync(temp, 0o1777);
  const mark = randomBytes(8).toString('hex');
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    TMPDIR: temp,
    LANG: 'C.UTF-8',
    [MARK]: mark,
    // When these tests are themselves a check of a run, that run must be able to find what we start.
    ...(process.env['GOALGRAPH_CHILD'] === undefined
      ? {}
      : { GOALGRAPH_CHILD: process.env['GOALGRAPH_CHILD'] }),
  };
  const theatre = await openTheatre(root);
  const started: Running[] = [];
  let plans = 0;

  const start: Rig['start'] = (args, options = {}) => {
    const dir = options.dir === undefined ? workspace : options.dir;
    const running = launch({
      argv: [
        ...(options.through ?? []),
        process.execPath,
        MAIN,
        ...(dir === null ? [] : ['-C', dir]),
        ...args,
      ],
      cwd: options.cwd ?? root,
      env: { ...env, ...options.env },
      ...(options.uid === undefined ? {} : { uid: options.uid }),
    });
    started.push(running);
    return running;
  };
  const run: Rig['run'] = (args, options) => start(args, options).ended;

  const rig: Rig = {
    root,
    workspace,
    stateDir: join(workspace, '.goalgraph'),
    env,
    start,
    run,
    puppet: theatre.puppet,
    plan(plan) {
      const file = join(root, `plan-${++plans}.json`);
      writeFileSync(file, JSON.stringify(planJson(plan), null, 2));
      return file;
    },
    async status() {
      const { exit, stdout, stderr } = await run(['status', '--json']);
      if (exit !== 0) throw new Error(`status ends with ${String(exit)}: ${stderr}`);
      return JSON.parse(stdout) as RunView;
    },
    journal: () => readJournal(rig.stateDir, started.some((each) => !each.isOver()) ? 'live' : 'at rest'),
    alive: () => bearersOfMark(mark),
  };

  return {
    rig,
    tellAll: () => started.map((each) => `--- ${each.name}\n${each.stdout()}${each.stderr()}`).join('\n'),
    async close() {
      const wrong: string[] = [];
      const left = bearersOfMark(mark);
      for (const { pid, command } of left) wrong.push(`left behind: process ${pid} (${command})`);
      if (left.length > 0) await until('what was left behind is dead', () => killAll(mark));
      const ends = await Promise.all(started.map((each) => each.ended));
      ends.forEach(({ stdout, stderr }, i) => {
        if (hasStackTrace(stdout + stderr))
          wrong.push(`"${started[i]?.name ?? ''}" crashed:\n${stdout}${stderr}`);
      });
      // Killed between making a folder for its pipes and removing it, nobody can tidy up.
      const wasKilled = ends.some(({ signal }) => signal === 'SIGKILL');
      const litter = readdirSync(temp);
      if (litter.length > 0 && !wasKilled) wrong.push(`left behind in TMPDIR: ${litter.join(', ')}`);
      await theatre.close();
      rmSync(root, { recursive: true, force: true });
      if (existsSync(root)) wrong.push(`${root} cannot be removed`);
      return wrong;
    },
  };
}

/** True when nothing is left: what is killed may have started something just before. */
function killAll(mark: string): boolean {
  const left = bearersOfMark(mark);
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }
  return left.length === 0;
}

function planJson({ objective = 'Whatever the test is about', checks = [], nodes }: PlanInput) {
  return {
    objective,
    checks,
    nodes: nodes.map((node) => ({
      title: `Do ${node.slug}`,
      spec: `See ${node.slug}.`,
      // The gate wants a check that could fail, even where a test is about something else.
      checks: [{ run: 'test -d .' }],
      ...node,
    })),
  };
}

function hasStackTrace(text: string): boolean {
  return /^\s+at .*:\d+:\d+\)?$/m.test(text) || text.includes('node:internal');
}

/** A rig for as long as `use` takes. Fails when `use` fails, with all that was said, or when something is left. */
export async function withRig<T>(use: (rig: Rig) => Promise<T>): Promise<T> {
  const { rig, tellAll, close } = await openRig();
  let value: T;
  try {
    value = await use(rig);
  } catch (error) {
    process.stderr.write(`${tellAll()}\n`);
    await close();
    throw error;
  }
  const wrong = await close();
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return value;
}

export const test = base.extend<{ rig: Rig }>({
  rig: async ({ task }, use) => {
    const { rig, tellAll, close } = await openRig();
    await use(rig);
    const failed = task.result?.state === 'fail';
    if (failed) process.stderr.write(`${tellAll()}\n`);
    const wrong = await close();
    // A test that stopped half-way leaves things behind: that is not what it failed for.
    if (wrong.length > 0 && !failed) throw new Error(wrong.join('\n'));
  },
});

/**
 * How to start the command line as an ordinary user, who is let into everything of the rig: what permissions stop
 * cannot be tried as root.
 */
export function asOrdinaryUser(rig: Rig): Pick<RunOptions, 'uid'> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['', 'work', 'home', 'tmp']) chownSync(join(rig.root, name), NOBODY, NOBODY);
  return { uid: NOBODY };
}

/** All items, a few at a time. When one fails no other is begun, and those under way are waited for. */
export async function inLanes<T>(
  count: number,
  items: readonly T[],
  use: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await use(item).catch((error: unknown) => {
        queue.length = 0;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: count }, lane));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
