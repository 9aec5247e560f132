/** Reports as files: compared, and written anew by `vitest -u`. */

import { describe, expect, test } from 'vitest';
import { toHtml } from '../../../src/cli/report/html.ts';
import { toMarkdown } from '../../../src/cli/report/markdown.ts';
import { reportData } from '../../../src/cli/report/report-data.ts';
import { nodeId } from '../../../src/contract/ids.ts';
import { expectGolden } from '../../support/golden-text.ts';
import { checkView, ended, goalOf, nodeView, planView, runView } from '../../support/views.ts';
import { REPORT_SCENES, REPORTS } from './scenes.ts';
import { tagsOf } from './markup.ts';

describe.each(Object.keys(REPORTS))('the report of the run "%s"', (name) => {
  const data = REPORTS[name];
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
});

describe('a report', () => {
  const done = REPORTS['model-done'];
  const failed = REPORTS['command-failed'];
  if (!done || !failed) throw new Error('no scenes');

  test('tells by what each gap was closed', () => {
    const gaps = done.nodes.flatMap(({ goal }) => goal?.gaps ?? []);
    expect(gaps.map(({ round, from, closedIn, by }) => [round, from, closedIn, by])).toEqual([
      [1, 'check', 2, 'Fixed the count'],
      [2, 'skeptic', 3, 'Doubled quotes are one quote, and an empty file has no rows'],
      [2, 'skeptic', 3, 'Doubled quotes are one quote, and an empty file has no rows'],
    ]);
  });

  test('has no words of models for a run without any', () => {
    for (const page of [toHtml(failed), toMarkdown(failed)]) {
      for (const word of ['tokens', 'rounds', 'skeptic', 'worker says', 'verifier']) {
        expect(page.replace(/<style>[^<]*<\/style>/, '')).not.toContain(word);
      }
    }
  });

  test('names who was skipped, and who was not verified', () => {
    const view = planView(
      { a: [], b: ['a'], c: ['a'] },
      {
        run: { status: 'complete' },
        nodes: {
          a: { status: 'achieved', executed: true, claimed: true },
          b: { status: 'skipped' },
          c: { status: 'achieved', verified: true },
          'gn-final': { status: 'achieved', verified: true },
        },
      },
    );
    expect(reportData({ view, events: [], diffs: null }).outcome).toBe(
      'Complete: 3 of 4 nodes achieved; the objective as a whole was verified at the end; skipped by a person: b; without a check, so not verified: a.',
    );
  });

  test('says the commands that help', () => {
    expect(failed.next).toContainEqual({
      type: 'command',
      command: 'goalgraph retry clean',
      does: 'run it again',
    });
    const first = failed.next[0];
    expect(first).toMatchObject({ type: 'about' });
  });

  test('of a run without a plan yet says so', () => {
    const view = runView([], { status: 'planning', planVersion: 0, planHash: '' });
    const data = reportData({ view, events: [], diffs: null });
    expect(data.plan).toBeNull();
    expect(toMarkdown(data)).toContain('Not begun: a model is writing its plan.');
    expect(toHtml(data)).toContain('none yet');
  });

  test('tells why files are missing', () => {
    const diffs = { total: null, nodes: new Map(), missing: 'The snapshots are not there any more.' };
    const { done: scene } = REPORT_SCENES;
    if (!scene) throw new Error('no scene');
    const data = reportData({ ...scene, diffs });
    expect(toMarkdown(data)).toContain('The snapshots are not there any more.');
    expect(toHtml(data)).toContain('The snapshots are not there any more.');
  });
});

test('a report of 10,000 nodes stays one that can be read', () => {
  const tail = '<&>'.repeat(700);
  const nodes = Array.from({ length: 10_000 }, (_, i) =>
    nodeView(`node-${i}`, {
      title: 'x'.repeat(200),
      deps: i === 0 ? [] : [nodeId(`node-${i - 1}`)],
      status: i === 9_000 ? 'failed' : 'achieved',
      reason: i === 9_000 ? 'y'.repeat(5_000) : null,
      attempts: 1,
      command: 'z'.repeat(5_000),
      work: ended({ tail }),
      checks: Array.from({ length: 6 }, () => checkView('w'.repeat(5_000), { tail })),
      goal: goalOf({
        round: 12,
        discovered: Array.from({ length: 100 }, () => 'd'.repeat(5_000)),
        injections: Array.from({ length: 100 }, () => 'i'.repeat(5_000)),
      }),
    }),
  );
  const path = (i: number) => `src/${'f'.repeat(100)}-${i}.ts`;
  const files = Array.from({ length: 20_000 }, (_, i) => ({
    path: path(i),
    from: null,
    change: 'changed' as const,
    added: 1,
    removed: 1,
  }));
  const diffs = {
    total: files,
    nodes: new Map(nodes.slice(0, 100).map(({ id }) => [id, files])),
    missing: null,
  };
  const view = runView(nodes, { status: 'paused', why: 'stuck', objective: 'o'.repeat(100_000) });
  const data = reportData({ view, events: [], diffs });
  const page = toHtml(data);
  expect(page.length).toBeLessThan(15_000_000);
  expect(toMarkdown(data).length).toBeLessThan(10_000_000);
  // What wants a look is not among what is left out.
  expect(page).toContain('node-9000');
  expect(page).toContain('and 9500 more nodes');
  expect(page).toContain('and 19700 more files');
  expect(tagsOf(page).text).not.toMatch(/[<>]/);
});

test('files of nodes that worked side by side are said to be mixed up, and only theirs', () => {
  const { done } = REPORT_SCENES;
  const data = REPORTS['model-done'];
  if (!done || !data) throw new Error('no scene');
  const words = 'side by side shared one folder';
  expect(toMarkdown(data)).not.toContain(words);
  const rows = data.timeline.rows.map((row) => ({
    ...row,
    segments: row.segments.map((segment) => ({ ...segment, from: data.timeline.from })),
  }));
  for (const make of [toMarkdown, toHtml]) {
    expect(make({ ...data, timeline: { ...data.timeline, rows } })).toContain(words);
  }
});
