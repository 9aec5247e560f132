/** Reports of runs that followed a chart: as files, compared and written anew by `vitest -u`, and what they rest on. */

import { describe, expect, test } from 'vitest';
import { toHtml } from '../../../src/cli/report/html.ts';
import { toMarkdown } from '../../../src/cli/report/markdown.ts';
import { reportData, type ReportData } from '../../../src/cli/report/report-data.ts';
import { spansOf } from '../../../src/cli/report/spans.ts';
import type { RunView } from '../../../src/contract/view.ts';
import { flowView } from '../../../src/graph/flow-view.ts';
import { expectGolden } from '../../support/golden-text.ts';
import { nodeView, runView, START } from '../../support/views.ts';
import { chartOf, FLOW_REPORTS, FLOW_SCENES, flowPlay, type FlowPlay } from './flow-scenes.ts';
import { tagsOf } from './markup.ts';
import { sceneOf } from './scenes.ts';

describe.each(Object.keys(FLOW_REPORTS))('the report of the run "%s"', (name) => {
  const data = FLOW_REPORTS[name];
  if (data === undefined) throw new Error(name);

  test('in Markdown', async () => {
    await expectGolden(`reports/${name}.md`, toMarkdown(data));
  });

  test('in HTML', async () => {
    await expectGolden(`reports/${name}.html`, toHtml(data));
  });

  test('is plain data, and the same from the same events', () => {
    expect(JSON.parse(JSON.stringify(data))).toEqual(data);
    expect(toHtml(data)).toBe(toHtml(data));
  });

  test('has no words of plans, and holds nothing that is not its own', () => {
    for (const page of [toHtml(data), toMarkdown(data)]) {
      const text = page.replace(/<style>[^<]*<\/style>/, '');
      for (const word of ['The plan', 'The nodes', 'verifier', 'side by side', 'achieved; ']) {
        expect(text).not.toContain(word);
      }
    }
    expect(tagsOf(toHtml(data).replaceAll('viewBox=', 'viewbox=')).text).not.toMatch(/[<>]/);
  });
});

const reportOf = (run: FlowPlay): ReportData => reportData({ ...sceneOf(run), diffs: null });

/** Each exit that was taken, as `formal → polish 2`. */
function taken({ flow }: ReportData): readonly string[] {
  return (flow?.steps ?? []).flatMap(({ id, exits }) =>
    exits.flatMap((exit) => (exit.taken === 0 ? [] : [`${id} → ${exit.to} ${exit.taken}`])),
  );
}

describe('a flow', () => {
  test('is told by the way that it took', () => {
    const [complete] = Object.values(FLOW_REPORTS);
    if (!complete?.flow) throw new Error('no flow');
    expect(taken(complete)).toEqual([
      'begin → draft 1',
      'draft → formal 1',
      'formal → polish 1',
      'polish → read 2',
      'read → send 1',
      'read → polish 1',
      'send → end 1',
    ]);
    expect(complete.flow.steps.map(({ id, visits }) => `${id} ${visits}`)).toEqual([
      'begin 1',
      'draft 1',
      'formal 1',
      'polish 2',
      'read 2',
      'send 1',
      'end 1',
    ]);
  });

  test('has its arrows that lead back, and its steps that no way leads to, marked', () => {
    const flow = chartOf({
      begin: ['a'],
      a: ['a again', 'b on'],
      b: ['a no', 'end yes', 'c maybe'],
      c: ['end'],
      lost: ['c'],
      end: [],
    });
    const data = reportOf(flowPlay({ flow }));
    const back = data.flow?.steps.flatMap(({ id, exits }) =>
      exits.filter((exit) => exit.back).map(({ to }) => `${id} ${to}`),
    );
    expect(back).toEqual(['a a', 'b a']);
    for (const page of [toHtml(data), toMarkdown(data)]) {
      expect(page).toContain('No way leads to one of its steps: it is not drawn.');
    }
    expect(toHtml(data)).toContain('again ↺ a');
  });

  test('takes the last choice of a person who decides while it rests, once it goes on', () => {
    const run = flowPlay();
    run.base();
    run.move();
    run.pause();
    run.choose('formal', 'formal');
    run.choose('formal', 'casual');
    expect(taken(reportOf(run))).toEqual(['begin → draft 1', 'draft → formal 1']);
    expect(reportOf(run).flow?.trail.map(({ led }) => led)).toEqual([true, false, false]);
    run.resume();
    const data = reportOf(run);
    expect(taken(data)).toEqual(['begin → draft 1', 'draft → formal 1', 'formal → send 1']);
    expect(data.flow?.trail.map(({ led }) => led)).toEqual([true, false, true]);
    expect(toMarkdown(data)).toContain('chose formal (replaced before it was taken)');
  });

  test('counts the time of a move without the pause in it', () => {
    const run = flowPlay();
    run.base();
    run.pause();
    run.resume();
    run.move();
    const [first] = reportOf(run).flow?.trail ?? [];
    expect(first?.ms).toBeGreaterThan(0);
    expect(first?.ms).toBeLessThan(60_000);
  });

  test('says at which step it stood still', () => {
    const run = flowPlay({ maxMoves: 1 });
    run.base();
    run.move();
    run.resume(9);
    for (let i = 0; i < 6; i++) run.move({ detail: 'it chose no branch' });
    run.resume();
    const page = toMarkdown(reportOf(run));
    expect(page).toMatch(/stood still for .*: its one move is used up at the step formal/);
    expect(page).toMatch(/stood still for .*: 6 moves at the step formal came to nothing/);
    expect(page).not.toContain('nothing was left that could run');
  });

  test('is compared with its base as of its last move', () => {
    const trees = spansOf(FLOW_SCENES.complete.events).total;
    expect(trees).toEqual({ base: 'a'.repeat(40), tree: 'b'.repeat(40) });
  });

  test('that stands at a choice with blanks in it has the whole command', () => {
    const { next } = FLOW_REPORTS['flow-hostile'] ?? { next: [] };
    expect(next).toContainEqual({
      type: 'command',
      command: "goalgraph choose 'x'\\''  goalgraph clear  y'",
      does: 'decide so; then resume',
    });
  });
});

