/** A workspace with a run in its store, and a context that keeps what a command writes. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import picocolors from 'picocolors';
import type { Context } from '../../../src/cli/context.ts';
import type { Output } from '../../../src/cli/output.ts';
import { withSession } from '../../../src/cli/session.ts';
import { ok } from '../../../src/contract/fault.ts';
import type { StoredEvent } from '../../../src/contract/ports.ts';

export async function workspaceOf(
  folder: string,
  name: string,
  events: readonly StoredEvent[],
): Promise<string> {
  const workspace = join(folder, name);
  mkdirSync(workspace, { recursive: true });
  const done = await withSession({ workspace, create: true }, async ({ store }) => {
    const owner = store.lease.take('r1');
    if (!owner.ok) return owner;
    const stored = await store.log.append({
      run: 'r1',
      expected: 0,
      events: events.map(({ event }) => event),
    });
    if (!stored.ok) return stored;
    store.lease.release();
    return ok(null);
  });
  if (!done.ok) throw new Error(done.fault.message);
  return workspace;
}

export function contextOf(dir: string, more: Partial<Context> = {}, screen: Partial<Output> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const written: string[] = [];
  const output: Output = {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    write: (text) => written.push(String(text)),
    palette: picocolors.createColors(false),
    columns: () => Infinity,
    rows: () => 24,
    ascii: false,
    isTerminal: false,
    reflows: true,
    ...screen,
  };
  const context: Context = { dir, run: null, json: false, output, ...more };
  return { context, lines: () => out, said: () => err.join('\n'), written: () => written.join('') };
}
