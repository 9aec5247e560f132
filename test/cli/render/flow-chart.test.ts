/** A flow on the screen: the drawing, every exit, the way it has come. */

import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { FlowStepView, FlowView, MoveView } from '../../../src/contract/view.ts';
import { flowChart, flowWords, trailLines } from '../../../src/cli/render/flow-chart.ts';
import { flowDot, flowMermaid } from '../../../src/cli/render/flow-export.ts';
import { parseFlow } from '../../../src/flow/parse-flow.ts';
import { expectGolden } from '../../support/golden-text.ts';
import { screenOf } from '../../support/views.ts';

function step(id: string, label: string, exits: Readonly<Record<string, string>> = {}): FlowStepView {
  const ways = Object.entries(exits).map(([word, to]) => ({
    to,
    label: /^\d*$/.test(word) ? null : word,
    taken: 0,
  }));
  const word = label.toLowerCase();
  const kind = word === 'begin' || word === 'end' ? word : ways.length > 1 ? 'decision' : 'task';
  return { id, label, kind, exits: ways, visits: 0 };
}

function view(steps: readonly FlowStepView[], more: Partial<FlowView> = {}): FlowView {
  return { name: 'f', args: '', steps, at: null, picked: null, moves: 0, maxMoves: 10, trail: [], ...more };
}

const REVIEW = [
  step('begin', 'BEGIN', { 0: 'write' }),
  step('write', 'Write the parser', { 0: 'test' }),
  step('test', 'Do the tests pass?', { yes: 'done', no: 'write', 'not yet': 'test' }),
  step('done', 'END'),
];

function move(n: number, at: string, more: Partial<MoveView> = {}): MoveView {
  return {
    move: n,
    step: at,
    by: 'agent',
    outcome: 'said',
    choice: null,
    detail: null,
    led: true,
    at: 0,
    ...more,
  };
}

describe('a flow on the screen', () => {
  it('is drawn with the step it is at, and lists every exit, those that lead back too', async () => {
    const steps = REVIEW.map((one) => (one.id === 'write' ? { ...one, visits: 2 } : one));
    const lines = flowChart(view(steps, { at: 'test' }), screenOf(80));
    await expectGolden('screens/flow-80.txt', `${lines.join('\n')}\n`);
    const ascii = flowChart(view(steps, { at: 'test' }), screenOf(60, { ascii: true }));
    await expectGolden('screens/flow-60-ascii.txt', `${ascii.join('\n')}\n`);
  });

  it('says in a line where it is', () => {
    expect(flowWords(view(REVIEW, { at: 'test', moves: 3, picked: 'yes' }), false)).toEqual([
      'flow f',
      'at test',
      'goes on with yes',
      '3 moves of 10',
    ]);
    expect(flowWords(view(REVIEW, { moves: 1, maxMoves: null }), false)).toEqual(['flow f', '1 move']);
  });

  it('tells its last moves, and how many came before', () => {
    const trail = [
      ...Array.from({ length: 9 }, (_, i) => move(i + 1, 'write')),
      move(10, 'test', { choice: 'perhaps', detail: 'there is no such branch' }),
      move(11, 'test', { outcome: 'short' }),
      move(12, 'test', { outcome: 'failed' }),
      move(12, 'test', { by: 'person', choice: 'no' }),
      move(13, 'test', { choice: 'yes' }),
    ];
    const lines = trailLines(view(REVIEW, { trail }), screenOf(80));
    expect(lines).toHaveLength(13);
    expect([lines[0], ...lines.slice(-5)]).toEqual([
      '2 earlier moves',
      '10    test   there is no such branch: perhaps',
      '11    test   not brought to an end',
      '12    test   no usable answer',
      '      test   a person chose no',
      '13    test   chose yes',
    ]);
  });

  it('fits any width, and lets no text of a chart or a model drive the terminal', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '\n', '\x1b[31m', '\u202e', '表', '👩‍👩‍👧', ' ', '"', '|', ']'),
    });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 20, max: 120 }), (label, choice, columns) => {
        const steps = [
          step('b', 'BEGIN', { 0: label }),
          step(label, label, { [choice]: 'e', z: 'b' }),
          step('e', 'END'),
        ];
        const flow = view(steps, { at: label, trail: [move(1, label, { choice, detail: choice })] });
        const screen = screenOf(columns);
        for (const line of [
          ...flowChart(flow, screen),
          ...trailLines(flow, screen),
          ...flowWords(flow, false),
        ]) {
          expect(line).not.toMatch(/[\x00-\x1f\x7f\u202e]/);
        }
        for (const line of flowChart(flow, screen)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
      }),
      { numRuns: 200 },
    );
  });

  it('of ten thousand steps in a row is told without a drawing', () => {
    const steps = [
      step('b', 'BEGIN', { 0: 's0' }),
      ...Array.from({ length: 10_000 }, (_, i) =>
        step(`s${i}`, `Do ${i}`, { 0: i < 9_999 ? `s${i + 1}` : 'e' }),
      ),
      step('e', 'END'),
    ];
    expect(flowChart(view(steps, { at: 's5' }), screenOf(80)).length).toBeGreaterThan(10_000);
  });
});

describe('a flow in another notation', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      'a',
      'é',
      '"',
      '`',
      '%%',
      '#',
      ';',
      '[',
      ']',
      '(',
      '|',
      '-->',
      '\\',
      '<br/>',
      '&',
      '{',
    ),
  });

  it('of Mermaid reads as the same flow, whatever its labels hold', () => {
    fc.assert(
      fc.property(hostile, hostile, (label, branch) => {
        fc.pre(
          label.trim() !== '' &&
            !/^(begin|end)$/i.test(label.trim()) &&
            branch.trim() !== '' &&
            branch.trim() !== 'other',
        );
        const steps = [
          step('b', 'BEGIN', { 0: 'q' }),
          step('q', label.trim(), { [`${branch.trim()}!`]: 'e', other: 'q' }),
          step('e', 'END'),
        ];
        const read = parseFlow('mermaid', flowMermaid(view(steps, { at: 'q' })));
        if (!read.ok) throw new Error(`${JSON.stringify(read.fault)}\n${flowMermaid(view(steps))}`);
        const [, q] = read.value.nodes;
        expect(q?.exits.map((exit) => exit.label)).toEqual([`${branch.trim()}!`, 'other']);
        // A line break in a label is drawn as one.
        expect(q?.label).toBe(label.trim());
      }),
      { numRuns: 300 },
    );
  });

  it('of DOT keeps labels inside their quotes', () => {
    const text = flowDot(
      view([
        step('b', 'BEGIN', { 0: 'q' }),
        step('q', 'a" ]; x -> y [label="', { 0: 'e' }),
        step('e', 'END'),
      ]),
    );
    expect(text.split('\n').filter((line) => line.includes('->'))).toHaveLength(2 + 1);
  });
});
