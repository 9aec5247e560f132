import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/contract/view.ts';
import { liveLines } from '../../../src/cli/render/live.ts';
import { nodeView, planView, runView, screenOf, START } from '../../support/views.ts';

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