describe('how a flow ended', () => {
  const flow = flowView(
    { name: 'email', flow: chartOf({ begin: ['a'], a: ['end'], end: [] }), args: '', maxMoves: 9 },
    { live: null, trail: [], ended: false },
  );
  const said = (run: Partial<RunView>, change: Partial<typeof flow> = {}) =>
    reportData({
      view: runView([nodeView('email')], { ...run, flow: { ...flow, ...change } }),
      events: [],
      diffs: null,
    }).outcome;

  test.each<[string, Partial<RunView>, Partial<typeof flow>]>([
    [
      'Complete: the flow email came to its end after 1 move; nobody verified what came of it.',
      { status: 'complete' },
      { moves: 1 },
    ],
    [
      'Not finished, paused (user): SIGINT paused it (Ctrl-C); at the step a, in move 3 of at most 9.',
      { status: 'paused', why: 'user', detail: 'SIGINT' },
      { at: 'a', moves: 3 },
    ],
    [
      'Not finished, paused (budget): its budget is used up; at the step a, in move 3.',
      { status: 'paused', why: 'budget' },
      { at: 'a', moves: 3, maxMoves: null },
    ],
    [
      'Not finished, paused (infra): something outside of it stopped it; before its first step.',
      { status: 'paused', why: 'infra' },
      {},
    ],
    [
      'Not finished, paused (stuck): 6 moves at the step a came to nothing; 7 of at most 9 moves are used; a person chose b, and it goes on with that.',
      { status: 'paused', why: 'stuck', detail: '6 moves at the step a came to nothing' },
      { at: 'a', moves: 7, picked: 'b' },
    ],
    [
      'Not finished: the flow email was running when this was written, at the step a, in move 2 of at most 9.',
      { status: 'running' },
      { at: 'a', moves: 2 },
    ],
    ['Given up by a person, after 2 moves.', { status: 'cleared' }, { moves: 2 }],
  ])('%s', (words, run, change) => {
    expect(said(run, change)).toBe(words);
  });
});

test('a report of 500 steps and 1,000 moves stays one that can be read', () => {
  const long = 'x'.repeat(2_000);
  const ids = Array.from({ length: 500 }, (_, i) => `s${i}`);
  const ways = ids.map((id, i): [string, readonly string[]] => [
    id,
    i === 7 ? ids.map((to) => `${to} ${to}${long}`) : [`${ids[i + 1] ?? 'end'} on${long}`, `s0 again${long}`],
  ]);
  const flow = chartOf(
    { begin: ['s0'], ...Object.fromEntries(ways), end: [] },
    Object.fromEntries(ids.map((id) => [id, long])),
  );
  const trail = Array.from({ length: 1_000 }, (_, i) => ({
    move: i + 1,
    step: i % 2 === 0 ? 's499' : 's0',
    by: 'agent' as const,
    outcome: 'said' as const,
    choice: `c${i} ${long}`,
    detail: null,
    led: true,
    at: START + i,
  }));
  const view = runView([nodeView('email')], {
    status: 'paused',
    why: 'user',
    flow: {
      ...flowView({ name: long, flow, args: long, maxMoves: 1_000 }, { live: null, trail, ended: false }),
      at: 's450',
    },
  });
  const data = reportData({ view, events: [], diffs: null });
  const [page, text] = [toHtml(data), toMarkdown(data)];
  expect(page.length).toBeLessThan(3_000_000);
  expect(text.length).toBeLessThan(500_000);
  for (const each of [page, text]) {
    expect(each).toContain('and 700 more before these: goalgraph report --json holds them all');
    expect(each).toContain('c999');
  }
  // Where it stands is not among what is left out.
  expect(page).toContain('>s450</span>');
  expect(page).toContain('and 302 more steps');
  expect(page).toContain('and 488 more');
  expect(page).toContain('The chart is too large to be drawn');
  expect(text).toMatch(/and \d+ more lines/);
});
