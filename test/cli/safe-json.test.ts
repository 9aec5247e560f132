import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeJson } from '../../src/cli/safe-json.ts';

describe('JSON on standard output', () => {
  it('says the same as any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(safeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('holds nothing that drives a terminal or turns its text around', () => {
    const text = safeJson({ title: '\u009b31m \u001b[2J \u202e evil \u007f' });
    expect(text).toBe('{"title":"\\u009b31m \\u001b[2J \\u202e evil \\u007f"}');
  });
});
