import { describe, expect, it } from 'vitest';
import type { CheckCommand, WorkCommand } from '../../src/contract/command.ts';
import type { Job, Runner } from '../../src/contract/ports.ts';
import type { Say } from '../../src/engine/say.ts';
import { NO_RUN } from '../../src/graph/run-state.ts';
import { commandPerformer } from '../../src/engine/perform.ts';
import { GREEN } from '../support/answers.ts';

const fence = { node: 'gn-x', epoch: 2, attempt: 1 } as const;
const work: WorkCommand = { type: 'work', ...fence, run: 'make', timeout: null, rerun: true };
const check: CheckCommand = { type: 'check', ...fence, check: 1, run: 'make test', green: null, base: null };
const never = new AbortController().signal;
/** Commands have nothing to tell on the way. */
const say: Say = {
  state: () => NO_RUN,
  store: () => Promise.resolve('nobody listens'),
  listen: () => () => undefined,
};

function runner(tree: string | null): Runner & { readonly jobs: Job[] } {
  const jobs: Job[] = [];
  return {
    jobs,
    run: (job) => {
      jobs.push(job);
      return Promise.resolve(GREEN);
    },
    fingerprint: () => Promise.resolve(tree),
  };
}

describe('performing', () => {
  it('runs a command for as long as its node says, else for the default', async () => {
    const run = runner(null);
    const perform = commandPerformer(run, { run: 1_000, check: 2_000 });
    expect(await perform(work, never, say)).toMatchObject({
      type: 'work.ended',
      ...fence,
      rerun: true,
      exit: 0,
    });
    await perform({ ...work, timeout: 50 }, never, say);
    await perform(check, never, say);
    expect(run.jobs.map(({ timeout }) => timeout)).toEqual([1_000, 50, 2_000]);
  });

  it.each([
    ['is not run again on the very tree it was green on', 'tree-1', 'tree-1', true],
    ['is run when the tree is another', 'tree-1', 'tree-2', false],
    ['is run when the tree cannot be told', 'tree-1', null, false],
    ['is run when it never was green', null, 'tree-1', false],
    ['is run when neither is known', null, null, false],
  ])('a check %s', async (_, green, tree, reused) => {
    const run = runner(tree);
    const end = await commandPerformer(run, { run: 1, check: 1 })({ ...check, green }, never, say);
    expect(end).toMatchObject({ type: 'check.ended', check: 1, tree, reused, exit: 0 });
    expect(run.jobs).toHaveLength(reused ? 0 : 1);
  });
});
