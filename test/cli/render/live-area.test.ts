import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LiveArea } from '../../../src/cli/render/live-area.ts';
import type { Terminal } from '../../support/terminal.ts';
import { clip } from '../../../src/cli/render/text.ts';
import { liveArea } from '../../../src/cli/render/live-area.ts';
import { terminal } from '../../support/terminal.ts';

function setUp(size: { columns: number; rows: number; reflows?: boolean }): {
  screen: Terminal;
  area: LiveArea;
} {
  const screen = terminal({ reflows: true, ...size });
  const reflows = size.reflows ?? true;
  return {
    screen,
    area: liveArea({ write: screen.write, columns: screen.columns, rows: screen.rows, reflows }),
  };
}

describe('the painter', () => {
  test('rewrites its lines in place, fewer or more', () => {
    const { screen, area } = setUp({ columns: 40, rows: 10 });
    screen.write('$ goalgraph run plan.md\r\n');
    area.paint(['one', 'two', 'three']);
    area.paint(['ONE']);
    expect(screen.text()).toEqual(['$ goalgraph run plan.md', 'ONE']);
    area.paint(['1', '2', '3', '4']);
    expect(screen.text()).toEqual(['$ goalgraph run plan.md', '1', '2', '3', '4']);
  });

  test('prints permanent lines above, long ones too', () => {
    const { screen, area } = setUp({ columns: 10, rows: 10 });
    area.paint(['one', 'two']);
    area.above('a line of more than ten columns');
    area.above('漢字漢字漢字\nand another');
    expect(screen.text()).toEqual([
      'a line of more than ten columns',
      '漢字漢字漢字',
      'and another',
      'one',
      'two',
    ]);
  });

  test('clears itself and gives the cursor back', () => {
    const { screen, area } = setUp({ columns: 40, rows: 10 });
    area.paint(['one', 'two']);
    expect(screen.cursorShown()).toBe(false);
    area.above('kept');
    area.clear();
    expect(screen.text()).toEqual(['kept']);
    expect(screen.cursorShown()).toBe(true);
    expect(screen.cursor()).toEqual({ row: 1, x: 0 });
    area.above('also kept');
    area.clear();
    expect(screen.text()).toEqual(['kept', 'also kept']);
  });

  test('writes nothing when there is nothing to clear', () => {
    const written: string[] = [];
    const area = liveArea({
      write: (text) => written.push(text),
      columns: () => 80,
      rows: () => 24,
      reflows: true,
    });
    area.clear();
    area.above('kept');
    expect(written).toEqual(['kept\r\n']);
  });

  test('writes each change in one piece', () => {
    const written: string[] = [];
    const area = liveArea({
      write: (text) => written.push(text),
      columns: () => 80,
      rows: () => 24,
      reflows: true,
    });
    area.paint(['one', 'two']);
    area.paint(['one', 'three']);
    area.above('kept');
    area.clear();
    expect(written).toHaveLength(4);
    expect(written[1]).toBe('\r\x1b[2A\x1b[?7l\x1b[Kone\r\n\x1b[Kthree\r\n\x1b[?7h\x1b[J');
  });

  test('never wraps, even where a terminal takes a line for wider than we do', () => {
    const { screen, area } = setUp({ columns: 10, rows: 10 });
    for (let i = 0; i < 3; i++) area.paint(['x'.repeat(14), 'two']);
    expect(screen.text()).toEqual(['x'.repeat(10), 'two']);
  });

  test('leaves a row for the cursor when there are more lines than rows', () => {
    const { screen, area } = setUp({ columns: 10, rows: 4 });
    for (let i = 0; i < 3; i++) area.paint(['1', '2', '3', '4', '5']);
    expect(screen.text()).toEqual(['1', '2', '3']);
  });

  test('finds its lines again when a narrower window has wrapped them', () => {
    const { screen, area } = setUp({ columns: 20, rows: 12 });
    area.above('kept');
    area.paint(['12345678901234567890', '漢字漢字漢字漢字漢字', 'short']);
    screen.resize(7, 12);
    area.paint(['now', 'this']);
    expect(screen.text()).toEqual(['kept', 'now', 'this']);
  });

  test('counts what was shown of a line too long, not all of it', () => {
    const { screen, area } = setUp({ columns: 10, rows: 12 });
    for (const line of ['kept', 'also kept', 'and this']) area.above(line);
    area.paint(['x'.repeat(40)]);
    screen.resize(9, 12);
    area.paint(['now']);
    expect(screen.text()).toEqual(['kept', 'also kept', 'and this', 'now']);
  });

  test('eats no line above where a narrower window cuts instead of wrapping', () => {
    const { screen, area } = setUp({ columns: 20, rows: 12, reflows: false });
    area.above('kept');
    area.paint(['12345678901234567890', 'short']);
    screen.resize(7, 12);
    area.paint(['now', 'this']);
    expect(screen.text()).toEqual(['kept', 'now', 'this']);
  });
});

