/**
 * A clock that a test moves by hand, for processes of the built command line: their dates and their timers of a second
 * and more go by what the test has written into a file, and all that is shorter goes by the real clock.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './os.ts';
import type { Rig } from './rig.ts';

const SCRIPT = `
delete process.env.NODE_OPTIONS;
const fs = require('node:fs');
const RealDate = Date;
let offset = 0;
const look = () => {
  const seen = Number(fs.readFileSync(FILE, 'utf8'));
  if (seen === offset) return;
  offset = seen;
  fs.writeFileSync(SEEN, String(offset));
};
look();
setInterval(look, 5).unref();
const now = () => RealDate.now() + offset;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};
const later = globalThis.setTimeout;
globalThis.setTimeout = (call, ms = 0, ...args) => {
  if (!(ms >= 1000)) return later(call, ms, ...args);
  const due = now() + ms;
  const timer = setInterval(() => {
    if (now() < due) return;
    clearInterval(timer);
    call(...args);
  }, 10);
  return timer;
};
`;

export interface RigClock {
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch, as its processes see it. */
  now(): number;
  /** Moves on, and waits until a process that is running has seen it. */
  move(ms: number): Promise<void>;
}

export function rigClock(rig: Rig): RigClock {
  const [script, file, seen] = ['clock.cjs', 'clock', 'clock.seen'].map((name) => join(rig.root, name)) as [
    string,
    string,
    string,
  ];
  let offset = 0;
  writeFileSync(file, '0');
  writeFileSync(script, SCRIPT.replace('FILE', JSON.stringify(file)).replace('SEEN', JSON.stringify(seen)));
  return {
    env: { NODE_OPTIONS: `--require=${script}` },
    now: () => Date.now() + offset,
    async move(ms) {
      offset += ms;
      writeFileSync(file, String(offset));
      await until('the clock is seen to have moved', () => {
        return existsSync(seen) && readFileSync(seen, 'utf8') === String(offset);
      });
    },
  };
}
