import { describe, expect, test } from 'vitest';
import { scaleOf } from '../../../src/cli/report/gantt-scale.ts';
import { busyTimes, timelineOf } from '../../../src/cli/report/timeline.ts';
import { pauseWords } from '../../../src/cli/report/timeline-words.ts';
import type { RunEvent } from '../../../src/contract/event.ts';
import { nodeId } from '../../../src/contract/ids.ts';
import { RED } from '../../support/answers.ts';
import { created, plan } from '../../support/plans.ts';

const a = nodeId('a');
const fence = { node: a, epoch: 1, attempt: 1 };
const first = { ...created(plan([{ slug: 'a' }])), at: 0 };
const started = (at: number): RunEvent => ({ type: 'node.started', at, ...fence, rerun: false });
const check = (at: number): RunEvent => ({
  type: 'check.ended',
  at,
  ...fence,
  check: 0,
  tree: null,
  reused: false,
  restored: [],
  ...RED,
});

function timeline(...events: readonly RunEvent[]) {
  return timelineOf([first, ...events].map((event, i) => ({ version: i + 1, event })));
}

describe('a timeline', () => {
  test('tells work from its verification', () => {
    const work = { ...RED, exit: 0 };
    const { rows } = timeline(
      started(10),
      { type: 'work.ended', at: 30, ...fence, rerun: false, ...work },
      check(35),
      { type: 'node.achieved', at: 36, node: a },
    );
    expect(rows).toEqual([
      {
        node: a,
        segments: [
          { kind: 'work', from: 10, to: 30 },
          { kind: 'verify', from: 30, to: 36 },
        ],
      },
    ]);
  });

  test('takes a node that only checks for one that verifies', () => {
    const { rows } = timeline(started(10), check(35), { type: 'node.achieved', at: 36, node: a });
    expect(rows[0]?.segments).toEqual([{ kind: 'verify', from: 10, to: 36 }]);
  });

  test('counts no waiting as work', () => {
    const line = timeline(
      started(10),
      { type: 'node.parked', at: 20, node: a, until: 900, pid: null, detail: '' },
      { type: 'wake.ended', at: 50, ...fence, round: 1 },
      started(55),
      { type: 'node.achieved', at: 60, node: a },
    );
    expect(line.rows[0]?.segments.map(({ kind }) => kind)).toEqual(['work', 'parked', 'work']);
    expect(busyTimes(line).get(a)).toBe(15);
  });

  test('ends what is in flight at a pause, and the pause when it goes on', () => {
    const { rows, pauses } = timeline(
      started(10),
      { type: 'run.paused', at: 30, why: 'user', detail: null, resetAt: null },
      { type: 'run.resumed', at: 500, limits: first.limits, concurrency: 1, models: null, moves: 0 },
      started(510),
      check(520),
    );
    expect(pauses).toEqual([{ why: 'user', from: 30, to: 500 }]);
    expect(rows[0]?.segments.map(({ from, to }) => [from, to])).toEqual([
      [10, 30],
      [510, 520],
    ]);
  });

  test('keeps what a provider said when it refused, and says it in one line', () => {
    const { pauses } = timeline(
      started(10),
      { type: 'run.paused', at: 30, why: 'provider', detail: 'Out of credits\nsee there', resetAt: 400 },
      { type: 'run.resumed', at: 500, limits: first.limits, concurrency: 1, models: null, moves: 0 },
    );
    expect(pauses).toMatchObject([{ why: 'provider', detail: 'Out of credits\nsee there', to: 500 }]);
    expect(pauses.map(pauseWords)).toEqual([expect.stringMatching(/not be reached \(Out of credits\)$/)]);
  });

  test('ends what was in flight at a crash with the last that is known', () => {
    const { rows, pauses } = timeline(
      started(10),
      check(20),
      { type: 'run.restored', at: 900 },
      { type: 'run.resumed', at: 950, limits: first.limits, concurrency: 1, models: null, moves: 0 },
    );
    expect(rows[0]?.segments.map(({ from, to }) => [from, to])).toEqual([[10, 20]]);
    expect(pauses).toEqual([{ why: 'gone', from: 20, to: 950 }]);
  });

  test('of nothing is empty', () => {
    expect(timelineOf([])).toEqual({ from: 0, to: 0, rows: [], pauses: [] });
  });
});

describe('its scale', () => {
  const line = { from: 0, to: 1_100, rows: [], pauses: [{ why: 'user' as const, from: 50, to: 1_050 }] };

  test('draws a long pause short, and the rest in proportion', () => {
    const { x, cut } = scaleOf(line);
    expect(cut).toBe(true);
    expect(x(0)).toBe(0);
    expect(x(1_100)).toBe(100);
    expect(x(1_050) - x(50)).toBeCloseTo((6 / 106) * 100);
    expect(x(25)).toBeCloseTo(x(50) / 2);
    expect(x(2_000)).toBe(100);
  });

  test('leaves a short one as it is', () => {
    const { x, cut } = scaleOf({ ...line, to: 200, pauses: [{ why: 'user', from: 100, to: 105 }] });
    expect(cut).toBe(false);
    expect(x(100)).toBeCloseTo(50);
  });
});
