import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gap } from '../../src/contract/goal.ts';
import { gapPrint } from '../../src/graph/gap-print.ts';

function gap(text: string, from: Gap['from'] = 'check'): Gap {
  return { from, text };
}

function print(...texts: string[]): string {
  return gapPrint(texts.map((text) => gap(text)));
}

describe('the fingerprint of gaps', () => {
  it.each([
    ['numbers', '3 of 12 tests fail', '4 of 17 tests fail'],
    ['durations and their units', 'failed in 980ms', 'failed in 1.2 s'],
    ['times of day', '[2026-11-30T17:29:01.123Z] error', '[2026-12-01T03:00:59.9Z] error'],
    ['hashes', 'tree 9fceb02d0ae598e95dc970b74767f19372d61af8 differs', 'tree 1b2c3d4e5f differs'],
    ['ids', 'job 0f8fad5b-d9cb-469f-a165-70867728950e', 'job 7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    ['addresses', 'at 0x7ffd', 'at 0x1'],
    ['line numbers of paths', 'src/a.ts:12:5 is wrong', 'src/a.ts:99 is wrong'],
    ['line numbers that are missing', 'src/a.ts:12 is wrong', 'src/a.ts is wrong'],
    ['temporary folders', 'no file /tmp/xK3fa/out.txt', 'no file /tmp/yyZ/out.txt'],
    ['case', 'The Parser FAILS', 'the parser fails'],
    ['blanks', '  the\tparser   fails ', 'the parser fails'],
    ['line ends', 'a\r\nb\r\n\r\n', 'a\nb'],
    ['bullets and full stops', '- it fails.', 'it fails'],
    ['the order of lines', 'one fails\ntwo fails', 'two fails\none fails'],
  ])('ignores %s', (_, a, b) => {
    expect(print(a)).toBe(print(b));
  });

  it('ignores the order of gaps, and what is said twice', () => {
    expect(print('a is missing', 'b is wrong')).toBe(print('b is wrong', 'a is missing', 'A is missing.'));
  });

  it.each([
    ['another file', 'src/a.ts is wrong', 'src/b.ts is wrong'],
    ['another word', 'the parser fails', 'the printer fails'],
    ['one gap more', 'a fails', 'a fails\nb fails'],
    ['words made of hex letters', 'defaced', 'effaced'],
  ])('tells %s apart', (_, a, b) => {
    expect(print(a)).not.toBe(print(b));
  });

  it('is empty when there is nothing that could come back', () => {
    expect(print()).toBe('');
    expect(print(' \n ')).toBe('');
  });

  it('has 16 hex digits and takes little time, whatever the size', () => {
    for (const text of ['#'.repeat(1e6), 'a:1 '.repeat(1e6), '\n1'.repeat(1e6), `${'1 '.repeat(1e6)}x`]) {
      expect(print(`x${text}`)).toMatch(/^[0-9a-f]{16}$/);
    }
    expect(gapPrint(Array.from({ length: 10_000 }, (_, i) => gap(`gap ${'x'.repeat(i % 50)}`)))).toMatch(
      /^[0-9a-f]{16}$/,
    );
  });

  it('is the same for the same gaps, whoever says them', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const shuffled = texts.toReversed().map((text) => gap(text.toUpperCase().toLowerCase(), 'skeptic'));
        expect(gapPrint(shuffled)).toBe(gapPrint(texts.map((text) => gap(text.toUpperCase().toLowerCase()))));
      }),
    );
  });
});
