/** What was measured against what was aimed at, as a table; and the numbers that stand for many. */

export interface Row {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  /** Null where there is no goal. */
  readonly met: boolean | null;
}

export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, goal, measured, met }) => [
    what,
    goal,
    met === null ? '' : met ? 'met' : 'NOT MET',
    measured,
  ]);
  const all = [['what', 'goal', '', 'measured: median [min–max]'], ...lines];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [a, b] = [sorted[middle - 1 + (sorted.length % 2)], sorted[middle]];
  return ((a ?? NaN) + (b ?? NaN)) / 2;
}

/** `2.10 [1.90–2.30]` */
export function spread(values: readonly number[], digits: number): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const shown = (value: number) => value.toFixed(digits);
  return `${shown(median(values))} [${shown(least)}–${shown(most)}]`;
}
