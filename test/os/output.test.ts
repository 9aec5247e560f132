import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectOutput } from '../../src/os/output.ts';
import { lastLines, visible } from '../../src/os/tail.ts';

describe('the collector', () => {
  it('keeps everything up to the cap, whatever the pieces', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 40 }));
    fc.assert(
      fc.property(pieces, fc.nat(60), (parts, head) => {
        const all = Buffer.concat(parts);
        const output = collectOutput({ head, tail: Math.max(0, all.length - head) });
        for (const part of parts) output.add(part);
        expect(output.count()).toBe(all.length);
        expect(output.kept().equals(all)).toBe(true);
      }),
    );
  });

  it('keeps whole lines of the beginning and of the end beyond it, and says what it left out', () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 });
    fc.assert(
      fc.property(
        pieces,
        fc.integer({ min: 30, max: 200 }),
        fc.integer({ min: 30, max: 200 }),
        (sizes, head, tail) => {
          const all = Buffer.from(Array.from({ length: 200 }, (_, i) => `line ${i}\n`).join(''));
          const output = collectOutput({ head, tail });
          for (let at = 0, i = 0; at < all.length; i++) {
            const size = sizes[i % sizes.length] ?? 1;
            output.add(all.subarray(at, at + size));
            at += size;
          }
          const [, before = '', left = '', after = ''] =
            /^([^[]*)\[(\d+) bytes left out here\]\n([^]*)$/.exec(output.kept().toString()) ?? [];
          expect(before.length + Number(left) + after.length).toBe(all.length);
          expect(all.toString().startsWith(before)).toBe(true);
          expect(all.toString().endsWith(after)).toBe(true);
          expect(before).toMatch(/^line 0\n([^]*\n)?$/);
          expect(after).toMatch(/^line \d+\n[^]*line 199\n$/);
          expect(before.length).toBeGreaterThan(head - 9);
          expect(after.length).toBeGreaterThanOrEqual(tail - 9);
        },
      ),
    );
  });

  it('cuts a line without end between words, so that no half of a key stays', () => {
    const output = collectOutput({ head: 50, tail: 50 });
    output.add(Buffer.from(`${'"word",'.repeat(6)}"sk-SECRET0SECRET0SECRET0SECRET0"${',"word"'.repeat(6)}`));
    const text = output.kept().toString();
    expect(text).toMatch(/^"word","word","word","word","word","word","\n\[\d+ bytes left out here\]\n/);
    expect(text).not.toContain('SECRET');
  });

  it('keeps bytes without any place to cut', () => {
    const output = collectOutput({ head: 4, tail: 4 });
    output.add(Buffer.alloc(100, 'x'));
    expect(output.kept().toString()).toBe('xxxx\n[92 bytes left out here]\nxxxx');
  });

  it('copies what it keeps', () => {
    const output = collectOutput({ head: 2, tail: 2 });
    const bytes = Buffer.from('abcd');
    output.add(bytes);
    bytes.fill('-');
    expect(output.kept().toString()).toBe('abcd');
  });
});

describe('the last lines', () => {
  it.each([
    ['nothing', '', ''],
    ['a line', 'one\n', 'one'],
    ['tabs and line breaks stay', 'a\tb\nc\r\nd\n\n', 'a\tb\nc\nd'],
    [
      'what a terminal obeys is spelled out',
      'a\0b\x1b[31mc\rd\x7f\u009b\u202e',
      'a\\x00b\\x1b[31mc\\x0dd\\x7f\\x9b\\u202e',
    ],
    ['other scripts stay', 'naïve 文件 🎉', 'naïve 文件 🎉'],
  ])('%s', (_, text, expected) => {
    expect(lastLines(Buffer.from(text))).toBe(expected);
  });

  it('of more than fits: whole lines, the last ones', () => {
    const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i}`);
    const text = lastLines(Buffer.from(lines.join('\n')));
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text.length).toBeGreaterThan(1_980);
    expect(lines.join('\n').endsWith(`\n${text}`)).toBe(true);
  });

  it('of one line that does not fit: its end', () => {
    expect(lastLines(Buffer.from('x'.repeat(3_000)))).toBe(`…${'x'.repeat(1_999)}`);
    expect(lastLines(Buffer.from(`${'x'.repeat(3_000)}\nthe end\n`))).toMatch(/^…x+\nthe end$/);
  });

  it('are valid, bounded text whatever the bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, fc.integer({ min: 2, max: 60 }), (some, max) => {
        const text = lastLines(some, max);
        expect(text.length).toBeLessThanOrEqual(max);
        expect(Buffer.from(text).toString()).toBe(text);
        expect(visible(text)).toBe(text);
      }),
    );
  });

  it('do not begin in the middle of a character', () => {
    for (let length = 1; length < 60; length++) {
      const text = lastLines(Buffer.from('🎉文é'.repeat(length)), 20);
      expect('…🎉文é').toContain(text[0] === '…' ? '…' : '🎉文é');
      expect(text).not.toContain('\ufffd');
    }
  });
});
