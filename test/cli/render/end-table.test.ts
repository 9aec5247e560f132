import { describe, expect, test } from 'vitest';
import type { BudgetReport } from '../../../src/contract/budget.ts';
import type { GapView, RunView } from '../../../src/contract/view.ts';
import { endTable } from '../../../src/cli/render/end-table.ts';
import { MODEL_SCENES } from '../../support/model-scenes.ts';
import { goalOf, nodeView, runView, screenOf, START } from '../../support/views.ts';

const wide = screenOf(200);

function end(view: RunView): string {
  return endTable(view, wide).join('\n');
}

function scene(name: string): RunView {
  const view = MODEL_SCENES[name];
  if (view === undefined) throw new Error(name);
  return view;
}

function budget(limits: BudgetReport['limits']): BudgetReport {
  const view = scene('model-budget').budget;
  if (view === null) throw new Error('no budget');
  return { ...view, limits };
}

function gap(round: number, from: GapView['from'], text: string, closed = true): GapView {
  return { round, from, text, closed };
}

function fates(gaps: readonly GapView[], verified: boolean): readonly string[] {
  const goal = goalOf({ round: 5, gaps });
  const lines = endTable(runView([nodeView('a', { goal, verified })]), wide);
  return lines
    .filter((line) => line.startsWith('  round'))
    .map((line) => line.replace(/ {2,}/g, ' | ').slice(3));
}

describe('the end report says what became of a gap', () => {
  test('a skeptic that looked again closes it, a red check does not', () => {
    const gaps = [
      gap(1, 'skeptic', 'no test'),
      gap(2, 'check', 'check `t`: exit 1'),
      gap(3, 'skeptic', 'no docs'),
    ];
    expect(fates(gaps, true)).toEqual([
      'round 1 | skeptic | closed in 3 | no test',
      'round 2 | check | closed in 3 | check `t`: exit 1',
      'round 3 | skeptic | closed in 5 | no docs',
    ]);
  });

  test('one that nobody judged again is not called closed', () => {
    expect(fates([gap(1, 'skeptic', 'no test'), gap(2, 'check', 'check `t`: exit 1', false)], false)).toEqual(
      ['round 1 | skeptic | not judged again | no test', 'round 2 | check | open | check `t`: exit 1'],
    );
  });

  test('one that came back is said to have, also a check that is red in another way', () => {
    const gaps = [
      gap(1, 'check', 'check `t`: exit 1'),
      gap(2, 'check', 'check `t`: timed out'),
      gap(3, 'skeptic', 'x'),
      gap(4, 'skeptic', 'x', false),
    ];
    expect(fates(gaps, false)).toEqual([
      'round 1 | check | again in 2 | check `t`: exit 1',
      'round 2 | check | closed in 3 | check `t`: timed out',
      'round 3 | skeptic | again in 4 | x',
      'round 4 | skeptic | open | x',
    ]);
  });
});

describe('the end report of a run that waits for a person', () => {
  test('says from when the provider may be asked again', () => {
    const text = end(scene('model-provider'));
    expect(text).toContain('worth going on from 2026-03-01 23:12 UTC, in 1h10m');
    expect(text).toContain('goalgraph resume  go on');
  });

  test('survives a reset time that is no time', () => {
    expect(end({ ...scene('model-provider'), resetAt: 1e300 })).toContain('worth going on from');
  });

  test('names the limit that can be raised', () => {
    const paused = scene('model-budget');
    const help = (limits: BudgetReport['limits']): readonly string[] =>
      end({ ...paused, budget: budget(limits) }).match(/goalgraph resume --\S+ \S+/g) ?? [];
    expect(help({ tokens: 1, cost: null })).toEqual(['goalgraph resume --budget 100k']);
    expect(help({ tokens: null, cost: 1 })).toEqual(['goalgraph resume --max-cost 1usd']);
    expect(help({ tokens: 1, cost: 1 })).toEqual([
      'goalgraph resume --budget 100k',
      'goalgraph resume --max-cost 1usd',
    ]);
  });

  test('says how to say yes to a plan', () => {
    expect(end(scene('model-approval'))).toContain('goalgraph approve');
  });

  test('tells every fault of a plan that was refused, uncut', () => {
    const narrow = endTable(scene('model-refused-plan'), screenOf(40)).join(' ');
    expect(narrow).toContain('so that one of them can begin');
    expect(narrow).toContain('did you mean parse-csv?');
  });
});

test('a money column is there only where a price is known', () => {
  const view = scene('model-done');
  const { budget } = view;
  if (budget === null) throw new Error('no budget');
  const unpriced = { unpriced: budget.total.calls, cost: 0 };
  const free = {
    ...budget,
    spent: { ...budget.spent, cost: 0 },
    total: { ...budget.total, ...unpriced },
    roles: budget.roles.map((role) => ({ ...role, unpriced: role.calls, cost: 0 })),
  };
  expect(end(view)).toContain('cost');
  expect(end({ ...view, budget: free })).not.toMatch(/cost|\$/);
});

test('nothing is kept for the final verification once the run is complete', () => {
  expect(end(scene('model-budget'))).toContain('kept for gn-final');
  expect(end(scene('model-done'))).not.toContain('kept for gn-final');
});

test('a run without models says nothing of tokens', () => {
  const text = end(runView([nodeView('a', { startedAt: START })], { status: 'complete' }));
  expect(text).not.toMatch(/token|round|spent/);
});