type Step =
  | { readonly do: 'paint'; readonly lines: readonly string[] }
  | { readonly do: 'above'; readonly line: string }
  | { readonly do: 'resize'; readonly columns: number; readonly rows: number }
  | { readonly do: 'clear' };

const word = fc
  .array(fc.constantFrom('a', 'b', ' c', '漢', '\x1b[31mred\x1b[39m', '-'), { maxLength: 40 })
  .map((w) => w.join(''));
const short = fc.stringMatching(/^[a-z]{1,5}$/);

function steps(line: fc.Arbitrary<string>, least: number): fc.Arbitrary<readonly Step[]> {
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('paint' as const), lines: fc.array(word, { maxLength: 6 }) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('above' as const), line }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('resize' as const),
        columns: fc.integer({ min: least, max: 50 }),
        rows: fc.integer({ min: 30, max: 60 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
  );
  return fc.array(step, { maxLength: 25 });
}

function bare(line: string): string {
  return line.replace(/\x1b\[\d+m/g, '').trimEnd();
}

/** Plays the steps, and after each the screen must show all permanent lines and then the last lines painted. */
function play(script: readonly Step[], reflows: boolean): void {
  const { screen, area } = setUp({ columns: 40, rows: 40, reflows });
  const kept: string[] = [];
  let painted: readonly string[] = [];
  for (const step of script) {
    if (step.do === 'paint') {
      // Clipped as text: the words that hold colours are short enough to stay whole or be left out.
      painted = step.lines.map((line) =>
        bare(line).length > screen.columns() / 2 ? clip(bare(line), screen.columns()) : line,
      );
      area.paint(painted);
    } else if (step.do === 'above') {
      kept.push(bare(step.line));
      area.above(step.line);
    } else if (step.do === 'resize') {
      screen.resize(step.columns, step.rows);
      painted = painted.map((line) => clip(bare(line), screen.columns()));
      area.paint(painted);
    } else {
      area.clear();
      painted = [];
    }
    const expected = [...kept, ...painted.map(bare)];
    expect(screen.text()).toEqual(expected.slice(0, expected.findLastIndex((line) => line !== '') + 1));
    expect(screen.cursor().x).toBe(0);
  }
  area.clear();
  expect(screen.cursorShown()).toBe(true);
  expect(screen.text()).toEqual(kept.slice(0, kept.findLastIndex((line) => line !== '') + 1));
}

test('after any steps the screen shows what was kept and the last lines, where windows wrap', () => {
  fc.assert(
    fc.property(steps(word, 8), (script) => play(script, true)),
    { numRuns: 300 },
  );
});

test('after any steps the screen shows what was kept and the last lines, where windows cut', () => {
  fc.assert(
    fc.property(steps(short, 8), (script) => play(script, false)),
    { numRuns: 300 },
  );
});

test('in a window lower than the area its lines stay the last ones, and nothing kept is lost', () => {
  const { screen, area } = setUp({ columns: 20, rows: 12 });
  for (const line of ['a', 'b', 'c']) area.above(line);
  area.paint(['1', '2', '3', '4', '5', '6']);
  screen.resize(20, 4);
  area.paint(['1', '2', '3', '4', '5', '6']);
  expect(screen.visible()).toEqual(['1', '2', '3', '']);
  area.above('d');
  expect(screen.visible()).toEqual(['1', '2', '3', '']);
  expect(screen.text()).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']) as unknown);
});
