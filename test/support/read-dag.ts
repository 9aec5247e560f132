/**
 * Reads a drawing of a plan back: finds the boxes, then follows the lines out of each box to the arrowheads, as a
 * person would. Anything that does not add up throws: a loose end, a line nobody comes along, a bent crossing.
 */

import stringWidth from 'string-width';

type Direction = 'up' | 'down' | 'left' | 'right';

const OPPOSITE: Readonly<Record<Direction, Direction>> = {
  up: 'down',
  down: 'up',
  left: 'right',
  right: 'left',
};

const ARMS: Readonly<Record<string, readonly Direction[]>> = {
  '─': ['left', 'right'],
  '│': ['up', 'down'],
  '┌': ['down', 'right'],
  '┐': ['down', 'left'],
  '└': ['up', 'right'],
  '┘': ['up', 'left'],
  '├': ['up', 'down', 'right'],
  '┤': ['up', 'down', 'left'],
  '┬': ['down', 'left', 'right'],
  '┴': ['up', 'left', 'right'],
  '┼': ['up', 'down', 'left', 'right'],
};

interface Box {
  readonly name: string;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface ReadDag {
  readonly boxes: readonly string[];
  /** `from>to`, sorted. */
  readonly edges: readonly string[];
}

export function readDag(lines: readonly string[]): ReadDag {
  const grid = lines.map(cells);
  const boxes = findBoxes(grid);
  const seen = new Set<string>();
  const edges = new Set<string>();
  for (const box of boxes) {
    for (let x = box.left + 1; x < box.right; x++) {
      if (grid[box.bottom]?.[x] !== '┬') continue;
      for (const to of follow({ grid, boxes, seen, row: box.bottom + 1, x }))
        edges.add(`${box.name}>${to.name}`);
    }
  }
  grid.forEach((row, r) => {
    row.forEach((sign, x) => {
      if (sign === ' ' || boxes.some((box) => inside(box, r, x)) || seen.has(`${r},${x}`)) return;
      throw new Error(`nobody comes along ${sign} at row ${r}, column ${x}`);
    });
  });
  return { boxes: boxes.map(({ name }) => name), edges: [...edges].sort() };
}

/** One entry a column; the second column of a wide character is empty. */
function cells(line: string): readonly string[] {
  return [...new Intl.Segmenter().segment(line)].flatMap(({ segment }) =>
    stringWidth(segment) === 2 ? [segment, ''] : [segment],
  );
}

function findBoxes(grid: readonly (readonly string[])[]): readonly Box[] {
  const boxes: Box[] = [];
  grid.forEach((row, top) => {
    row.forEach((sign, left) => {
      if (sign !== '┌' || boxes.some((box) => inside(box, top, left))) return;
      let right = left + 1;
      while (row[right] === '─') right += 1;
      const walled = grid[top + 1]?.[left] === '│' && grid[top + 1]?.[right] === '│';
      if (row[right] !== '┐' || !walled) return;
      let bottom = top + 1;
      while (grid[bottom]?.[left] === '│') bottom += 1;
      // A lane may look like the top of a box; its lines do not close again.
      if (grid[bottom]?.[left] !== '└' || grid[bottom]?.[right] !== '┘') return;
      const text = (grid[top + 1] ?? []).slice(left + 1, right).join('');
      boxes.push({ name: text.trim().split(/\s+/)[1] ?? '', top, bottom, left, right });
    });
  });
  return boxes;
}

function inside(box: Box, row: number, x: number): boolean {
  return box.top <= row && row <= box.bottom && box.left <= x && x <= box.right;
}

interface Walk {
  readonly grid: readonly (readonly string[])[];
  readonly boxes: readonly Box[];
  readonly seen: Set<string>;
  readonly row: number;
  readonly x: number;
}

/** The boxes at which one arrives from under a box, going down at first, taking every turn of every joint. */
function follow({ grid, boxes, seen, row, x }: Walk): readonly Box[] {
  const found: Box[] = [];
  const walked = new Set<string>();
  const ways: { row: number; x: number; going: Direction }[] = [{ row, x, going: 'down' }];
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const place = `${way.row},${way.x},${way.going}`;
    if (walked.has(place)) continue;
    walked.add(place);
    seen.add(`${way.row},${way.x}`);
    const at = way;
    const source = boxes.find((box) => box.bottom === at.row && box.left < at.x && at.x < box.right);
    if (source !== undefined && at.going === 'up') continue;
    const sign = grid[at.row]?.[at.x] ?? ' ';
    if (sign === '▼' && at.going === 'down') {
      const target = boxes.find((box) => box.top === at.row + 1 && box.left < at.x && at.x < box.right);
      if (target === undefined) throw new Error(`an arrow into nothing at row ${at.row}, column ${at.x}`);
      found.push(target);
      continue;
    }
    for (const going of onward(sign, at)) ways.push({ ...step(at, going), going });
  }
  return found;
}

function onward(sign: string, at: { row: number; x: number; going: Direction }): readonly Direction[] {
  const sideways = at.going === 'left' || at.going === 'right';
  if (sign === '│' && sideways) return [at.going];
  const arms = ARMS[sign] ?? [];
  const back = OPPOSITE[at.going];
  if (!arms.includes(back))
    throw new Error(`a loose end at ${sign} row ${at.row}, column ${at.x}, going ${at.going}`);
  return arms.filter((arm) => arm !== back);
}

function step(at: { row: number; x: number }, going: Direction): { row: number; x: number } {
  const row = at.row + (going === 'down' ? 1 : going === 'up' ? -1 : 0);
  return { row, x: at.x + (going === 'right' ? 1 : going === 'left' ? -1 : 0) };
}
