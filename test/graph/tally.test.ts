import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict, Vote } from '../../src/contract/goal.ts';
import { tally } from '../../src/graph/tally.ts';

function vote(verdict: Verdict, gaps: readonly string[] = []): Vote {
  return { verdict, gaps, why: `because ${verdict}`, injection: null };
}

const A = vote('achieved');
const R = vote('refuted', ['g']);
const U = vote('unverifiable');
const I = vote('inconclusive');

describe('the votes of a panel', () => {
  it.each<[string, readonly Vote[], object]>([
    ['one achieved is enough for a panel of one', [A], { type: 'achieved' }],
    ['one refuted refutes', [R], { type: 'refuted', gaps: ['g'] }],
    ['one unverifiable blocks', [U], { type: 'unverifiable', why: 'because unverifiable' }],
    ['one inconclusive is asked again', [I], { type: 'inconclusive', seats: [0] }],
    ['two of three are more than half', [A, R, A], { type: 'achieved' }],
    ['two of three pass beside one that could not be read', [A, I, A], { type: 'achieved' }],
    ['one of two is not more than half', [A, R], { type: 'refuted', gaps: ['g'] }],
    ['two of four are not more than half', [A, A, I, I], { type: 'inconclusive', seats: [2, 3] }],
    ['three of five are', [A, R, A, U, A], { type: 'achieved' }],
    ['a gap weighs more than what cannot be judged', [A, R, U], { type: 'refuted', gaps: ['g'] }],
    ['a gap weighs more than what could not be read', [I, R, I], { type: 'refuted', gaps: ['g'] }],
    [
      'what cannot be judged weighs more than what could not be read',
      [A, U, I],
      { type: 'unverifiable', why: 'because unverifiable' },
    ],
    ['only the unreadable votes are cast again', [I, A, I], { type: 'inconclusive', seats: [0, 2] }],
    ['no votes at all are nothing', [], { type: 'inconclusive', seats: [] }],
    [
      'the same gap is said once, in the order of the votes',
      [vote('refuted', ['b', 'a']), vote('refuted', ['a', 'c'])],
      { type: 'refuted', gaps: ['b', 'a', 'c'] },
    ],
    ['refuted without a gap says nothing', [vote('refuted')], { type: 'inconclusive', seats: [0] }],
    ['achieved with a gap refutes', [vote('achieved', ['g'])], { type: 'refuted', gaps: ['g'] }],
    [
      'the reasons of two that cannot judge are both told',
      [U, { ...U, why: 'no net' }],
      { type: 'unverifiable', why: 'because unverifiable; no net' },
    ],
  ])('%s', (_, votes, result) => {
    expect(tally(votes)).toEqual(result);
  });

  const anyVote = fc
    .record({
      verdict: fc.constantFrom<Verdict>('achieved', 'refuted', 'unverifiable', 'inconclusive'),
      gaps: fc.array(fc.string(), { maxLength: 2 }),
    })
    .map(({ verdict, gaps }) => vote(verdict, gaps));

  it('pass only when more than half of them are achieved without a gap', () => {
    fc.assert(
      fc.property(fc.array(anyVote, { maxLength: 7 }), (votes) => {
        const yes = votes.filter(({ verdict, gaps }) => verdict === 'achieved' && gaps.length === 0).length;
        expect(tally(votes).type === 'achieved').toBe(yes > votes.length / 2);
      }),
    );
  });

  it('come to the same whatever their order, but for what is listed', () => {
    fc.assert(
      fc.property(fc.array(anyVote, { maxLength: 5 }), (votes) => {
        expect(tally(votes.toReversed()).type).toBe(tally(votes).type);
      }),
    );
  });
});
