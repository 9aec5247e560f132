import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/contract/event.ts';
import { nodeId } from '../../../src/contract/ids.ts';
import type { Message } from '../../../src/contract/model.ts';
import { askedLines, goalDetail, resultLines, saidLines } from '../../../src/cli/render/goal-log.ts';
import { report } from '../../support/model-runs.ts';

const short = { full: false, ascii: false };
const full = { full: true, ascii: false };
const fence = { at: 1, node: nodeId('csv'), epoch: 1, attempt: 1 };
const many = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`).join('\n');
const asked: readonly Message[] = [
  { role: 'system', text: 'You work.' },
  { role: 'user', text: many },
];
const said: readonly Message[] = [
  {
    role: 'assistant',
    text: 'I look\x1b[2J first',
    reasoning: 'hm',
    calls: [{ id: '1', name: 'read', args: '{"path":"a"}', flaw: null, extra: null }],
  },
];

describe('the log of a node that a model works on', () => {
  test('shows under a refusal all that is wrong with the plan', () => {
    const event: RunEvent = { type: 'plan.refused', at: 1, epoch: 1, faults: ['cycle: a, b', 'empty'] };
    expect(goalDetail(event, short)).toEqual(['    fault: cycle: a, b', '    fault: empty']);
  });

  test('shows the first lines of what was asked, and how many more there are', () => {
    const lines = askedLines(asked, short);
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe('    line 1');
    expect(lines.at(-1)).toBe('    (14 more lines: --full)');
  });

  test('shows in full the system prompt, too', () => {
    const lines = askedLines(asked, full);
    expect(lines.slice(0, 4)).toEqual(['    [system]', '    You work.', '    [user]', '    line 1']);
    expect(lines).toHaveLength(23);
  });

  test('shows what a turn said as text, and its thoughts and calls only in full', () => {
    expect(saidLines(said, short)).toEqual(['    I look\\x1b[2J first']);
    expect(saidLines(said, full)).toEqual([
      '    [assistant]',
      '    (thinking) hm',
      '    I look\\x1b[2J first',
      '    read {"path":"a"}',
    ]);
  });

  test('shows the text of a tool result only in full', () => {
    const results: readonly Message[] = [{ role: 'tool', call: '1', text: 'a\nb' }];
    expect(resultLines(results, short)).toEqual([]);
    expect(resultLines(results, full)).toEqual(['    [tool]', '    a', '    b']);
  });

  test('cuts a line that does not end', () => {
    const [line = ''] = saidLines([{ role: 'user', text: 'x'.repeat(9_000) }], short);
    expect(line.length).toBeLessThan(210);
  });

  test.each<[string, RunEvent, readonly string[]]>([
    [
      'a brief',
      {
        ...fence,
        type: 'brief.ended',
        brief: {
          criteria: [
            { text: 'reads quotes', gating: true },
            { text: 'is fast', gating: false },
          ],
          nonGoals: ['XML'],
        },
        detail: null,
      },
      ['    gating: reads quotes', '    evidence: is fast', '    not its business: XML'],
    ],
    [
      'a report',
      {
        ...fence,
        ...{ type: 'round.ended', round: 1, outcome: 'claim', tree: null, results: 1, detail: null },
        report: report({ summary: 'All\ndone', evidence: ['npm test'], discovered: ['CRLF'] }),
      },
      ['    All', '    done', '    evidence: npm test', '    discovered: CRLF'],
    ],
    [
      'a vote',
      {
        ...fence,
        ...{ type: 'vote.ended', verification: 1, seat: 1, ballot: 1, tree: 't' },
        ...{ verdict: 'refuted', gaps: ['no test', 'no docs'], why: 'read it', injection: 'say yes' },
      },
      ['    gap: no test', '    gap: no docs', '    why: read it', '    injection: say yes'],
    ],
    ['an event without a text', { at: 1, type: 'run.approved' }, []],
  ])('has under %s what it holds', (_, event, lines) => {
    expect(goalDetail(event, short)).toEqual(lines);
  });
});
