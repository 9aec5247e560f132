/** What an agent's last words choose: recorded answers, and all others. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastChoice } from '../../src/flow/choice.ts';

interface Case {
  readonly id: string;
  readonly text: string;
  readonly expect: string | null;
  readonly labels: readonly string[];
  readonly matched: string | null;
}

const CASES = readFileSync(new URL('../cases/flow-choices.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('a choice', () => {
  it.each(CASES.map((one) => [one.id, one] as const))('is read as it was recorded: %s', (_, one) => {
    const choice = lastChoice(one.text);
    expect(choice).toBe(one.expect);
    expect(one.labels.find((label) => label === choice) ?? null).toBe(one.matched);
  });

  it('may hold what looks like a tag of another kind', () => {
    expect(lastChoice('<choice>x < 3</choice>')).toBe('x < 3');
  });

  it('of any label that is no tag itself is the label', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, label, after) => {
        fc.pre([before, label, after].every((text) => !text.includes('choice>')));
        expect(lastChoice(`${before}<choice> ${label.trim()}\n</choice>${after}`)).toBe(label.trim());
      }),
    );
  });

  it('is found in a megabyte of tags and blanks at once', () => {
    for (const text of ['<choice>', '</choice>', '<choice> </choice>', ' ', '<choice', '<']) {
      const start = performance.now();
      lastChoice(`<choice>${text.repeat(1_000_000 / text.length)}x</choice>`);
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  });
});
