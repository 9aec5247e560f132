/** `resume` and `approve` of a run with models, where nothing is left to do: no server is asked, and none need be there. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picocolors from 'picocolors';
import type { Request } from '../../../src/contract/request.ts';
import { NOTHING_ADDED } from '../../../src/contract/request.ts';
import { ok } from '../../../src/contract/fault.ts';
import { control } from '../../../src/cli/commands/control.ts';
import { withSession } from '../../../src/cli/session.ts';
import { modelRun, type ModelRun } from '../../support/model-runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'goalgraph-test-'));
const state = mkdtempSync(join(tmpdir(), 'goalgraph-test-'));
beforeAll(() => void vi.stubEnv('XDG_STATE_HOME', state));
afterAll(() => {
  vi.unstubAllEnvs();
  [folder, state].forEach((each) => rmSync(each, { recursive: true }));
});

/** Nobody listens there. */
const models = { worker: 'own', verifier: 'own', baseUrl: 'http://127.0.0.1:1/v1' };

async function stored(run: ModelRun): Promise<void> {
  const place = { workspace: folder, create: true, drives: { trust: false } };
  const done = await withSession(place, async ({ store }) => {
    const owner = store.lease.take('r1');
    if (!owner.ok) return owner;
    const appended = await store.log.append({ run: 'r1', expected: 0, events: run.events() });
    store.lease.release();
    return appended.ok ? ok(null) : appended;
  });
  if (!done.ok) throw new Error(done.fault.message);
}

async function asked(request: Request): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const output = {
    out: (text: string) => said.push(text),
    err: (text: string) => said.push(text),
    write: () => undefined,
    palette: picocolors.createColors(false),
    columns: () => Infinity,
    rows: () => 24,
    ascii: false,
    isTerminal: false,
    reflows: true,
  };
  const code = await control({ dir: folder, run: null, json: false, output }, request);
  return { code, said: said.join('\n') };
}

test('a run that was given up is not resumed, and no server is looked for', async () => {
  const run = modelRun([{ slug: 'a' }], { models });
  run.pause();
  run.step({ type: 'run.cleared', at: 9_000 });
  await stored(run);
  const resumed = await asked({ type: 'resume', add: NOTHING_ADDED, concurrency: null, models: null });
  expect(resumed).toEqual({ code: 2, said: expect.stringContaining('the run is cleared') as string });
  const approved = await asked({ type: 'approve' });
  expect(approved).toEqual({ code: 2, said: expect.stringContaining('the run is cleared') as string });
});
