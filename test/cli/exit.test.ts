import { describe, expect, it } from 'vitest';
import { exitOfRun } from '../../src/cli/exit.ts';
import type { RunView } from '../../src/contract/view.ts';

const NONE = {
  waiting: 0,
  ready: 0,
  running: 0,
  verifying: 0,
  parked: 0,
  achieved: 0,
  failed: 0,
  blocked: 0,
  held: 0,
  skipped: 0,
};

function exit(
  status: RunView['status'],
  why: RunView['why'],
  counts: Partial<RunView['counts']> = {},
): number {
  return exitOfRun({ status, why, counts: { ...NONE, ...counts } });
}

describe('the exit code of a run', () => {
  it.each([
    ['complete', exit('complete', null), 0],
    ['stuck with a failed node', exit('paused', 'stuck', { failed: 1, blocked: 1 }), 1],
    ['stuck with only blocked nodes', exit('paused', 'stuck', { blocked: 1 }), 3],
    ['paused by a person', exit('paused', 'user', { failed: 1 }), 3],
    ['cleared', exit('cleared', null), 3],
    ['out of time', exit('paused', 'deadline'), 4],
    ['out of budget', exit('paused', 'budget'), 4],
    ['stopped by the machine', exit('paused', 'infra'), 5],
    ['refused by the provider', exit('paused', 'provider'), 5],
    ['waiting for a yes to its plan', exit('approval', null), 3],
  ])('that is %s', (_, code, expected) => {
    expect(code).toBe(expected);
  });
});
