/** A process that uses a store. `store-process.ts` starts it: `node --import tsx store-child.ts COMMAND DIR …`. */

import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NO_CEILINGS } from '../../src/contract/ceiling.ts';
import type { Result } from '../../src/contract/fault.ts';
import { openSpend, type Spend } from '../../src/store/spend.ts';
import { openReader, openStore } from '../../src/store/store.ts';
import type { Store } from '../../src/store/store.ts';
import { created, must, paused } from './store-samples.ts';

const [command = '', dir = '', ...args] = process.argv.slice(2);
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** At once and unbuffered: after a SIGKILL the parent must not know more or less than what was said. */
function say(value: unknown): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

async function told(): Promise<string | null> {
  const line = await input.next();
  return line.done === true ? null : line.value;
}

function outcome<T>(result: Result<T>): unknown {
  return result.ok ? { ok: true, value: result.value } : { ok: false, ...result.fault };
}

async function head(store: Store): Promise<number> {
  return must(await store.log.runs()).find(({ run }) => run === 'r')?.version ?? 0;
}

/** Batches of one to five events until it is killed; says each version once it is stored. */
async function write(): Promise<void> {
  const store = must(openStore(dir));
  must(store.lease.take('r'));
  let version = await head(store);
  for (let batch = version; ; batch += 1) {
    const size = (batch % 5) + 1;
    const events = Array.from({ length: size }, (_, i) =>
      version + i === 0 ? created('r') : paused(`${batch} ${i + 1}/${size}`),
    );
    if (batch % 3 === 0) must(await store.log.putBlob(Buffer.from(`text ${batch}`)));
    const token = `${process.pid} ${batch}`;
    must(store.children.record({ pid: 1, startTime: '0', token, run: 'r', key: 'k' }));
    version = must(await store.log.append({ run: 'r', expected: version, events }));
    store.children.forget(token);
    say({ version });
  }
}

/** Appends its own events beside another writer, reading on whenever that one was first. */
async function contend(): Promise<void> {
  const [name = '', count = '0'] = args;
  const store = must(openStore(dir));
  say('ready');
  await told();
  let conflicts = 0;
  let version = await head(store);
  for (let i = 0; i < Number(count);) {
    const stored = await store.log.append({ run: 'r', expected: version, events: [paused(`${name} ${i}`)] });
    if (stored.ok) {
      version = stored.value;
      i += 1;
    } else {
      if (stored.fault.code !== 'conflict') throw new Error(stored.fault.message);
      conflicts += 1;
      version = await head(store);
    }
  }
  store.close();
  say({ conflicts });
}

/** `take`, `release` as told; says what came of it. */
async function take(): Promise<void> {
  const store = must(openStore(dir));
  say('ready');
  for (let line = await told(); line !== null; line = await told()) {
    if (line === 'release') store.lease.release();
    say(line === 'release' ? 'released' : outcome(store.lease.take('r')));
  }
  store.close();
}

/** Asks who holds the lease, as fast as it can, until told to stop. */
async function probe(): Promise<void> {
  const store = must(openStore(dir));
  say('ready');
  let probes = 0;
  const asked = { stop: false };
  const stopped = told().then(() => (asked.stop = true));
  while (!asked.stop) {
    for (let i = 0; i < 50; i += 1, probes += 1) must(store.lease.holder());
    await new Promise(setImmediate);
  }
  await stopped;
  store.close();
  say({ probes });
}

async function post(): Promise<void> {
  const [name = '', count = '0'] = args;
  const store = must(openStore(dir));
  say('ready');
  await told();
  const ids: number[] = [];
  for (let i = 0; i < Number(count); i += 1) {
    ids.push(must(await store.inbox.post({ run: 'r', epoch: 1, request: `${name} ${i}` })));
  }
  store.close();
  say(ids);
}

/** Opens the directories it is told, together with others, and leaves something in each. */
async function open(): Promise<void> {
  say('ready');
  for (let line = await told(); line !== null; line = await told()) {
    const store = must(openStore(join(dir, line)));
    must(await store.inbox.post({ run: 'r', epoch: 1, request: '' }));
    store.close();
    say('done');
  }
}

/** Reserves in the record of what was spent, or settles, as told: `{ "tokens": 5, "at": 0, "day": 10 }`, `{ "settle": 1, "used": 3 }`. */
async function spend(): Promise<void> {
  say('ready');
  let book: Spend | null = null;
  for (let line = await told(); line !== null; line = await told()) {
    const wish = JSON.parse(line) as Record<string, number>;
    // Opened at the first wish: those who begin at once make the file at once.
    book ??= must(openSpend(join(dir, 'spend.db')));
    const { tokens = 0, at = 0, day = 0, settle, used = 0 } = wish;
    const ceilings = { ...NO_CEILINGS, day: { tokens: day, cost: null } };
    say(
      outcome(
        settle === undefined
          ? book.reserve({ at, run: 'r', tokens, cost: 0, ceilings })
          : book.settle(settle, { tokens: used, cost: 0 }),
      ),
    );
  }
}

/** As a user who is not root: says how opening ends. */
function denied(): void {
  if (process.getuid?.() === 0) {
    process.setgid?.(65_534);
    process.setuid?.(65_534);
  }
  say({ openStore: opened(openStore(dir)), openReader: opened(openReader(dir)) });
}

function opened(result: Result<unknown>): unknown {
  return result.ok ? { ok: true } : { ok: false, ...result.fault };
}

/** On a small file system of its own: fills it, goes on, makes room, goes on. */
async function full(): Promise<void> {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'none', dir]);
  const filler = join(dir, 'filler');
  writeFileSync(filler, Buffer.alloc(1500 * 1024 - 4096 - 4096));
  const state = join(dir, 'state');
  say({ opening: outcome(openStore(state)) });
  rmSync(filler);
  const store = must(openStore(state));
  let version = must(await store.log.append({ run: 'r', expected: 0, events: [created('r')] }));
  writeFileSync(filler, Buffer.alloc(1024 * 1024));
  const codes: string[] = [];
  const append = () =>
    store.log.append({ run: 'r', expected: version, events: [paused('a'), paused('x'.repeat(3000))] });
  for (let tries = 0; codes.length < 3 && tries < 1000; tries += 1) {
    const stored = await append();
    if (stored.ok) version = stored.value;
    else codes.push(stored.fault.code);
  }
  const blob = await store.log.putBlob(Buffer.alloc(500_000, 1));
  const child = store.children.record({
    pid: 1,
    startTime: 'x'.repeat(300_000),
    token: 't',
    run: 'r',
    key: 'k',
  });
  const held = version;
  rmSync(filler);
  version = must(await append());
  store.close();
  const again = must(openStore(state));
  const events = must(await again.log.read('r'));
  again.close();
  say({ codes, blob: outcome(blob), child: outcome(child), held, version, read: events.length });
}

const COMMANDS: Readonly<Record<string, () => Promise<void> | void>> = {
  write,
  contend,
  take,
  probe,
  post,
  open,
  spend,
  denied,
  full,
};
const run = COMMANDS[command];
if (run === undefined) throw new Error(`no command ${command}`);
await run();
process.exit(0);
