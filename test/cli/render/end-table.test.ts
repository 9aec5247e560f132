import { describe, expect, test } from 'vitest';
import type { BudgetReport } from '../../../src/contract/budget.ts';
import type { GapView, GoalView, NodeView, RunView, VoteView } from '../../../src/contract/view.ts';
import { FINAL_NODE } from '../../../src/contract/ids.ts';
import { endTable } from '../../../src/cli/render/end-table.ts';
import { MODEL_SCENES } from '../../support/model-scenes.ts';
import { checkView, goalOf, nodeView, runView, screenOf, START } from '../../support/views.ts';

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

function gap(round: number, from: GapView['from'], more: Partial<GapView> = {}): GapView {
  const closed = { state: 'closed', closedIn: null, againIn: null, outvoted: null } as const;
  return { round, from, text: 'no test', ...closed, ...more };
}

function reportOf(goal: Partial<GoalView>, columns = 200): readonly string[] {
  const lines = endTable(runView([nodeView('a', { goal: goalOf(goal), verified: true })]), screenOf(columns));
  return lines.slice(lines.lastIndexOf('') + 1);
}

describe('the end report says of a model', () => {
  test('what became of each gap', () => {
    const gaps = [
      gap(1, 'skeptic', { closedIn: 3 }),
      gap(2, 'check', { againIn: 4 }),
      gap(3, 'skeptic'),
      gap(4, 'check', { state: 'open' }),
      gap(5, 'skeptic', { state: 'outvoted', outvoted: { achieved: 2, refuted: 1 } }),
    ];
    expect(reportOf({ gaps }).map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
      'a',
      'round 1 | skeptic | closed in 3 | no test',
      'round 2 | check | again in 4 | no test',
      'round 3 | skeptic | not judged again | no test',
      'round 4 | check | open | no test',
      'round 5 | skeptic | outvoted 2 to 1 | no test',
    ]);
  });

  test('the blanks that a gap has, also where it is wrapped', () => {
    const text = "slug('  Crème  brûlée! ') gives creme--brulee and not creme-brulee: see src/slug.js:12";
    const [, ...lines] = reportOf({ gaps: [gap(1, 'skeptic', { text, closedIn: 2 })] }, 80);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join(' ')).toContain("slug('  Crème  brûlée! ')");
  });

  test('how its last panel voted, and why somebody did not', () => {
    const vote = (seat: number, verdict: VoteView['verdict'], why = 'x'): VoteView => ({
      seat,
      verdict,
      why,
    });
    const achieved = [vote(1, 'achieved'), vote(2, 'achieved')];
    const [, panel] = reportOf({ gaps: [gap(1, 'skeptic')], votes: [...achieved, vote(3, 'refuted')] });
    expect(panel?.replace(/ {2,}/g, ' ')).toBe(' panel 2 achieved, 1 refuted');
    const votes = [...achieved, vote(3, 'inconclusive', 'no session\x1b[2J\nmore')];
    expect(reportOf({ votes })).toEqual([
      'a',
      '  panel  2 achieved, 1 without a verdict: no session\\x1b[2J',
    ]);
    expect(reportOf({ votes: [vote(1, 'unverifiable', 'no net')] })).toEqual([
      'a',
      '  panel  1 unverifiable: no net',
    ]);
    expect(reportOf({ votes: achieved })).toEqual(['a  panel: 2 achieved']);
  });

  test('with what command the work that was cut can be seen', () => {
    expect(reportOf({ patch: 'f'.repeat(64) })).toEqual(['a', '  kept  work that was cut: goalgraph diff a']);
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

  test('offers no more budget where it is a ceiling above all runs that stops it', () => {
    const detail =
      "the day's ceiling of 2m tokens (own configuration) is reached: 1.98m tokens spent today, worker of a needs 26k tokens; it frees at 00:00";
    const text = end({ ...scene('model-budget'), detail }).replaceAll(/\s+/g, ' ');
    expect(text).toContain("paused (budget): the day's ceiling of 2m tokens");
    expect(text).toContain('goalgraph resume go on when it frees');
    expect(text).not.toContain('--budget');
    expect(text).not.toContain('its budget is used up');
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

describe('what the final node checked', () => {
  const final = (more: Partial<NodeView> = {}) =>
    nodeView(FINAL_NODE, {
      status: 'achieved',
      checks: [checkView('npm test'), checkView('npm run lint')],
      ...more,
    });

  test('names whose check it is, but nobody who was skipped', () => {
    const checks = [checkView('npm test')];
    const nodes = [
      nodeView('a', { status: 'achieved', checks }),
      nodeView('b', { status: 'skipped', checks }),
      nodeView('c', { status: 'skipped', checks: [checkView('npm run lint')] }),
      final(),
    ];
    const text = end(runView(nodes, { status: 'complete' }));
    expect(text).toContain('npm test  (a)');
    expect(text).toContain('npm run lint  (plan)');
  });
});

test('a plan that was refused is told once, and what helps is another', () => {
  const text = end(scene('model-refused-plan'));
  expect(text).toContain('paused (infra): its plan was refused · no plan yet');
  expect(text.match(/did you mean parse-csv/g)).toHaveLength(1);
  expect(text).toContain('goalgraph resume  have another plan made');
});

test('the header names the workspace', () => {
  expect(end(runView([], { workspace: '/home/me/my\x1b[2J' }))).toContain(' · in /home/me/my\\x1b[2J');
});
