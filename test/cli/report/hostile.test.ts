/** Whatever a run holds, a report shows it as text. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHtml } from '../../../src/cli/report/html.ts';
import { toMarkdown } from '../../../src/cli/report/markdown.ts';
import { code, prose } from '../../../src/cli/report/markdown-text.ts';
import { reportData, type ReportData } from '../../../src/cli/report/report-data.ts';
import { nodeId } from '../../../src/contract/ids.ts';
import type { FlowView } from '../../../src/contract/view.ts';
import { STATUSES } from '../../../src/cli/render/words.ts';
import { checkView, ended, goalOf, planView, START } from '../../support/views.ts';
import { looseMarkdown, tagsOf } from './markup.ts';

const NASTY = fc.constantFrom(
  '<img src=x onerror=alert(1)>',
  '</style><script>alert(1)</script>',
  '</pre></details>',
  '<!--',
  ']]>',
  '" onmouseover="alert(1)',
  "' style='x",
  '&lt;b&gt;',
  '&#60;',
  '\x1b[2J',
  '\x1b]8;;http://evil.example\x07x\x1b]8;;\x07',
  '\u202e',
  '\u2066',
  '\0',
  '\ufeff',
  '\ud800',
  '```',
  '````text',
  '`',
  '\\',
  '|',
  '\n\n# heading',
  '\n- item',
  '\n| a | b |\n|---|---|',
  '[x](javascript:alert(1))',
  '![x](http://evil.example/x.png)',
  '<http://evil.example>',
  'http://evil.example www.evil.example',
  '**b** _i_ ~~s~~',
  '\r\n===\r\n',
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.oneof(NASTY, fc.string({ maxLength: 6 })), { maxLength: 8 }).map((parts) => parts.join('')),
);

const gap = fc.record({
  round: fc.nat({ max: 12 }),
  from: fc.constantFrom('check' as const, 'skeptic' as const),
  text,
  state: fc.constantFrom('open' as const, 'closed' as const),
  closedIn: fc.option(fc.nat({ max: 12 })),
  againIn: fc.option(fc.nat({ max: 12 })),
  outvoted: fc.constant(null),
});

const goal = fc
  .record({
    round: fc.constant(2),
    gaps: fc.array(gap, { maxLength: 2 }),
    votes: fc.array(
      fc.record({ seat: fc.constant(1), verdict: fc.constant('inconclusive' as const), why: text }),
      {
        maxLength: 2,
      },
    ),
    injections: fc.array(text, { maxLength: 2 }),
    discovered: fc.array(text, { maxLength: 2 }),
    summary: fc.option(text),
    patch: fc.option(text),
  })
  .map(goalOf);

const node = fc.record({
  slug: text,
  title: text,
  status: fc.constantFrom(...STATUSES),
  reason: fc.option(text),
  command: fc.option(text),
  attempts: fc.nat({ max: 3 }),
  work: fc.option(fc.record({ tail: text, detail: fc.option(text), exit: fc.nat({ max: 1 }) }).map(ended)),
  checks: fc.array(
    fc
      .record({ run: text, tail: text, exit: fc.nat({ max: 1 }) })
      .map(({ run, ...end }) => checkView(run, end)),
    { maxLength: 2 },
  ),
  goal: fc.option(goal),
});

const file = fc.record({
  path: text,
  from: fc.option(text),
  change: fc.constantFrom('added' as const, 'moved' as const),
  added: fc.option(fc.nat()),
  removed: fc.constant(1),
});

const exits = fc.array(
  fc.record({
    to: fc.oneof(text, fc.constantFrom('begin', 'end')),
    label: fc.option(text),
    taken: fc.nat({ max: 2 }),
  }),
  { maxLength: 3 },
);
const step = fc.record({
  id: text,
  label: text,
  kind: fc.constantFrom('task' as const, 'decision' as const),
});
const move = fc.record({
  move: fc.nat({ max: 9 }),
  step: text,
  by: fc.constantFrom('agent' as const, 'person' as const),
  outcome: fc.constantFrom('said' as const, 'short' as const, 'failed' as const),
  choice: fc.option(text),
  detail: fc.option(text),
  led: fc.boolean(),
  at: fc.constant(START),
});

/** One step after the other, with arrows to wherever. */
const flow: fc.Arbitrary<FlowView> = fc
  .record({
    name: text,
    args: text,
    steps: fc.array(fc.tuple(step, exits), { maxLength: 3 }),
    at: fc.option(text),
    picked: fc.option(text),
    trail: fc.array(move, { maxLength: 3 }),
  })
  .map(({ steps, ...rest }) => {
    const ids = [...steps.map(([{ id }]) => id), 'end'];
    const own = (place: number) => ({ to: ids[place] ?? 'end', label: null, taken: 0 });
    const [begin, end] = (['begin', 'end'] as const).map((kind) => ({
      id: kind,
      label: kind,
      kind,
      visits: 0,
    }));
    if (!begin || !end) throw new Error('no ends');
    return {
      ...rest,
      moves: 3,
      maxMoves: 9,
      steps: [
        { ...begin, exits: [own(0)] },
        ...steps.map(([each, more], i) => ({ ...each, visits: 0, exits: [own(i + 1), ...more] })),
        { ...end, exits: [] },
      ],
    };
  });

