import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Brief } from '../../../src/contract/goal.ts';
import { briefFromText, submitBriefTool } from '../../../src/engine/roles/brief.ts';

const signal = new AbortController().signal;

const ARGS = {
  criteria: [
    { text: ' tally a.txt prints 3 ', kind: 'gating' },
    { text: 'the README shows it', kind: 'evidence' },
  ],
  non_goals: ['--json'],
};

const BRIEF: Brief = {
  criteria: [
    { text: 'tally a.txt prints 3', gating: true },
    { text: 'the README shows it', gating: false },
  ],
  nonGoals: ['--json'],
};

async function called(args: unknown): Promise<{ taken: Brief[]; fault: string | null }> {
  const taken: Brief[] = [];
  const result = await submitBriefTool((brief) => taken.push(brief)).run(args, signal);
  return { taken, fault: result.ok ? null : result.fault.message };
}

function gating(count: number): object {
  return { criteria: Array.from({ length: count }, (_, i) => ({ text: `c${i}`, kind: 'gating' })) };
}

describe('a brief', () => {
  it('comes by the tool', async () => {
    expect(await called(ARGS)).toEqual({ taken: [BRIEF], fault: null });
  });

  it.each([1, 7])('may have %i criteria, and no non-goals', async (count) => {
    const { taken } = await called(gating(count));
    expect(taken[0]?.criteria).toHaveLength(count);
    expect(taken[0]?.nonGoals).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no criteria', gating(0), 'criteria'],
    ['eight criteria', gating(8), 'criteria'],
    [
      'nothing that is gating',
      { criteria: [{ text: 'a', kind: 'evidence' }] },
      'at least one criterion is gating',
    ],
    ['a blank criterion', { criteria: [{ text: ' ', kind: 'gating' }] }, 'criteria.0.text'],
    ['a kind nobody knows', { criteria: [{ text: 'a', kind: 'must' }] }, 'criteria.0.kind'],
    ['no object', [], 'submit_brief was not run'],
  ])('is refused with %s', async (_, args, reason) => {
    const { taken, fault } = await called(args);
    expect(taken).toEqual([]);
    expect(fault).toContain(reason);
    expect(briefFromText(JSON.stringify(args))).toBeNull();
  });

  it.each([
    ['alone', JSON.stringify(ARGS)],
    [
      'in a fence, with prose',
      `\uFEFFHere it is:\n\`\`\`json\n${JSON.stringify(ARGS, null, 2)}\n\`\`\`\nGood luck!`,
    ],
  ])('comes as text %s', (_, text) => {
    expect(briefFromText(text)).toEqual(BRIEF);
  });

  it.each([
    '',
    'Ready when you are',
    `${JSON.stringify(ARGS)} ${JSON.stringify(ARGS)}`,
    JSON.stringify(ARGS).slice(0, 60),
  ])('is null for %j', (text) => {
    expect(briefFromText(text)).toBeNull();
  });

  it('is null, not an error, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(briefFromText(text)).toBeNull();
      }),
    );
  });

  it('is bounded', async () => {
    const long = 'x'.repeat(1e6);
    const { taken } = await called({
      criteria: [{ text: long, kind: 'gating' }],
      non_goals: Array.from({ length: 500 }, () => long),
    });
    expect(JSON.stringify(taken).length).toBeLessThan(20_000);
  });
});
