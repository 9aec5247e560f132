import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../src/contract/fault.ts';
import type { Fault, Result } from '../../src/contract/fault.ts';
import type { ChildRow, Runner } from '../../src/contract/ports.ts';
import { sha256 } from '../../src/os/hash.ts';
import { createPipes } from '../../src/os/pipes.ts';
import { makeRunner } from '../../src/os/runner.ts';
import type { RunnerOptions } from '../../src/os/runner.ts';
import { startTimeOf } from '../../src/os/processes.ts';
import { tempFolder } from '../support/os.ts';

const NEVER = new AbortController().signal;
const FULL: Fault = { code: 'store_full', message: 'The disk is full. Free some space.' };

interface Rig {
  readonly runner: Runner;
  readonly folder: string;
  readonly blobs: Map<string, string>;
  readonly recorded: ChildRow[];
  readonly forgotten: string[];
}

function rig(options: Partial<RunnerOptions> = {}): Rig {
  const folder = tempFolder();
  const blobs = new Map<string, string>();
  const recorded: ChildRow[] = [];
  const forgotten: string[] = [];
  const runner = makeRunner({
    workspace: folder,
    stateDir: join(folder, '.state'),
    run: 'r1',
    env: process.env,
    children: {
      record(row) {
        recorded.push(row);
        return ok(null);
      },
      forget: (token) => void forgotten.push(token),
      all: () => ok(recorded),
    },
    putBlob(bytes) {
      const address = sha256(bytes);
      blobs.set(address, Buffer.from(bytes).toString());
      return Promise.resolve(ok(address));
    },
    ...options,
  });
  return { runner, folder, blobs, recorded, forgotten };
}

it('tells how the command ended and keeps what it wrote', async () => {
  const times = [1_000, 1_250];
  const { runner, folder, blobs } = rig({ now: () => times.shift() ?? 0 });
  const ended = await runner.run({ key: 'k', command: 'pwd; echo bad >&2; exit 2', timeout: 5_000 }, NEVER);
  const text = `${folder}\nbad\n`;
  expect(ended).toEqual({
    outcome: 'exit',
    exit: 2,
    detail: null,
    ms: 250,
    output: sha256(text),
    bytes: text.length,
    tail: `${folder}\nbad`,
  });
  expect(blobs.get(sha256(text))).toBe(text);
});

it('runs the line that the sandbox makes of a command', async () => {
  const wrap = (command: string) => `echo wrapped; ${command}`;
  const { runner } = rig({ wrap });
  const ended = await runner.run({ key: 'k', command: 'echo inner', timeout: 5_000 }, NEVER);
  expect(ended.tail).toBe('wrapped\ninner');
});

it('takes the pipes that it is given', async () => {
  const pipes = createPipes(process.env);
  let taken = 0;
  const counted = { ...pipes, take: () => (taken++, pipes.take()) };
  const { runner } = rig({ pipes: counted });
  await runner.run({ key: 'k', command: 'true', timeout: 5_000 }, NEVER);
  pipes.close();
  expect(taken).toBe(1);
});

it('stores nothing for a silent command', async () => {
  const { runner, blobs } = rig();
  expect(await runner.run({ key: 'k', command: ':', timeout: 5_000 }, NEVER)).toMatchObject({
    output: null,
    bytes: 0,
    tail: '',
  });
  expect(blobs.size).toBe(0);
});

describe('the record of children', () => {
  it('names the process, the run and the effect, and is struck out at the end', async () => {
    const { runner, recorded, forgotten } = rig();
    const command = 'echo $$ $GOALGRAPH_CHILD';
    const { tail } = await runner.run({ key: 'gn-1 1.1 work', command, timeout: 5_000 }, NEVER);
    const [row] = recorded;
    expect(row).toMatchObject({ run: 'r1', key: 'gn-1 1.1 work' });
    expect(tail).toBe(`${row?.pid ?? ''} ${row?.token ?? ''}`);
    expect(row?.startTime).not.toBe('');
    expect(forgotten).toEqual([row?.token]);
    expect(startTimeOf(row?.pid ?? 0)).not.toBe(row?.startTime);
  });

  it('has another token for each', async () => {
    const { runner, recorded } = rig();
    const run = () => runner.run({ key: 'k', command: ':', timeout: 5_000 }, NEVER);
    await Promise.all([run(), run(), run()]);
    expect(new Set(recorded.map((row) => row.token)).size).toBe(3);
  });

  it('cannot be made: nothing runs, and the end says why', async () => {
    const children = { record: (): Result<null> => fail(FULL), forget: () => undefined, all: () => ok([]) };
    const { runner, folder } = rig({ children });
    const ended = await runner.run({ key: 'k', command: 'touch ran', timeout: 5_000 }, NEVER);
    expect(ended).toMatchObject({ outcome: 'spawn', exit: null, detail: FULL.message, output: null });
    expect(() => readFileSync(join(folder, 'ran'))).toThrow();
  });
});

