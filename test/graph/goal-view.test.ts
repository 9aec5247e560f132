/** What is shown of a node that a model works on. */

import { describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../src/contract/settings.ts';
import { FINAL_NODE, nodeId } from '../../src/contract/ids.ts';
import type { GapView, NodeView } from '../../src/contract/view.ts';
import { RED } from '../support/answers.ts';
import { modelRun, planningRun, report, type ModelRun } from '../support/model-runs.ts';
import { talk, viewAt } from '../support/model-scenes.ts';
import { plan } from '../support/plans.ts';

const tree = (digit: number) => String(digit).repeat(40);
const usage = { input: 900, cached: 0, output: 100 };
const a = nodeId('a');

function nodeOf(run: ModelRun, slug = 'a'): NodeView {
  const node = viewAt(run).nodes.find((one) => one.slug === slug);
  if (!node) throw new Error(`no node ${slug}`);
  return node;
}

function fates(run: ModelRun, slug = 'a'): readonly string[] {
  return (nodeOf(run, slug).goal?.gaps ?? []).map(fate);
}

function fate({ round, from, text, state, closedIn, againIn, outvoted }: GapView): string {
  const more = [
    closedIn === null ? '' : `in ${closedIn}`,
    againIn === null ? '' : `again in ${againIn}`,
    outvoted === null ? '' : `${outvoted.achieved}:${outvoted.refuted}`,
  ];
  return [`${round} ${from} ${text}: ${state}`, ...more].filter(Boolean).join(' ');
}

function votes(run: ModelRun, slug = 'a'): readonly string[] {
  return (nodeOf(run, slug).goal?.votes ?? []).map(({ seat, verdict, why }) => `${seat} ${verdict}: ${why}`);
}

function based(panel: Partial<ModelSettings['panel']> = {}): ModelRun {
  const run = modelRun([{ slug: 'a' }], { models: { panel: { node: 1, final: 1, ...panel } } });
  run.base();
  return run;
}

/** A claim whose checks are green. */
function claim(run: ModelRun, digit: number): void {
  run.round('claim', { report: report(), tree: tree(digit) });
  run.check();
}

describe('the gap of a skeptic', () => {
  it('whom the panel outvotes is not closed', () => {
    const run = based({ node: 3 });
    claim(run, 1);
    run.vote('achieved', { tree: tree(1) });
    run.vote('refuted', { tree: tree(1), gaps: ['no test', 'no docs'] });
    expect(fates(run)).toEqual(['1 skeptic no test: open', '1 skeptic no docs: open']);
    run.vote('achieved', { tree: tree(1) });
    expect(nodeOf(run).status).toBe('achieved');
    expect(fates(run)).toEqual(['1 skeptic no test: outvoted 2:1', '1 skeptic no docs: outvoted 2:1']);
    expect(votes(run)).toEqual(['1 achieved: achieved', '2 refuted: refuted', '3 achieved: achieved']);
  });

  it('is outvoted also where nobody has worked: by the panel of the final node', () => {
    const run = based({ final: 3 });
    claim(run, 1);
    run.vote('achieved', { tree: tree(1) });
    run.base(tree(1));
    run.check();
    for (const verdict of ['refuted', 'achieved', 'achieved'] as const) run.vote(verdict, { tree: tree(1) });
    expect(viewAt(run).status).toBe('complete');
    expect(fates(run, FINAL_NODE)).toEqual(['0 skeptic something is missing: outvoted 2:1']);
    expect(nodeOf(run, FINAL_NODE)).toMatchObject({ executed: true, claimed: true, verified: true });
  });

  it('that was outvoted came back', () => {
    const run = based({ node: 3 });
    claim(run, 1);
    for (const verdict of ['refuted', 'refuted', 'achieved'] as const) run.vote(verdict, { tree: tree(1) });
    claim(run, 2);
    for (const verdict of ['achieved', 'achieved', 'refuted'] as const) run.vote(verdict, { tree: tree(2) });
    expect(fates(run)).toEqual([
      '1 skeptic something is missing: closed again in 2',
      '1 skeptic something is missing: closed again in 2',
      '2 skeptic something is missing: outvoted 2:1',
    ]);
    expect(votes(run)).toHaveLength(3);
  });

  it('is closed by a skeptic that looked again, and not by a red check', () => {
    const run = based();
    claim(run, 1);
    run.vote('refuted', { tree: tree(1), gaps: ['no test'] });
    run.round('claim', { report: report(), tree: tree(2) });
    run.check(RED);
    expect(fates(run)[0]).toBe('1 skeptic no test: closed');
    claim(run, 3);
    run.vote('refuted', { tree: tree(3), gaps: ['no docs'] });
    expect(fates(run)).toEqual([
      '1 skeptic no test: closed in 3',
      '2 check check `check a`: exit 1: closed in 3',
      '3 skeptic no docs: open',
    ]);
    claim(run, 4);
    run.vote('achieved', { tree: tree(4) });
    expect(fates(run)[2]).toBe('3 skeptic no docs: closed in 4');
  });
});

it('a check that is red again in another way is the same gap', () => {
  const run = based();
  run.round('claim', { report: report(), tree: tree(1) });
  run.check(RED);
  run.round('claim', { report: report(), tree: tree(2) });
  run.check({ ...RED, outcome: 'timeout', exit: null });
  expect(fates(run)).toEqual([
    '1 check check `check a`: exit 1: closed again in 2',
    '2 check check `check a`: timed out: open',
  ]);
});

describe('the last panel', () => {
  it('has of each seat the last vote, and says why there is none', () => {
    const run = based({ node: 3 });
    claim(run, 1);
    run.vote('achieved', { tree: tree(1) });
    run.vote('inconclusive', { tree: tree(1), why: 'no space' });
    run.vote('inconclusive', { tree: tree(1), why: 'no JSON' });
    expect(votes(run)).toEqual([
      '1 achieved: achieved',
      '2 inconclusive: no space',
      '3 inconclusive: no JSON',
    ]);
    run.vote('achieved', { tree: tree(1), why: 'ran it' });
    run.vote('inconclusive', { tree: tree(1), why: 'no session' });
    expect(nodeOf(run).status).toBe('achieved');
    expect(votes(run)).toEqual(['1 achieved: achieved', '2 achieved: ran it', '3 inconclusive: no session']);
  });

  it('leaves out who judged another tree: a gap of theirs is not outvoted', () => {
    const run = based({ node: 3 });
    claim(run, 1);
    run.vote('refuted', { tree: tree(1) });
    for (const seat of [2, 3]) run.vote('achieved', { tree: tree(2), seat });
    expect(votes(run)[0]).toBe('1 inconclusive: the tree was changed meanwhile');
    run.check();
    for (const seat of [1, 2, 3]) run.vote('achieved', { tree: tree(2), seat });
    expect(nodeOf(run).status).toBe('achieved');
    expect(fates(run)).toEqual(['1 skeptic something is missing: closed in 1']);
  });
});

describe('whether it was executed', () => {
  it('takes a worker that was answered: rounds without one are none', () => {
    const run = based();
    for (const detail of ['no reply', 'no reply', 'no reply']) run.round('failed', { detail });
    expect(nodeOf(run)).toMatchObject({ status: 'failed', executed: false, claimed: false });
    const answered = based();
    talk(answered, { role: 'worker', node: a, usage });
    expect(nodeOf(answered).executed).toBe(false);
    answered.round('failed');
    expect(nodeOf(answered).executed).toBe(true);
  });

  it('is not shown by what somebody else was answered', () => {
    const run = modelRun([{ slug: 'a', checks: [] }]);
    run.base();
    talk(run, { role: 'briefer', node: a, usage });
    run.brief();
    run.round('failed');
    expect(nodeOf(run)).toMatchObject({ executed: false });
  });
});

describe('its time', () => {
  it('is what it was in flight, its models too, and stands still at rest', () => {
    const run = based();
    const start = nodeOf(run).startedAt ?? 0;
    talk(run, { role: 'worker', node: a, usage });
    claim(run, 1);
    expect(nodeOf(run)).toMatchObject({ ms: 0, startedAt: start });
    run.vote('achieved', { tree: tree(1) });
    const began = run.events().find(({ type }) => type === 'node.started');
    const ms = run.last('vote.ended').at - (began?.at ?? 0);
    expect(nodeOf(run)).toMatchObject({ ms, startedAt: null });
  });

  it('leaves out where it waited, and what nobody knows of a process that died', () => {
    const run = based();
    const wait = { kind: 'time', ms: 60_000 } as const;
    run.round('wait', { report: report({ status: 'wait', wait }) });
    const first = nodeOf(run).ms;
    expect(first).toBeGreaterThan(0);
    run.wake();
    expect(nodeOf(run)).toMatchObject({ status: 'running', ms: first });
    talk(run, { role: 'worker', node: a, usage, round: 2 });
    const { at } = run.last('node.started');
    const last = run.events().at(-1)?.at ?? 0;
    run.step({ type: 'run.restored', at: last + 3_600_000 });
    expect(nodeOf(run)).toMatchObject({ startedAt: null, ms: first + last - at });
  });

  it('is not forgotten when it begins anew, all else is', () => {
    const run = based();
    for (const detail of ['x', 'x', 'x']) run.round('failed', { detail });
    const { ms } = nodeOf(run);
    expect(ms).toBeGreaterThan(0);
    run.step({ type: 'node.retried', at: (run.events().at(-1)?.at ?? 0) + 5, node: a });
    expect(nodeOf(run)).toMatchObject({ ms, executed: false, goal: { round: 0, votes: [], gaps: [] } });
  });
});

it('a plan that waits for a yes has nothing that is ready', () => {
  const run = planningRun({ approve: true, models: { panel: { node: 2, final: 5 } } });
  const { epoch } = run.state().graph.context;
  const made = plan([{ slug: 'a', run: null }], [], true);
  run.step({ type: 'run.planned', at: 2_000, epoch, plan: made, warnings: [] });
  expect(viewAt(run)).toMatchObject({
    status: 'approval',
    counts: { ready: 0, waiting: 2 },
    models: { worker: 'test/worker', panel: { node: 2, final: 5 } },
  });
});

it('the final node is held by all that stopped short', () => {
  const run = modelRun([{ slug: 'a' }, { slug: 'b' }, { slug: 'c', deps: ['b'] }]);
  const fail = () => {
    run.base();
    for (const detail of ['x', 'x', 'x']) run.round('failed', { detail });
  };
  fail();
  expect(nodeOf(run, FINAL_NODE).reason).toBe('held by a');
  fail();
  expect(nodeOf(run, 'c').reason).toBe('held by b');
  expect(nodeOf(run, FINAL_NODE).reason).toBe('held by a (and 1 more)');
});