const data: fc.Arbitrary<ReportData> = fc
  .record({
    flow: fc.option(flow),
    nodes: fc.record({ a: node, b: node, 'gn-final': node.map(({ slug: _, ...rest }) => rest) }),
    run: fc.record({
      run: text,
      objective: text,
      workspace: text,
      detail: fc.option(text),
      planHash: text,
      status: fc.constantFrom('paused' as const, 'complete' as const, 'running' as const),
      why: fc.constantFrom('stuck' as const, 'infra' as const),
      models: fc.record({ worker: text, verifier: text, panel: fc.constant({ node: 1, final: 3 }) }),
    }),
    files: fc.array(file, { maxLength: 3 }),
    missing: fc.option(text),
    event: text,
  })
  .map(({ nodes, run, files, missing, event, flow: followed }) => {
    const view = planView({ a: [], b: ['a'] }, { nodes, run: { ...run, flow: followed } });
    const diffs = { total: files, nodes: new Map([[nodeId('a'), files]]), missing };
    const stored = [
      {
        version: 1,
        event: { type: 'node.started', at: START, node: nodeId('a'), epoch: 1, attempt: 1, rerun: false },
      },
      {
        version: 2,
        event: {
          type: 'node.failed',
          at: START + 5_000,
          node: nodeId('a'),
          why: 'exit',
          detail: event,
          red: [],
        },
      },
    ] as const;
    return reportData({ view, events: stored, diffs });
  });

const NAMES = new Set(
  (
    'html head meta title style body header main footer section article h1 h2 h3 h4 p div span b i dl dt dd ul li table thead tbody ' +
    'tfoot tr th td code pre details summary svg g rect text tspan path'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'lang charset http-equiv content name class style scope tabindex role aria-label data-l open title width height viewBox ' +
    'x y rx d'
  )
    .toLowerCase()
    .split(' '),
);

describe('HTML of any run', () => {
  test('holds no tag, no attribute and no control that is not its own', () => {
    fc.assert(
      fc.property(data, (of) => {
        const page = toHtml(of);
        const { names, attributes, text: rest } = tagsOf(page.replaceAll('viewBox=', 'viewbox='));
        expect([...names].filter((name) => !NAMES.has(name))).toEqual([]);
        expect([...attributes].filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
        expect(rest).not.toMatch(/[<>]/);
        expect(page).not.toMatch(/[^\P{Cc}\n]|[\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u);
        // Every ampersand that is left begins a character that was escaped.
        expect(page.replace(/&#\d+;/g, '')).not.toContain('&');
      }),
      { numRuns: 150 },
    );
  });

  test('is closed as it was opened', () => {
    fc.assert(
      fc.property(data, (of) => {
        const open: string[] = [];
        for (const [tag, end = '', name = ''] of toHtml(of).matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
          if (name === 'meta' || tag.endsWith('/>')) continue;
          if (end === '') open.push(name);
          else expect(open.pop()).toBe(name);
        }
        expect(open).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('Markdown of any run', () => {
  test('closes what it opens, and holds no HTML, no link and no code that is not its own', () => {
    fc.assert(
      fc.property(data, (of) => {
        const page = toMarkdown(of);
        const loose = looseMarkdown(page);
        expect(loose).not.toMatch(/[<>[\]`_~]|:\/\/|www\./);
        expect(page).not.toMatch(/[^\P{Cc}\n]|[\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 150 },
    );
  });

  test('keeps its tables: a row has as many cells as its head', () => {
    fc.assert(
      fc.property(data, (of) => {
        let head = 0;
        for (const line of toMarkdown(of).split('\n')) {
          // As it is read: an escaped sign is text, and so is an escaped bar, in code as elsewhere.
          const bars = line.startsWith('| ') ? line.replace(/\\[\s\S]/g, '').split('|').length : 0;
          if (bars > 0 && head > 0) expect(bars, line).toBe(head);
          head = bars;
        }
      }),
      { numRuns: 150 },
    );
  });

  test('escapes what a line may begin with', () => {
    expect(['- x', '1. x', '+ x', '# x', '> x', '=== x', '3.5 s'].map(prose)).toEqual([
      '\\- x',
      '1\\. x',
      '\\+ x',
      '\\# x',
      '\\> x',
      '\\=== x',
      '3.5 s',
    ]);
  });

  test('shows code as it is', () => {
    expect(code('a `b` c')).toBe('``a `b` c``');
    expect(code('`x`')).toBe('`` `x` ``');
    expect(code('a | b', true)).toBe('`a \\| b`');
  });
});
