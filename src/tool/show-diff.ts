import { shortLine } from './text.ts';

const CONTEXT = 3;
const MOST_LINES = 80;

/** The one stretch of lines in which two texts differ, with what stands around it. */
export function showDiff(before: string, after: string): string {
  const a = before.split('\n');
  const b = after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const from = Math.max(0, head - CONTEXT);
  const lines = [
    ...a.slice(from, head).map((line) => ` ${line}`),
    ...a.slice(head, a.length - tail).map((line) => `-${line}`),
    ...b.slice(head, b.length - tail).map((line) => `+${line}`),
    ...a.slice(a.length - tail, a.length - tail + CONTEXT).map((line) => ` ${line}`),
  ];
  return [
    `@@ line ${from + 1} @@`,
    ...cut(lines).map((line) => shortLine(line.replace(/\r$/, ''), 400)),
  ].join('\n');
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  const half = MOST_LINES / 2;
  const left = lines.length - 2 * half;
  return [...lines.slice(0, half), `[${left} lines of the diff are left out]`, ...lines.slice(-half)];
}
