import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bullets, fenced, inline } from '../../../src/engine/prompts/fence.ts';
import { outsideFences } from './outside-fences.ts';

/** Pieces that fences are made of, and what they are not. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '`',
        '```',
        '````text',
        '~~~',
        '\n',
        '\r',
        '\r\n',
        ' ',
        '   ```',
        '> ```',
        'END',
        '\u2028',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.nat({ max: 60 }).map((n) => '`'.repeat(n)),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('a fence', () => {
  it('is never closed by what it holds', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 10, max: 400 }), (text, max) => {
        const out = `before\n${fenced('It says', text, { max })}\nafter`;
        const outside = outsideFences(out);
        expect(outside[0]).toBe('before');
        expect(outside.at(-1)).toBe('after');
        expect(outside).toHaveLength(3);
        expect(outside[1]).toMatch(
          /^It says(?: \(too long: \d+ characters from its start and \d+ from its end\))?: ?(?:\(empty\))?$/,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('holds the text as it is when nothing is wrong with it', () => {
    expect(fenced('Code', 'a\n\n```js\nb\tc\n```\n', { max: 100 })).toBe(
      'Code:\n````text\na\n\n```js\nb\tc\n```\n````',
    );
  });

  it('shows head and tail of what is too long, and says so outside', () => {
    const out = fenced('Log', `${'a'.repeat(500)}\n${'b'.repeat(500)}`, { max: 100, tail: 0.75 });
    expect(out).toContain('Log (too long: 25 characters from its start and 75 from its end):');
    expect(out).toContain(
      `${'a'.repeat(25)}\n[… cut here: the text has 1001 characters, its middle is not shown …]\n${'b'.repeat(75)}`,
    );
  });

  it('keeps to its bound for 10 MB of anything', () => {
    for (const unit of ['`', 'a', '\0', '\u{e0041}', '\ud800', '\n', '```\n', '\u202e']) {
      const out = fenced('Log', unit.repeat(Math.ceil(1e7 / unit.length)), { max: 1_000 });
      expect(out.length).toBeLessThan(1_400);
    }
  });

  it.each([
    ['escape sequences', '\u001b[2Jx', '\\x1b[2Jx'],
    ['a lone carriage return', 'a\rb', 'a\\x0db'],
    ['other line ends', 'a\u2028b\u0085c', 'a\\u2028b\\x85c'],
    ['turned text', 'a\u202eb', 'a\\u202eb'],
    ['blanks without width', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['hidden tags', 'a\u{e0041}', 'a\\u{e0041}'],
    ['half characters', 'a\ud800b', 'a\\ud800b'],
  ])('shows %s', (_, text, shown) => {
    expect(fenced('T', text, { max: 100 })).toBe(`T:\n\`\`\`text\n${shown}\n\`\`\``);
  });

  it('leaves letters of every language and joined emoji alone', () => {
    const text = 'naïve 文件 👩‍👩‍👧 क्‍ष';
    expect(fenced('T', text, { max: 100 })).toContain(text);
  });

  it('cuts no character in two', () => {
    for (let max = 10; max < 20; max += 1) {
      expect(fenced('T', '👍'.repeat(50), { max })).not.toMatch(/\p{Surrogate}/u);
    }
  });
});

describe('a name in a sentence', () => {
  it('stays on its line, in quotes, and short', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = inline(text, 40);
        expect(shown).toMatch(/^"[^\n\r]*"$/);
        expect(shown.length).toBeLessThan(300);
      }),
    );
  });
});

describe('a list', () => {
  it('has one line for each item and counts what it leaves out', () => {
    expect(bullets(['a\nb', 'c'.repeat(50), 'd', 'e'], { items: 3, each: 10 })).toBe(
      `- a / b\n- ${'c'.repeat(10)}… (cut)\n- d\n- … and 1 more that are not listed`,
    );
  });
});