describe('output', () => {
  it('is masked before it is stored, also in the last lines, also when a key comes in pieces', async () => {
    const { runner, blobs } = rig({ secrets: ['open-sesame'] });
    const command = `printf open-; sleep 0.05; echo sesame; printf 'gh'; sleep 0.05; echo p_${'a1'.repeat(18)}`;
    const { output, tail, bytes } = await runner.run({ key: 'k', command, timeout: 5_000 }, NEVER);
    expect(blobs.get(output ?? '')).toBe('[masked]\n[masked]\n');
    expect(tail).toBe('[masked]\n[masked]');
    expect(bytes).toBe(12 + 41);
  });

  it('of a gigabyte is counted, and neither kept nor slow', async () => {
    const { runner, blobs } = rig();
    await runner.run({ key: 'k', command: 'head -c 10000000 /dev/zero', timeout: 60_000 }, NEVER);
    const before = process.memoryUsage();
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const command = 'head -c 1000000000 /dev/zero; echo; echo the end';
    const ended = await runner.run({ key: 'k', command, timeout: 60_000 }, NEVER);
    clearInterval(watching);
    expect(ended).toMatchObject({ outcome: 'exit', exit: 0, bytes: 1_000_000_009 });
    expect(ended.tail).toMatch(/\\x00\nthe end$/);
    expect(ended.ms).toBeLessThan(20_000);
    const stored = blobs.get(ended.output ?? '') ?? '';
    expect(stored.length).toBeLessThan(525_000);
    expect(stored).toMatch(/\n\[\d+ bytes left out here\]\n/);
    expect(most - before.rss).toBeLessThan(100_000_000);
  });

  it('of bytes that are no text does no harm', async () => {
    const { runner } = rig();
    const command = "printf 'a\\000b\\377\\033[2Jc\\n'";
    const { tail, bytes } = await runner.run({ key: 'k', command, timeout: 5_000 }, NEVER);
    expect([tail, bytes]).toEqual(['a\\x00b\ufffd\\x1b[2Jc', 10]);
  });

  it('that cannot be stored does not change the end', async () => {
    const { runner } = rig({ putBlob: () => Promise.resolve(fail(FULL)) });
    const ended = await runner.run({ key: 'k', command: 'echo done', timeout: 5_000 }, NEVER);
    expect(ended).toMatchObject({ outcome: 'exit', exit: 0, output: null, bytes: 5 });
    expect(ended.tail).toBe(`done\n\n[the output could not be stored: ${FULL.message}]`);
  });
});

it('a workspace that is gone is an outcome', async () => {
  const { runner } = rig({ workspace: '/no/such/folder' });
  expect(await runner.run({ key: 'k', command: ':', timeout: 5_000 }, NEVER)).toMatchObject({
    outcome: 'spawn',
    detail: 'The folder /no/such/folder does not exist.',
  });
  expect(await runner.fingerprint()).toBeNull();
});

it('a command that is cut keeps what it wrote', async () => {
  const { runner } = rig();
  const ended = await runner.run({ key: 'k', command: 'echo begun; sleep 1000', timeout: 300 }, NEVER);
  expect(ended).toMatchObject({ outcome: 'timeout', exit: null, tail: 'begun' });
});

it('a command changes the fingerprint, and only if it changes something', async () => {
  const { runner } = rig();
  const run = (command: string) => runner.run({ key: 'k', command, timeout: 5_000 }, NEVER);
  await run('mkdir .state; echo x > file');
  const first = await runner.fingerprint();
  await run('cat file; ls; touch .state/journal.db');
  expect(await runner.fingerprint()).toBe(first);
  await run('echo y > file');
  expect(await runner.fingerprint()).not.toBe(first);
});
