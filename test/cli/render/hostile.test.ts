/** Whatever a run holds, a screen shows it as text, within its columns. */

import fc from 'fast-check';
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { BudgetReport } from '../../../src/contract/budget.ts';
import type { CheckView, GoalView, NodeView, RunView } from '../../../src/contract/view.ts';
import type { Screen } from '../../../src/cli/render/screen.ts';
import { drawDag } from '../../../src/cli/render/dag.ts';
import { endTable } from '../../../src/cli/render/end-table.ts';
import { FINAL_NODE } from '../../../src/contract/ids.ts';
import { liveLines } from '../../../src/cli/render/live.ts';
import { checkView, goalOf, nodeView, runView, screenOf, START } from '../../support/views.ts';
import { STATUSES } from '../../../src/cli/render/words.ts';
import { statusTable } from '../../../src/cli/render/table.ts';

const NASTY = fc.constantFrom(
  '\x1b[2J',
  '\x1b]8;;x\x07',
  '\u202e',
  '\u200b',
  '漢字',
  '👨‍👩‍👧',
  '\r',
  '\n',
  '  ',
  '\u0301',
  '│',
  '<b>',
  '\x9b',
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.oneof(NASTY, fc.string({ maxLength: 6 })), { maxLength: 12 }).map((parts) => parts.join('')),
);
const RUN_STATUSES = ['planning', 'approval', 'running', 'paused', 'complete', 'cleared'] as const;
const PAUSES = ['user', 'deadline', 'budget', 'provider', 'infra', 'stuck'] as const;

const ms = fc.integer({ min: 0, max: 400_000_000 });

const check: fc.Arbitrary<CheckView> = fc
  .record({ run: text, exit: fc.integer({ min: 0, max: 2 }), reused: fc.boolean(), ms, open: fc.boolean() })
  .map(({ run, open, ...end }) => checkView(run, open ? null : end));

const count = fc.integer({ min: 0, max: 3_000_000 });

const goal: fc.Arbitrary<GoalView> = fc
  .record({
    round: fc.nat({ max: 12 }),
    gaps: fc.array(
      fc.record({
        round: fc.nat({ max: 12 }),
        from: fc.constantFrom('check' as const, 'skeptic' as const, 'engine' as const),
        text,
        state: fc.constantFrom('open' as const, 'closed' as const, 'outvoted' as const),
        closedIn: fc.option(fc.nat({ max: 12 })),
        againIn: fc.option(fc.nat({ max: 12 })),
        outvoted: fc.option(fc.record({ achieved: fc.nat({ max: 5 }), refuted: fc.nat({ max: 5 }) })),
      }),
      { maxLength: 4 },
    ),
    votes: fc.array(
      fc.record({
        seat: fc.nat({ max: 5 }),
        verdict: fc.constantFrom(
          'achieved' as const,
          'refuted' as const,
          'unverifiable' as const,
          'inconclusive' as const,
        ),
        why: text,
      }),
      { maxLength: 5 },
    ),
    injections: fc.array(text, { maxLength: 2 }),
    discovered: fc.array(text, { maxLength: 2 }),
    doing: fc.option(text),
    until: fc.option(ms.map((ahead) => START + ahead)),
    sameShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    tokens: count,
    patch: fc.option(text),
  })
  .map(goalOf);

const spending = fc.record({
  calls: fc.nat({ max: 900 }),
  input: count,
  cached: count,
  output: count,
  cost: count,
  estimated: count,
  overrun: count,
  unpriced: fc.nat({ max: 9 }),
});
const amount = fc.record({ tokens: count, cost: count });
const limits = fc.record({ tokens: fc.option(count), cost: fc.option(count) });

const budget: fc.Arbitrary<BudgetReport> = fc.record({
  limits,
  left: limits,
  spent: amount,
  reserved: amount,
  standing: amount,
  total: spending,
  roles: fc.array(
    fc.tuple(spending, text).map(([of, role]) => ({ ...of, role })),
    { maxLength: 3 },
  ),
  models: fc.array(
    fc
      .tuple(spending, text, fc.constantFrom(100, 150))
      .map(([of, model, factor]) => ({ ...of, model, factor })),
    { maxLength: 2 },
  ),
});

