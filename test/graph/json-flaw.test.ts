import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFlaw } from '../../src/graph/json-flaw.ts';

describe('jsonFlaw', () => {
  it.each([
    ['', 0, 'it is empty'],
    ['   ', 3, 'it is empty'],
    ['{"a": 1', 7, 'it ends in the middle, 1 bracket open'],
    ['[{"a": [1', 9, 'it ends in the middle, 3 brackets open'],
    ['{"a": 1,}', 8, 'there is a comma before }'],
    ['[1,\n ]', 5, 'there is a comma before ]'],
    ["{'a': 1}", 1, 'single quote'],
    ['{"a": \'x\'}', 6, 'single quote'],
    ['{a: 1}', 1, '"a: 1}" where a key in double quotes should be'],
    ['{"a" 1}', 5, 'a colon after the key'],
    ['{"a": 1 "b": 2}', 8, 'a comma or }'],
    ['[1 2]', 3, 'a comma or ]'],
    ['[1,,2]', 3, 'a value'],
    ['[,1]', 1, 'a value'],
    ['{,}', 1, 'a key'],
    ['{"a": }', 6, 'a value'],
    ['[1}', 2, 'a comma or ]'],
    ['{} {}', 3, 'nothing more'],
    ['{} // done', 3, 'comment'],
    ['{"a": NaN}', 6, 'a value'],
    ['{"a": 01}', 6, 'a value'],
    ['{"a": +1}', 6, 'a value'],
    ['{"a": .5}', 6, 'a value'],
    ['{"a": 1.}', 6, 'a value'],
    ['{"a": True}', 6, 'a value'],
    ['{"a": truex}', 6, 'a value'],
    ['{"a": "b', 6, 'never closed'],
    ['{"a": "b\nc"}', 8, 'line break inside a text'],
    ['{"a": "b\tc"}', 8, 'control character'],
    ['{"a": "\\x"}', 7, 'a backslash that escapes nothing'],
    ['{"a": "\\u12"}', 7, 'a backslash that escapes nothing'],
    ['\u00a0{}', 0, 'a value'],
  ])('of %j is at %i: %s', (text, at, why) => {
    const flaw = jsonFlaw(text);
    expect(flaw?.at).toBe(at);
    expect(flaw?.why).toContain(why);
  });

  it.each([
    '{}',
    '[]',
    ' [1, -2.5e+10, 0, "a\\u00e9\\n\\"", true, false, null, {"": [[]]}] \n',
    '""',
    '0',
    'null',
  ])('of %j is none', (text) => {
    expect(jsonFlaw(text)).toBeNull();
  });

  it('is there exactly when JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '1',
        '-',
        '0',
        '.',
        'e5',
        'true',
        'null',
        ' ',
        '\n',
        '\\',
        "'",
        '/',
      ],
    );
    const texts = fc.oneof(
      fc.json(),
      fc.tuple(fc.json(), fc.nat(), pieces).map(([text, at, piece]) => spliced(text, at, piece)),
      fc.tuple(fc.json(), fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(jsonFlaw(text) === null).toBe(parses(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('manages deep nesting and long texts', () => {
    expect(jsonFlaw('['.repeat(200_000))?.why).toContain('200000 brackets open');
    expect(jsonFlaw(`"${'\\n'.repeat(200_000)}"`)).toBeNull();
  });
});

function spliced(text: string, at: number, piece: string): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + piece + text.slice(place);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
