import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/contract/view.ts';
import { liveLines } from '../../../src/cli/render/live.ts';
import { MODEL_SCENES } from '../../support/model-scenes.ts';
import { goalOf, nodeView, planView, runView, screenOf, START } from '../../support/views.ts';

function mixed(running: number, failed: number): RunView {
  const nodes = [
    ...Array.from({ length: running }, (_, i) =>
      nodeView(`run-${i}`, { status: 'running', startedAt: START, command: `make ${i}` }),
    ),
    ...Array.from({ length: failed }, (_, i) =>
      nodeView(`bad-${i}`, { status: 'failed', reason: `exit ${i}` }),
    ),
  ];
  return runView(nodes, { deadline: START + 190_000 });
}

describe('the live lines', () => {
  test('name what runs, then count, then say what is stuck', () => {
    expect(liveLines(mixed(2, 1), { ...screenOf(80), rows: 10 })).toEqual([
      '► run-0  running  2m10s  make 0',
      '► run-1  running  2m10s  make 1',
      '0/3 achieved · 2 running · 1 failed · ran 3m50s · 1m left',
      '✗ bad-0  failed: exit 0',
    ]);
  });

  test('say how many there was no room for', () => {
    expect(liveLines(mixed(9, 9), { ...screenOf(80), rows: 7 })).toEqual([
      '► run-0  running  2m10s  make 0',
      '► run-1  running  2m10s  make 1',
      '► run-2  running  2m10s  make 2',
      '  and 6 more running',
      '0/18 achieved · 9 running · 9 failed · ran 3m50s · 1m left',
      '✗ bad-0  failed: exit 0',
      '  and 8 more failed or held',
    ]);
  });

  test('mark a command that runs again because it was cut', () => {
    const view = planView({ a: [] }, { nodes: { a: { status: 'running', rerun: true, startedAt: START } } });
    expect(liveLines(view, { ...screenOf(80), rows: 5 })[0]).toBe('► a  running (rerun)  2m10s');
  });

  test('say why the run is paused', () => {
    const view = planView(
      { a: [] },
      { run: { status: 'paused', why: 'deadline', runningSince: null, ran: 1_000 } },
    );
    expect(liveLines(view, { ...screenOf(80), rows: 5 })).toEqual([
      'paused (deadline): its time is used up · 0/2 achieved · 2 waiting · ran 1s',
    ]);
  });

  test('never take more lines than there are, and use them all when there is more to say', () => {
    const size = fc.integer({ min: 0, max: 12 });
    fc.assert(
      fc.property(size, size, size, (running, failed, rows) => {
        const lines = liveLines(mixed(running, failed), { ...screenOf(40), rows });
        expect(lines.length).toBe(Math.min(rows, running + failed + 1));
      }),
    );
  });
});

describe('the live lines of a run with models', () => {
  const live = (name: string, rows = 8, columns = 90): readonly string[] => {
    const view = MODEL_SCENES[name];
    return view === undefined ? [] : liveLines(view, { ...screenOf(columns), rows });
  };

  test('say who is at work in which round, what is parked, and on a line of its own what was used', () => {
    expect(live('model-work')).toEqual([
      '► parse-csv  running  round 3  worker: bash  79.7k tokens  2m08s',
      '◷ docs  parked  round 1  waits 7m51s more  the demo site deploys  9.4k tokens',
      '1/4 achieved · 1 running · 1 parked · 1 waiting',
      '242k of 2m tokens · $0.7468 · ran 2m09s · 1h57m left',
    ]);
  });

  test('have one line for both when there is little room', () => {
    expect(live('model-work', 3, 120)).toEqual([
      '► parse-csv  running  round 3  worker: bash  79.7k tokens  2m08s',
      '◷ docs  parked  round 1  waits 7m51s more  the demo site deploys  9.4k tokens',
      '1/4 achieved · 1 running · 1 parked · 1 waiting · 242k of 2m tokens · $0.7468 · ran 2m09s · 1h57m left',
    ]);
  });

  test('are one line while there is no plan', () => {
    expect(live('model-planning')).toEqual(['planning… · 9k of 500k tokens · $0.039 · ran 2m09s']);
  });

  test('show the command of a check instead of who worked before it', () => {
    const goal = goalOf({ round: 2, doing: 'worker', tokens: 900 });
    const view = runView([
      nodeView('csv', { status: 'verifying', command: 'npm test', startedAt: START, goal }),
    ]);
    expect(liveLines(view, { ...screenOf(90), rows: 8 })[0]).toBe(
      '◇ csv  verifying  round 2  npm test  900 tokens  2m10s',
    );
  });
});
