/**
 * What the journal costs over bare better-sqlite3: two commits and three events a node, on the same schema, with
 * synchronous=FULL. The two take turns node by node in one process, so that a noisy machine hits both alike.
 *
 *     node --import tsx bench/store.ts [nodes]
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import type { NodeAchieved, NodeStarted, RunCreated, RunEvent, WorkEnded } from '../src/contract/event.ts';
import { NO_LIMITS } from '../src/contract/limits.ts';
import { nodeId } from '../src/contract/ids.ts';
import { openJournal } from '../src/store/open.ts';
import { openStore } from '../src/store/store.ts';
import type { Store } from '../src/store/store.ts';

const RUN = 'bench';
const NODE = nodeId('bench');
const NODES = Number(process.argv[2] ?? 4000);
const WARM_UP = 200;

const created: RunCreated = {
  type: 'run.created',
  at: 1,
  run: RUN,
  machine: 1,
  objective: 'bench',
  models: null,
  flow: null,
  approve: false,
  plan: { version: 1, hash: '0'.repeat(16), objective: 'bench', checks: [], workspace: null, nodes: [] },
  workspace: '/w',
  concurrency: 1,
  limits: NO_LIMITS,
};

function started(at: number): NodeStarted {
  return { type: 'node.started', at, node: NODE, epoch: 1, attempt: 1, rerun: false };
}

function ended(at: number): [WorkEnded, NodeAchieved] {
  const work: WorkEnded = {
    type: 'work.ended',
    at,
    node: NODE,
    epoch: 1,
    attempt: 1,
    rerun: false,
    outcome: 'exit',
    exit: 0,
    detail: null,
    ms: 12,
    output: null,
    bytes: 3,
    tail: 'ok\n',
  };
  return [work, { type: 'node.achieved', at, node: NODE }];
}

/** The same rows, written as plainly as the library allows. */
function bare(dir: string) {
  const opened = openJournal(dir);
  if (!opened.ok) throw new Error(opened.fault.message);
  opened.value.close();
  const db = new Database(join(dir, 'journal.db'));
  db.pragma('synchronous = FULL');
  const insert = db.prepare(
    'INSERT INTO events (stream, version, type, at, v, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let version = 0;
  const write = db.transaction((events: readonly RunEvent[]) => {
    for (const e of events) insert.run(RUN, (version += 1), e.type, e.at, 1, JSON.stringify(e));
  });
  write([created]);
  return {
    node: (at: number) => {
      write([started(at)]);
      write(ended(at));
      return Promise.resolve();
    },
    close: () => void db.close(),
  };
}

async function journal(store: Store) {
  let version = await append(store, 0, [created]);
  return async (at: number) => {
    version = await append(store, version, [started(at)]);
    version = await append(store, version, ended(at));
  };
}

async function append(store: Store, expected: number, events: readonly RunEvent[]): Promise<number> {
  const stored = await store.log.append({ run: RUN, expected, events });
  if (!stored.ok) throw new Error(stored.fault.message);
  return stored.value;
}

/** Milliseconds. */
async function timed(work: (at: number) => Promise<void>, at: number): Promise<number> {
  const start = performance.now();
  await work(at);
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

function perSecond(msPerNode: number): string {
  return (2000 / msPerNode).toFixed(0);
}

async function main(dir: string): Promise<void> {
  const opened = openStore(join(dir, 'log'));
  if (!opened.ok) throw new Error(opened.fault.message);
  const node = await journal(opened.value);
  const plain = bare(join(dir, 'bare'));
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let at = 1; at <= WARM_UP + NODES; at += 1) {
    // Each goes first in every other pair.
    const early = at % 2 === 0 ? await timed(node, at) : null;
    const bareTime = await timed(plain.node, at);
    const ourTime = early ?? (await timed(node, at));
    if (at <= WARM_UP) continue;
    ours.push(ourTime);
    theirs.push(bareTime);
  }
  plain.close();
  opened.value.close();
  const [a, b] = [median(ours), median(theirs)];
  process.stdout.write(
    `journal ${perSecond(a)} appends/s, bare ${perSecond(b)} appends/s, ratio of the medians ${(a / b).toFixed(3)} ` +
      `(${NODES} nodes, 2 commits each)\n`,
  );
}

const dir = mkdtempSync(join(tmpdir(), 'goalgraph-bench-'));
try {
  await main(dir);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
