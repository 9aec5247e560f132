/** What comes from a keyboard, and how the line stands on the screen. */

import fc from 'fast-check';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { terminalInput } from '../../../src/cli/shell/input.ts';
import { linesOf } from '../../../src/cli/shell/lines.ts';
import { MAX_LINE } from '../../../src/cli/shell/parse.ts';
import { promptRows } from '../../../src/cli/shell/prompt.ts';
import { width } from '../../../src/cli/render/text.ts';

function recorder() {
  const got: string[] = [];
  let length = 0;
  const take = terminalInput({
    insert: (text) => {
      got.push(`+${text}`);
      length += text.length;
    },
    keys: (text) => got.push(text),
    length: () => length,
  });
  return { got, type: (text: string | Buffer) => take(Buffer.from(text)) };
}

describe('what a terminal sends', () => {
  it('goes on as keys when it is keys', () => {
    const { got, type } = recorder();
    for (const key of ['a', '\x1b[A', '\r', '\x03']) type(key);
    expect(got).toEqual(['a', '\x1b[A', '\r', '\x03']);
  });

  it('is inserted in one piece when it is text, with Enter where it was', () => {
    const { got, type } = recorder();
    type('stop\r/runs\r');
    expect(got).toEqual(['+stop', '\r', '+/runs', '\r']);
  });

  it('stays one line when it was pasted, and its escapes are text', () => {
    const { got, type } = recorder();
    type('\x1b[200~first\r\nstop\nlast\x1b[31m\x1b[201~x');
    expect(got).toEqual(['+first stop last\x1b[31m', 'x']);
  });

  it('is understood when the mark of a paste is cut in two', () => {
    const { got, type } = recorder();
    type('\x1b[20');
    type('0~a\nb\x1b[2');
    type('01~');
    expect(got.join('')).toBe('+a b');
  });

  it('is cut where the line is too long to be taken, so that it is refused and nothing hangs', () => {
    const { got, type } = recorder();
    type('x'.repeat(1_000_000));
    type('\r');
    expect(got[0]).toHaveLength(1 + MAX_LINE + 1);
    expect(got.at(-1)).toBe('\r');
  });

  it('keeps characters together that come in two pieces', () => {
    const { got, type } = recorder();
    const bytes = Buffer.from('é');
    type(bytes.subarray(0, 1));
    type(bytes.subarray(1));
    expect(got.join('')).toBe('é');
  });

  it('is never an escape of many characters', () => {
    const { got, type } = recorder();
    type(`\x1b[${'1;'.repeat(500)}m`);
    expect(got.join('')).not.toContain('\x1b');
  });
});

const screen = { columns: 20, rows: 5, ascii: false, palette: picocolors.createColors(false) };
const bare = (rows: readonly string[]) => rows.map((row) => row.replaceAll(/\x1b\[\d+m/g, ''));

describe('the prompt', () => {
  it('shows the cursor in the line, and at its end', () => {
    expect(promptRows('abc', 1, screen)).toEqual(['> a\x1b[7mb\x1b[27mc']);
    expect(promptRows('abc', 3, screen)).toEqual(['> abc\x1b[7m \x1b[27m']);
  });

  it('wraps at the edge, wide signs whole', () => {
    expect(bare(promptRows('x'.repeat(25), 25, screen))).toEqual([
      `> ${'x'.repeat(18)}`,
      `${'x'.repeat(7)} `,
    ]);
    expect(bare(promptRows('漢'.repeat(10), 10, screen))).toEqual([`> ${'漢'.repeat(9)}`, '漢 ']);
  });

  it('shows the rows around the cursor of a line that is too long', () => {
    const rows = promptRows(`start${'x'.repeat(400)}`, 405, screen);
    expect(rows).toHaveLength(5);
    expect(rows.at(-1)).toContain('\x1b[7m');
    expect(bare(promptRows(`start${'x'.repeat(400)}`, 0, screen))[0]).toContain('> start');
  });

  it('never is wider or longer than its room, and shows nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 120 }),
        fc.nat(),
        fc.integer({ min: 4, max: 40 }),
        (line, at, columns) => {
          const rows = bare(promptRows(line, at % (line.length + 1), { ...screen, columns }));
          expect(rows.length).toBeLessThanOrEqual(5);
          for (const row of rows) {
            expect(width(row)).toBeLessThanOrEqual(columns);
            expect(row).not.toMatch(/\p{Cc}/u);
          }
        },
      ),
    );
  });
});

describe('lines of a stream', () => {
  const read = async (...chunks: readonly Buffer[]) => {
    const lines: string[] = [];
    async function* stream() {
      yield* chunks;
      await Promise.resolve();
    }
    for await (const line of linesOf(stream())) lines.push(line);
    return lines;
  };

  it('come whole, with and without a last line break', async () => {
    expect(await read(Buffer.from('a\r\nb'), Buffer.from('c\n\nd'))).toEqual(['a', 'bc', '', 'd']);
  });

  it('are not kept beyond what can be refused', async () => {
    const [long = '', next] = await read(Buffer.alloc(3_000_000, 'x'), Buffer.from('\nnext'));
    expect(long).toHaveLength(MAX_LINE + 1);
    expect(next).toBe('next');
  });

  it('show where they are no UTF-8', async () => {
    expect(await read(Buffer.from([0x61, 0xff, 0x0a]))).toEqual(['a\ufffd']);
  });
});
