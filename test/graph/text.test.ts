import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOver, oneLine, tidy } from '../../src/graph/text.ts';

describe('tidy', () => {
  it.each([
    ['', ''],
    [' \n\t\n ', ''],
    ['a', 'a'],
    ['\n\n  a\n b  \n\n', '  a\n b'],
    ['  a', '  a'],
  ])('of %j is %j', (text, tidied) => {
    expect(tidy(text)).toBe(tidied);
  });

  it('loses no letter and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t') }), (text) => {
        expect(tidy(text).trim()).toBe(text.trim());
        expect(tidy(tidy(text))).toBe(tidy(text));
      }),
    );
  });
});

describe('oneLine', () => {
  it.each([
    ['  a  b\n\tc ', 'a b c'],
    ['a b', 'a b'],
    ['a\u00a0b', 'a b'],
    ['a\nb', 'a b'],
  ])('of %j is %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });
});

describe('isOver', () => {
  it.each([
    ['abc', 3, false],
    ['abcd', 3, true],
    ['𝄞𝄞𝄞', 3, false],
    ['𝄞𝄞𝄞𝄞', 3, true],
    ['𝄞𝄞aa', 3, true],
  ])('%j, %i: %s', (text, cap, over) => {
    expect(isOver(text, cap)).toBe(over);
  });
});
