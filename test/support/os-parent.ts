/** Runs in a process of its own, as the goalgraph that dies, or as an ordinary user's. */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ok } from '../../src/contract/fault.ts';
import type { ChildRow } from '../../src/contract/ports.ts';
import { endLeftovers } from '../../src/os/leftovers.ts';
import { makeRunner } from '../../src/os/runner.ts';

/** For `end`, the rows in the place of the folder. */
const [mode = '', folder = '', command = ''] = process.argv.slice(2);

let rows: readonly ChildRow[] = [];

const runner = makeRunner({
  workspace: folder,
  stateDir: join(folder, '.state'),
  run: 'r1',
  env: process.env,
  children: {
    record(row) {
      rows = [...rows, row];
      writeFileSync(join(folder, 'row'), `${JSON.stringify(row)}\n`);
      // Dies between the record and the go: nothing may run then.
      if (mode === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      return ok(null);
    },
    forget(token) {
      rows = rows.filter((row) => row.token !== token);
    },
    all: () => ok(rows),
  },
  putBlob: () => Promise.resolve(ok('address')),
});

if (mode === 'end') {
  print(await endLeftovers(JSON.parse(folder) as ChildRow[], 100));
} else if (mode === 'leave') {
  // What a crash leaves behind, and its end, by the same user.
  void runner.run({ key: 'k', command, timeout: 60_000 }, new AbortController().signal);
  await untilWritten(join(folder, 'ready'));
  print(await endLeftovers(rows));
} else {
  print(await runner.run({ key: 'k', command, timeout: 60_000 }, new AbortController().signal));
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function untilWritten(file: string): Promise<void> {
  while (!existsSync(file)) await delay(5);
}
