/**
 * Which processes a test has set going, found by a mark in their environment: the kernel keeps it for whatever they
 * start in turn, also for what has changed its group, its session or its parent. Needs /proc.
 */

import { readdirSync, readFileSync } from 'node:fs';

export const MARK = 'GOALGRAPH_RIG';

/** One process for ever: a pid alone is used again. */
export interface Proc {
  readonly pid: number;
  readonly startTime: string;
  readonly command: string;
}

/** All that live and bear the mark. What has ended and waits for its parent has no environment any more. */
export function bearersOfMark(mark: string): readonly Proc[] {
  const wanted = `${MARK}=${mark}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => read(`/proc/${name}/environ`).split('\0').includes(wanted))
    .flatMap((name) => {
      const startTime = startTimeOf(name);
      const command = read(`/proc/${name}/cmdline`).split('\0').join(' ').trim();
      return startTime === null ? [] : [{ pid: Number(name), startTime, command }];
    });
}

export function isAlive({ pid, startTime }: Proc): boolean {
  return startTimeOf(String(pid)) === startTime;
}

/** Null when it is gone, or dead and not reaped. */
function startTimeOf(pid: string): string | null {
  const text = read(`/proc/${pid}/stat`);
  // The second field, the name in parentheses, may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === undefined || state === '' || state === 'Z' || state === 'X' ? null : (fields[19] ?? null);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
