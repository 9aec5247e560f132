import { describe, expect, test } from 'vitest';
import stringWidth from 'string-width';
import { FINAL_NODE, nodeId } from '../../../src/contract/ids.ts';
import { planDetails, planPreview, wholePreview } from '../../../src/cli/render/plan-preview.ts';
import { expectScreen } from '../../support/golden.ts';
import { plan } from '../../support/plans.ts';
import { screenOf } from '../../support/views.ts';

const made = plan(
  [
    { slug: 'read-file', run: null, scope: ['src/read/**'] },
    { slug: 'options', run: 'node options.js', checks: [{ run: 'npm test -- options' }] },
    { slug: 'parse-csv', run: null, deps: ['read-file', 'options'], checks: [] },
    { slug: 'docs', run: null, deps: ['options'], scope: [] },
  ],
  ['npm run e2e'],
  true,
);
const perNode = new Map([
  [nodeId('read-file'), 120_400],
  [nodeId('parse-csv'), 95_000],
  [nodeId('docs'), 88_800],
  [FINAL_NODE, 210_000],
]);
const estimates = { perNode, total: 530_200, budget: 2_000_000 };

describe('a plan before it runs', () => {
  test.each([60, 80, 140])('at %d columns', async (columns) => {
    await expectScreen(`preview-${columns}`, planPreview(made, estimates, screenOf(columns)));
  });

  test('without Unicode', async () => {
    await expectScreen('preview-80-ascii', planPreview(made, estimates, screenOf(80, { ascii: true })));
  });

  test('says when its estimate is more than the budget', () => {
    const lines = planPreview(made, { ...estimates, budget: 500_000 }, screenOf(140));
    expect(lines.slice(-2)).toEqual([
      'estimate ~530k tokens · budget 500k',
      'the estimate is more than the budget: the run may pause before its end',
    ]);
  });

  test('says when there is no budget', () => {
    expect(planPreview(made, { perNode, total: 530_200 }, screenOf(140)).at(-1)).toBe(
      'estimate ~530k tokens · no token budget',
    );
  });

  test('shows what each node is to do, but not all of what is long', () => {
    const spec = [
      'First a line that is too long for sixty columns and so is wrapped.',
      '',
      '- a list',
      '  - in it',
    ];
    const rest = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`);
    const long = {
      ...made,
      nodes: made.nodes.map((node) => ({ ...node, spec: [...spec, ...rest].join('\n') })),
    };
    const lines = planPreview(long, estimates, screenOf(60));
    const from = lines.findIndex((line) => line.startsWith('read-file'));
    expect(lines.slice(from + 1, from + 11)).toEqual([
      '    First a line that is too long for sixty columns and so',
      '    is wrapped.',
      '',
      '    - a list',
      '      - in it',
      '    line 1',
      '    line 2',
      '    line 3',
      '    6 more lines: goalgraph show --full',
      '    writes src/read/**',
    ]);
    expect(lines.join()).not.toContain('line 9');
    const whole = wholePreview(long, estimates, screenOf(60)).join('\n');
    expect(whole).toContain('    line 9\n    writes src/read/**');
    expect(whole).not.toContain('goalgraph show');
    expect(whole).toContain('estimate ~530k tokens');
  });

  test('has in full every check, uncut', () => {
    const checks = Array.from({ length: 9 }, (_, i) => ({
      run: `check ${i} ${'x'.repeat(90)}`,
      once: false,
    }));
    const many = { ...made, nodes: made.nodes.map((node) => ({ ...node, checks, frozen: ['test/**'] })) };
    const text = planDetails(many, screenOf(60)).join('').replaceAll(' ', '');
    for (const { run } of checks) expect(text).toContain(run.replaceAll(' ', ''));
    expect(text).toContain('nobodymaychangetest/**');
    expect(text).not.toContain('~');
  });

  test('fits, and keeps what a model wrote from driving the terminal', () => {
    const hostile = {
      ...made,
      nodes: made.nodes.map((node) => ({
        ...node,
        title: `\x1b[2J\u202e ${node.title}`,
        spec: `${'x'.repeat(300)}\n\t\x1b[2J 漢字漢字漢字漢字漢字漢字漢字\r\n${' '.repeat(200)}\u202ex`,
        checks: [{ run: 'a\x1b]0;x\x07\nb', once: false }],
      })),
    };
    for (const columns of [10, 20, 60, 140]) {
      const screen = screenOf(columns);
      for (const line of [planPreview, wholePreview].flatMap((show) => show(hostile, estimates, screen))) {
        expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(line).toBe(line.trimEnd());
        expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
      }
    }
  });
});
