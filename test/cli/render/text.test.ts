import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { clip, clipMiddle, flow, pad, plain, width, wrap } from '../../../src/cli/render/text.ts';

const HIDDEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]/u;

describe('plain', () => {
  test.each([
    ['leaves printable ASCII alone', 'a ~b\\x', 'a ~b\\x'],
    ['shows an escape sequence', '\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['shows a link (OSC 8)', '\x1b]8;;http://x\x07here', '\\x1b]8;;http://x\\x07here'],
    ['shows eight-bit controls', 'a\x9b31mb\x90', 'a\\x9b31mb\\x90'],
    ['shows a carriage return that would write over the line', 'evil\rgood', 'evil\\x0dgood'],
    ['makes line breaks and tabs blanks', 'a\nb\r\nc\td\u2028e', 'a b c d e'],
    ['makes odd blanks plain ones', 'a\u00a0b\u2009c', 'a b c'],
    ['shows an override of the direction', 'a\u202etxt.exe', 'a\\u202etxt.exe'],
    ['shows isolates and marks of direction', '\u2066a\u2069\u200f', '\\u2066a\\u2069\\u200f'],
    ['shows what takes no room', 'a\u200bb\u2060c\ufeffd\u00ade', 'a\\u200bb\\u2060c\\ufeffd\\xade'],
    ['shows text hidden in tag characters', 'x\u{e0041}', 'x\\u{e0041}'],
    ['shows text hidden in variation selectors', 'x\ufe01\u{e0100}', 'x\\ufe01\\u{e0100}'],
    ['shows other marks of format', 'a\ufff9b\u0600', 'a\\ufff9b\\u0600'],
    ['shows half a surrogate pair', 'x\ud83dy', 'x\\ud83dy'],
    ['keeps CJK and its blank', '漢字\u3000か', '漢字\u3000か'],
    ['keeps an emoji family', '👨‍👩‍👧‍👦!', '👨‍👩‍👧‍👦!'],
    ['keeps an emoji with its selector', '☺️1️⃣', '☺️1️⃣'],
    ['breaks up a chain of emoji longer than any', '👨‍👨‍👨‍👨‍👨', '👨‍👨‍👨‍👨\\u200d👨'],
    ['shows a joiner that joins nothing', 'a\u200db👩\u200d', 'a\\u200db👩\\u200d'],
    [
      'keeps combining marks, but not a pile',
      'a' + '\u0301'.repeat(6),
      'a' + '\u0301'.repeat(4) + '\\u0301\\u0301',
    ],
    ['gives a bare mark something to stand on', '\u0301x', '\u25cc\u0301x'],
  ])('%s', (_, text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  test('shows nothing but ASCII when asked to', () => {
    expect(plain('é 漢 👩 \u202e', true)).toBe('\\xe9 \\u6f22 \\u{1f469} \\u202e');
  });

  test('never lets a control or a hidden character through, and changes nothing twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = plain(text);
        expect(shown.replace(/\u200d(?=\p{Extended_Pictographic})/gu, '')).not.toMatch(HIDDEN);
        expect(plain(shown)).toBe(shown);
        expect(plain(text, true)).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });
});

describe('clip and pad', () => {
  test.each([
    ['hello', 5, 'hello'],
    ['hello', 4, 'hel…'],
    ['hello', 1, '…'],
    ['hello', 0, ''],
    ['hello', Infinity, 'hello'],
    ['ab cd', 4, 'ab…'],
    ['漢字漢字', 8, '漢字漢字'],
    ['漢字漢字', 7, '漢字漢…'],
    ['漢字漢字', 6, '漢字…'],
    ['漢字', 1, '…'],
    ['👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ])('cuts %s to %d columns', (text, columns, clipped) => {
    expect(clip(text, columns)).toBe(clipped);
  });

  test('cuts with dots where there is only ASCII', () => {
    expect([clip('hello', 4, true), clip('hello', 2, true), clip('hello', 5, true)]).toEqual([
      'h...',
      '..',
      'hello',
    ]);
  });

  test('never gets wider than the columns, keeps whole characters, pads to the column', () => {
    const units = fc.constantFrom('a', ' ', '漢', '👨‍👩‍👧', 'e\u0301', '🇩🇪', '1️⃣', 'ﬁ', '각');
    fc.assert(
      fc.property(fc.array(units), fc.integer({ min: 0, max: 20 }), (signs, columns) => {
        const text = signs.join('');
        const clipped = clip(text, columns);
        expect(stringWidth(clipped)).toBeLessThanOrEqual(columns);
        const kept = clipped.replace(/…$/, '');
        const starts = signs.map((_, i) => signs.slice(0, i).join('').trimEnd());
        expect([...starts, text.trimEnd()]).toContain(kept);
        expect(width(pad(clipped, columns))).toBe(columns);
      }),
    );
  });
});

test.each([
  ['feature-login-page', 11, 'featu…-page'],
  ['feature-login-page', 18, 'feature-login-page'],
  ['feature-login-page', 4, 'fea…'],
  ['漢字漢字漢字', 9, '漢字…漢字'],
])('clipMiddle keeps both ends of %s', (text, columns, clipped) => {
  expect(clipMiddle(text, columns)).toBe(clipped);
});

describe('wrap', () => {
  test.each([
    ['one two three', 7, 9, ['one two', 'three']],
    ["slug('  a  b ') is wrong", 9, 9, ["slug('  a", "b ') is", 'wrong']],
    ["slug('  a  b ') is", Infinity, 1, ["slug('  a  b ') is"]],
    ['  at  its  ends  ', 20, 9, ['at  its  ends']],
    ['one two three four', 7, 2, ['one two', 'three…']],
    ['abcdefgh ij', 4, 9, ['abcd', 'efgh', 'ij']],
    ['漢字漢字漢字', 5, 9, ['漢字', '漢字', '漢字']],
    ['漢字漢字漢字', 5, 2, ['漢字', '漢字…']],
    ['', 5, 9, []],
    ['  ', Infinity, 9, []],
  ])('%s in %d columns and %d lines', (text, columns, most, lines) => {
    expect(wrap(text, { columns, most, ascii: false })).toEqual(lines);
  });

  test('loses no sign and is never too wide', () => {
    const units = fc.constantFrom('a', 'b', ' ', '漢', 'e\u0301');
    fc.assert(
      fc.property(fc.array(units), fc.integer({ min: 2, max: 12 }), (signs, columns) => {
        const text = signs.join('');
        const lines = wrap(text, { columns, most: Infinity, ascii: false });
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  test('is fast on a word of a million signs', () => {
    expect(wrap('x'.repeat(1_000_000), { columns: 80, most: 3, ascii: false })).toHaveLength(3);
  });
});

test('flow fills lines with parts and breaks between them', () => {
  const flowed = flow(['one', 'two', 'three', 'a long one'], { columns: 9, separator: ' · ', ascii: false });
  expect(flowed).toEqual(['one · two', 'three', 'a long o…']);
});
