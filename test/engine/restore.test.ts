import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import { openings } from '../../src/engine/restore.ts';
import { request } from '../../src/kernel/ledger-calls.ts';
import { modelRun, type ModelRun } from '../support/model-runs.ts';

const ASKED = {
  call: 'a round 1',
  role: 'worker',
  model: 'm',
  final: false,
  input: { known: 0, fresh: 1_000 },
  maxOutput: 100,
  floor: 10,
  price: null,
};

/** A run at work, with a call that is on its way. */
function calling(): ModelRun {
  const run = modelRun([{ slug: 'a' }]);
  run.base();
  const { ledger } = run.state();
  const decided = ledger && request(ledger, ASKED, 2_000);
  if (!decided?.ok) throw new Error('not reserved');
  expect(run.step(decided.value.answer)).toBeNull();
  return run;
}

/** What a new owner says first. */
function said(run: ModelRun): readonly string[] {
  return openings(run.state(), { type: 'approve' }).map((proposal) => {
    const event = proposal(run.state(), 9_000);
    return event.ok ? (event.value satisfies RunEvent).type : event.fault;
  });
}

describe('a new owner', () => {
  it('says that the old one died, where nothing has paused the run', () => {
    expect(said(calling())).toEqual(['run.restored', 'run.approved']);
  });

  it('says so too where it died after a pause, with calls that nobody has paid for', () => {
    const run = calling();
    run.pause();
    expect(said(run)).toEqual(['run.restored', 'run.approved']);
  });

  it('has nothing to say of a run at rest', () => {
    const run = modelRun([{ slug: 'a' }]);
    run.pause();
    expect(said(run)).toEqual(['run.approved']);
  });
});