function node(place: number): fc.Arbitrary<NodeView> {
  return fc
    .record({
      slug: fc.oneof(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/), text),
      title: text,
      status: fc.constantFrom(...STATUSES),
      reason: fc.option(text),
      command: fc.option(text),
      attempts: fc.integer({ min: 0, max: 12 }),
      rerun: fc.boolean(),
      startedAt: fc.option(ms.map((ago) => START - ago)),
      ms,
      executed: fc.boolean(),
      claimed: fc.boolean(),
      verified: fc.boolean(),
      checks: fc.array(check, { maxLength: 3 }),
      goal: fc.option(goal),
      on: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
    })
    .map(({ on, slug, ...more }) => {
      const deps = [...new Set(on)].filter((d) => d < place).map((d) => `gn-${d}` as const);
      return nodeView(slug, { ...more, id: `gn-${place}`, deps });
    });
}

const view: fc.Arbitrary<RunView> = fc
  .integer({ min: 0, max: 8 })
  .chain((count) =>
    fc.record({
      nodes: fc.tuple(...Array.from({ length: count }, (_, i) => node(i))),
      final: fc.array(check, { maxLength: 4 }),
      status: fc.constantFrom(...RUN_STATUSES),
      why: fc.option(fc.constantFrom(...PAUSES)),
      detail: fc.option(text),
      objective: text,
      run: text,
      budget: fc.option(budget),
      resetAt: fc.option(
        fc.oneof(
          ms.map((ahead) => START + ahead),
          fc.integer({ min: 0 }),
        ),
      ),
      planVersion: fc.constantFrom(0, 1, 2),
      deadline: fc.option(ms.map((ahead) => START + ahead)),
    }),
  )
  .map(({ nodes, final, ...more }) => {
    const deps = nodes.map(({ id }) => id);
    return runView([...nodes, nodeView(FINAL_NODE, { deps, checks: final, status: 'failed' })], more);
  });

const SCREENS: Readonly<Record<string, (view: RunView, screen: Screen) => readonly string[]>> = {
  'the drawing': (view, screen) => drawDag(view, screen) ?? [],
  'the status list': statusTable,
  'the end table': endTable,
  'the live lines': (view, screen) => liveLines(view, { ...screen, rows: 9 }),
};

describe.each(Object.keys(SCREENS))('%s of any run', (name) => {
  const render = SCREENS[name] ?? (() => []);
  const columns = fc.constantFrom(10, 20, 40, 60, 80, 140, 300);

  test('fits, ends without blanks, and holds no control and no trick', () => {
    fc.assert(
      fc.property(view, columns, (run, width) => {
        for (const line of render(run, screenOf(width))) {
          expect(stringWidth(line), line).toBeLessThanOrEqual(width);
          expect(line).toBe(line.trimEnd());
          expect(line).not.toMatch(
            /[\p{Cc}\p{Cs}\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff]/u,
          );
        }
      }),
    );
  });

  test('is the same twice, and in colour the same but for the colour', () => {
    fc.assert(
      fc.property(view, columns, (run, width) => {
        const bare = render(run, screenOf(width));
        expect(render(run, screenOf(width))).toEqual(bare);
        const coloured = render(run, screenOf(width, { palette: picocolors.createColors(true) }));
        expect(coloured.map((line) => line.replace(/\x1b\[\d+m/g, ''))).toEqual(bare);
      }),
      { numRuns: 50 },
    );
  });

  test('is ASCII when asked to be, and fits then too', () => {
    fc.assert(
      fc.property(view, columns, (run, width) => {
        for (const line of render(run, screenOf(width, { ascii: true }))) {
          expect(line).toMatch(/^[\x20-\x7e]*$/);
          expect(line.length).toBeLessThanOrEqual(width);
        }
      }),
      { numRuns: 50 },
    );
  });
});
