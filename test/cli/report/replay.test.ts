/** `goalgraph replay` over a real store, on a clock that is driven by hand. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/contract/ports.ts';
import { keysOf, replay, speedOf, type Key, type ReplayWorld } from '../../../src/cli/commands/replay.ts';
import { movedBy, playback } from '../../../src/cli/report/playback.ts';
import { REPORT_SCENES } from './scenes.ts';
import { contextOf, workspaceOf } from './workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'goalgraph-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { done, failed } = REPORT_SCENES;
if (!done || !failed) throw new Error('no scenes');

const TERMINAL = { isTerminal: true, columns: () => 100 };

/** Every wait is over at once, and is remembered. */
function worldOf(keys: readonly Key[] | null = null) {
  const waits: number[] = [];
  let now = 1_000_000;
  let stop: (() => void) | null = null;
  let stopAfter = Infinity;
  const clock: Clock = {
    now: () => now,
    soon: (call) => void setImmediate(call),
    at(at, call) {
      waits.push(at - now);
      now = at;
      if (waits.length >= stopAfter) stop?.();
      else void setImmediate(call);
      return () => undefined;
    },
  };
  const pressed = [...(keys ?? [])];
  let closed = 0;
  const world: ReplayWorld = {
    clock,
    keys: keys && (() => ({ next: () => Promise.resolve(pressed.shift() ?? 'quit'), close: () => closed++ })),
    onStop(call) {
      let stopped = false;
      stop = () => {
        stopped = true;
        call();
      };
      return () => (stopped ? 130 : 0);
    },
  };
  return {
    world,
    waits,
    left: () => pressed.length,
    closed: () => closed,
    stopAtWait: (count: number) => (stopAfter = count),
  };
}

describe('goalgraph replay', () => {
  let workspace = '';
  beforeAll(async () => (workspace = await workspaceOf(folder, 'done', done.events)));

  test('without a terminal prints the lines at once, and how it ended', async () => {
    const { world, waits } = worldOf();
    const { context, lines } = contextOf(workspace);
    expect(await replay(context, {}, world)).toBe(0);
    const text = lines().join('\n');
    const order = [
      'build: started',
      'parse-csv: skeptic 1 of 1: refuted, 2 gaps',
      'run resumed',
      'run complete',
    ];
    const places = order.map((words) => text.indexOf(words));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toContain('ran 14m28s');
    expect(waits).toEqual([]);
  });

  test('as JSON prints the stored events', async () => {
    const { context, lines } = contextOf(workspace, { json: true }, TERMINAL);
    expect(await replay(context, {}, worldOf().world)).toBe(0);
    expect(lines().map((line) => (JSON.parse(line) as { version: number }).version)).toEqual(
      done.events.map(({ version }) => version),
    );
  });

  test('on a terminal keeps the gaps, none longer than a second, all shorter at speed', async () => {
    const normal = worldOf();
    const fast = worldOf();
    for (const [{ world }, speed] of [
      [normal, '1'],
      [fast, '4'],
    ] as const) {
      const { context } = contextOf(workspace, {}, TERMINAL);
      expect(await replay(context, { speed }, world)).toBe(0);
    }
    // Gaps are summed up until there is enough to wait for.
    expect(Math.max(...normal.waits)).toBe(1_000);
    expect(Math.max(...fast.waits)).toBe(250);
    const sum = (waits: readonly number[]) => waits.reduce((all, wait) => all + wait, 0);
    expect(sum(fast.waits)).toBeCloseTo(sum(normal.waits) / 4);
  });

  test('shows the same lines as without, and the live area under them', async () => {
    const { context, written, lines } = contextOf(workspace, {}, TERMINAL);
    await replay(context, {}, worldOf().world);
    expect(written()).toContain('parse-csv: round 1 claims to be done: Parsed quotes');
    expect(lines().join('\n')).toContain('complete');
  });

  test('ends at Ctrl-C, with its exit code and without an end table', async () => {
    const rig = worldOf();
    rig.stopAtWait(5);
    const { context, written, lines } = contextOf(workspace, {}, TERMINAL);
    expect(await replay(context, {}, rig.world)).toBe(130);
    expect(rig.waits).toHaveLength(5);
    expect(written()).not.toContain('run complete');
    expect(lines()).toEqual([]);
  });

  test('step by step waits for a key at each event that is seen', async () => {
    const rig = worldOf(['next', 'next', 'next', 'quit', 'next']);
    const { context, written } = contextOf(workspace, {}, TERMINAL);
    expect(await replay(context, { step: true }, rig.world)).toBe(0);
    expect(rig.left()).toBe(1);
    expect(rig.closed()).toBe(1);
    expect(rig.waits).toEqual([]);
    expect(written()).toContain('build: started');
    expect(written()).not.toContain('run complete');
  });

  test('takes Ctrl-C among the keys for what it is', async () => {
    const { context } = contextOf(workspace, {}, TERMINAL);
    expect(await replay(context, { step: true }, worldOf(['stop']).world)).toBe(130);
  });

  test('refuses what it cannot do', async () => {
    for (const [flags, screen, words] of [
      [{ speed: '0' }, TERMINAL, 'is no speed'],
      [{ speed: 'fast' }, TERMINAL, 'is no speed'],
      [{ step: true }, {}, 'needs a terminal'],
      [{ step: true }, TERMINAL, 'needs a terminal'],
    ] as const) {
      const { context, said } = contextOf(workspace, {}, screen);
      expect(await replay(context, flags, worldOf().world)).toBe(2);
      expect(said()).toContain(words);
    }
  });
});

test('a speed is a number above 0', () => {
  expect(['4', '0.5', '1000', '0', '-1', '1e3', '', 'x', '9999999'].map(speedOf)).toEqual([
    4,
    0.5,
    1000,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('keys come one by one, and the terminal is left as it was', async () => {
  const raw: boolean[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    setRawMode: (mode: boolean) => raw.push(mode),
    resume: () => undefined,
    pause: () => undefined,
  });
  const keys = keysOf(stdin as unknown as Parameters<typeof keysOf>[0]);
  stdin.emit('data', Buffer.from(' '));
  stdin.emit('data', Buffer.from('q'));
  expect([await keys.next(), await keys.next()]).toEqual(['next', 'quit']);
  const next = keys.next();
  stdin.emit('data', Buffer.from('\x03'));
  expect(await next).toBe('stop');
  keys.close();
  expect(raw).toEqual([true, false]);
  expect(stdin.listenerCount('data')).toBe(0);
});

describe('a playback', () => {
  test('comes to the view of the whole run', () => {
    const { take, view } = playback(done.events[0]);
    done.events.forEach(take);
    expect(view()).toEqual(done.view);
  });

  test('moves what is counted to the present, and nothing that happened', () => {
    const { take, view } = playback(failed.events[0]);
    failed.events.slice(0, 3).forEach(take);
    const then = view();
    const now = movedBy(then, 5_000);
    expect(now.runningSince).toBe((then.runningSince ?? 0) + 5_000);
    expect(now.createdAt).toBe(then.createdAt);
    const started = then.nodes.find(({ startedAt }) => startedAt !== null);
    const moved = now.nodes.find(({ id }) => id === started?.id);
    expect(moved?.startedAt).toBe((started?.startedAt ?? 0) + 5_000);
  });
});
