/** Stored rows that are older, newer or broken. */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import { readRow, readRows } from '../../src/store/read.ts';
import { openStore } from '../../src/store/store.ts';
import { UPCASTS, eventVersion, upcast } from '../../src/store/upcast.ts';
import { EVENT_TYPES, created, faultOf, must, paused } from '../support/store-samples.ts';
import { tempDir } from '../support/store-rigs.ts';

interface GoldenRow {
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly at: number;
  readonly v: number;
  readonly body: RunEvent;
}

/** Two runs as this project's first version stored them: one through every trouble to its end, one cleared. */
const GOLDEN: readonly GoldenRow[] = readFileSync(
  new URL('../golden/journals/v1.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as GoldenRow);
const RUN = 'r-golden';
const LENGTH = GOLDEN.filter(({ stream }) => stream === RUN).length;

function row(body: unknown, over: Partial<{ version: number; type: string; v: number }> = {}) {
  const type = (body as { type?: string }).type ?? 'run.paused';
  const v = EVENT_TYPES.includes(type as RunEvent['type']) ? eventVersion(type as RunEvent['type']) : 1;
  return { version: 7, type, v, body: JSON.stringify(body), ...over };
}

/** Before models. */
const OF_VERSION_1: readonly RunEvent['type'][] = [
  'run.created',
  'run.restored',
  'run.paused',
  'run.resumed',
  'run.completed',
  'run.cleared',
  'node.started',
  'work.ended',
  'check.ended',
  'node.achieved',
  'node.failed',
  'node.blocked',
  'node.retried',
  'node.skipped',
  'node.edited',
  'late',
];

describe('a journal of version 1', () => {
  let dir: string;
  beforeEach(() => {
    dir = tempDir();
    must(openStore(dir)).close();
    const db = new Database(join(dir, 'journal.db'));
    const insert = db.prepare(
      'INSERT INTO events (stream, version, type, at, v, body) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const { stream, version, type, at, v, body } of GOLDEN) {
      insert.run(stream, version, type, at, v, JSON.stringify(body));
    }
    db.close();
  });
  afterEach(() => {
    rmSync(dir, { recursive: true });
  });

  it('has every type of event there was', () => {
    expect(new Set(GOLDEN.map(({ type }) => type))).toEqual(new Set(OF_VERSION_1));
  });

  it('is read as it was written, and can be gone on with', async () => {
    const store = must(openStore(dir));
    for (const run of [RUN, 'r-cleared']) {
      const events = must(await store.log.read(run)).map(({ event }) => event);
      const written = GOLDEN.filter(({ stream }) => stream === run).map(({ body }) => body);
      expect(events).toHaveLength(written.length);
      // What has come since is added; what was written is as it was.
      events.forEach((event, i) => expect(event).toMatchObject(written[i] ?? {}));
    }
    expect(must(await store.log.runs())).toMatchObject([
      { run: 'r-cleared', version: GOLDEN.length - LENGTH },
      { run: RUN, version: LENGTH },
    ]);
    expect(must(await store.log.lifecycle(RUN))?.type).toBe('run.completed');
    must(await store.log.append({ run: RUN, expected: LENGTH, events: [paused('on')] }));
    store.close();
  });

  it('is refused as a whole when one event is broken or gone, never read around it', async () => {
    const db = new Database(join(dir, 'journal.db'));
    const store = must(openStore(dir));
    db.prepare("UPDATE events SET body = '{' WHERE stream = ? AND version = 5").run(RUN);
    const broken = faultOf(await store.log.read(RUN));
    expect(broken.code).toBe('journal');
    expect(broken.message).toContain('Event 5 of run r-golden');
    expect(must(await store.log.read(RUN, 5))).toHaveLength(LENGTH - 5);
    expect(must(await store.log.read('r-cleared'))).toHaveLength(GOLDEN.length - LENGTH);
    db.prepare('DELETE FROM events WHERE stream = ? AND version = 5').run(RUN);
    expect(faultOf(await store.log.read(RUN)).message).toContain('Event 5 of run r-golden is missing');
    db.prepare("UPDATE events SET type = 'run.exploded' WHERE type = 'run.completed'").run();
    expect(faultOf(await store.log.lifecycle(RUN)).message).toContain('run.exploded');
    db.close();
    store.close();
  });
});

describe('a stored event', () => {
  const limits = { tokens: null, cost: null, maxTime: null, until: null };
  const resumed = { type: 'run.resumed', at: 1, limits, concurrency: 1, models: null, moves: 0 };
  const created1 = created('r');

  it.each<[string, Parameters<typeof row>, RegExp]>([
    ['of an unknown type', [{ type: 'run.exploded' }], /type "run\.exploded".*newer/],
    ['with the name of an object’s built-in', [{ type: 'constructor' }], /type "constructor"/],
    ['of a newer version', [paused('x'), { v: 3 }], /version 3.*up to 2.*newer/],
    ['of no version', [paused('x'), { v: 0 }], /version 0/],
    ['that is a list', [[1]], /not a JSON object/],
    ['that is a number', [1], /not a JSON object/],
    ['stored as another type', [paused('x'), { type: 'run.cleared', v: 1 }], /stored as "run\.cleared"/],
    ['with a limit of -1', [{ ...resumed, limits: { ...limits, tokens: -1 } }], /limits\.tokens/],
    [
      'with a limit that is text',
      [{ ...resumed, limits: { ...limits, tokens: 'Infinity' } }],
      /limits\.tokens/,
    ],
    [
      'with a limit that is a fraction',
      [{ ...resumed, limits: { ...limits, tokens: 0.5 } }],
      /limits\.tokens/,
    ],
    ['with a limit that is missing', [{ ...resumed, limits: { tokens: null } }], /limits\.cost/],
    ['with a NaN that JSON made null', [{ ...resumed, concurrency: null }], /concurrency/],
    ['with a time of null', [{ ...resumed, at: null }], /at:/],
    ['with an unknown key', [{ ...resumed, surprise: 1 }], /surprise/],
    [
      'with an unknown key in the plan',
      [{ ...created1, plan: { ...created1.plan, extra: 1 } }],
      /plan.*extra/,
    ],
    ['with a node id that is none', [{ type: 'node.achieved', at: 1, node: 'gn-nope' }], /node/],
    ['of machines this program does not have', [{ ...created1, machine: 2 }], /machine/],
  ])('%s is refused, with its place', (_name, args, message) => {
    const fault = faultOf(readRow('r1', row(...args)));
    expect(fault.code).toBe('journal');
    expect(fault.message).toMatch(/^Event 7 of run r1 /);
    expect(fault.message).toMatch(message);
  });

  it('out of its place is a gap', () => {
    const rows = [row(created1, { version: 1 }), row(paused('x'), { version: 3 })];
    expect(faultOf(readRows('r', 0, rows)).message).toContain('Event 2 of run r is missing');
    expect(faultOf(readRows('r', 0, rows.slice(1))).message).toContain('Event 1');
    expect(faultOf(readRows('r', 1, rows.slice(0, 1))).message).toContain('Event 2');
  });

  it('is brought up to date one version at a time', () => {
    const table = {
      old: [
        (body: object) => ({ ...body, path: '1>2' }),
        (body: { path?: unknown }) => ({ ...body, path: `${String(body.path)}>3` }),
      ],
    };
    const from = (v: number) => upcast({ type: 'old', v, body: { path: '' } }, table);
    expect(from(1)).toEqual({ ok: true, value: { path: '1>2>3' } });
    expect(from(2)).toEqual({ ok: true, value: { path: '>3' } });
    expect(from(3)).toEqual({ ok: true, value: { path: '' } });
    expect(from(4).ok).toBe(false);
  });

  it('is written in the newest version of its type', () => {
    expect(new Set(Object.keys(UPCASTS))).toEqual(new Set(EVENT_TYPES));
    const newer = EVENT_TYPES.filter((type) => eventVersion(type) > 1);
    expect(Object.fromEntries(newer.map((type) => [type, eventVersion(type)]))).toEqual({
      'run.created': 3,
      'run.paused': 2,
      'run.resumed': 3,
      'check.ended': 2,
    });
  });
});
