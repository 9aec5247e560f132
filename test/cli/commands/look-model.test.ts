/** `log status show export` of a run on which models work, over a real store. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picocolors from 'picocolors';
import type { RunEvent } from '../../../src/contract/event.ts';
import { ok } from '../../../src/contract/fault.ts';
import type { Message } from '../../../src/contract/model.ts';
import type { Context } from '../../../src/cli/context.ts';
import { log } from '../../../src/cli/commands/log.ts';
import { exportRun, show, status } from '../../../src/cli/commands/look.ts';
import { withSession } from '../../../src/cli/session.ts';
import { modelRun, planningRun, report, type ModelRun } from '../../support/model-runs.ts';
import { talk } from '../../support/model-scenes.ts';
import { nodeId } from '../../../src/contract/ids.ts';

const folder = mkdtempSync(join(tmpdir(), 'goalgraph-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ASKED: readonly Message[] = [
  { role: 'system', text: 'You are a worker.' },
  { role: 'user', text: Array.from({ length: 9 }, (_, i) => `asked ${i + 1}`).join('\n') },
];
const SAID: readonly Message[] = [
  {
    role: 'assistant',
    text: 'I read the file\x1b[2J.',
    reasoning: null,
    calls: [{ id: '1', name: 'read', args: '{"path":"a.ts"}', flaw: null, extra: null }],
  },
];
const RESULT: readonly Message[] = [{ role: 'tool', call: '1', text: 'const a = 1;' }];

const NOT_KEPT = '0'.repeat(64);

const a = nodeId('a');
const usage = { input: 900, cached: 0, output: 100 };

function worked(): ModelRun {
  const run = modelRun([{ slug: 'a' }]);
  run.base();
  talk(run, { role: 'worker', node: a, usage, calls: ['read'] });
  const session = { role: 'worker', node: a, born: 1, series: 1, seat: 1 } as const;
  const results = [{ name: 'read', line: 'read a.ts (1 line)', hash: '0123456789abcdef', ok: true }];
  const at = run.events().at(-1)?.at ?? 0;
  run.step({ type: 'tools.ended', at, session, round: 1, turn: 1, messages: 'c', results });
  run.round('claim', { report: report({ evidence: ['npm test'] }) });
  run.check();
  run.vote('refuted', { gaps: ['no test'] });
  talk(run, { role: 'worker', node: a, usage, round: 2, calls: [] });
  return run;
}

/** A workspace whose store holds these events; the texts of sessions are stored, but for those of the second round. */
async function workspaceOf(name: string, run: ModelRun): Promise<string> {
  const workspace = join(folder, name);
  mkdirSync(workspace, { recursive: true });
  const done = await withSession({ workspace, create: true }, async ({ store }) => {
    const address = async (messages: readonly Message[]) => {
      const put = await store.log.putBlob(new TextEncoder().encode(JSON.stringify(messages)));
      if (!put.ok) throw new Error(put.fault.message);
      return put.value;
    };
    const texts = {
      'session.asked': await address(ASKED),
      'turn.ended': await address(SAID),
      'tools.ended': await address(RESULT),
      'session.compacted': await address(ASKED),
    };
    const events = run
      .events()
      .map((event): RunEvent =>
        'session' in event ? { ...event, messages: event.round === 1 ? texts[event.type] : NOT_KEPT } : event,
      );
    const owner = store.lease.take('r1');
    if (!owner.ok) throw new Error(owner.fault.message);
    const stored = await store.log.append({ run: 'r1', expected: 0, events });
    if (!stored.ok) throw new Error(stored.fault.message);
    store.lease.release();
    return ok(null);
  });
  if (!done.ok) throw new Error(done.fault.message);
  return workspace;
}

function contextOf(dir: string, json = false) {
  const out: string[] = [];
  const err: string[] = [];
  const context: Context = {
    dir,
    run: null,
    json,
    output: {
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      write: () => undefined,
      palette: picocolors.createColors(false),
      columns: () => Infinity,
      rows: () => 24,
      ascii: false,
      isTerminal: false,
      reflows: true,
    },
  };
  return { context, text: () => out.join('\n'), lines: () => out, said: () => err.join('\n') };
}

describe('goalgraph log of a node that a model works on', () => {
  let workspace = '';
  beforeAll(async () => (workspace = await workspaceOf('worked', worked())));

  test('tells round by round what was asked, said, used, reported, checked and voted', async () => {
    const { context, text, lines, said } = contextOf(workspace);
    const code = await log(context, 'a');
    expect(said()).toBe('');
    expect(code).toBe(0);
    const told = lines().map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
    const order = [
      'a: worker asked, round 1',
      '    asked 1',
      '    (3 more lines: --full)',
      'a: worker turn 1 · 900 in (0% cached), 100 out → read',
      '    I read the file\\x1b[2J.',
      'a: worker read a.ts (1 line)',
      'a: round 1 claims to be done: done it',
      '    evidence: npm test',
      'a: check check a: green, 5ms',
      'a: skeptic 1 of 1: refuted, 1 gap: no test',
      '    gap: no test',
      'a: worker asked, round 2',
    ];
    expect(told.filter((line) => order.includes(line))).toEqual(order);
    expect(text()).not.toContain('You are a worker.');
  });

  test('with --full tells all of it', async () => {
    const { context, text } = contextOf(workspace);
    await log(context, 'a', { full: true });
    for (const part of ['You are a worker.', 'asked 9', 'read {"path":"a.ts"}', 'const a = 1;']) {
      expect(text()).toContain(part);
    }
  });

  test('says of a text that is gone that it is', async () => {
    const { context, text } = contextOf(workspace);
    await log(context, 'a');
    expect(text()).toContain('    (its text is no longer kept)');
  });

  test('as JSON are the stored events, those of its sessions too', async () => {
    const { context, lines } = contextOf(workspace, true);
    await log(context, 'a');
    const types = lines().map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toContain('turn.ended');
    expect(types).not.toContain('budget.reserved');
  });
});

describe('a run without a plan yet', () => {
  let workspace = '';
  beforeAll(async () => (workspace = await workspaceOf('planning', planningRun())));

  test('has nothing to show or to export, and says so', async () => {
    for (const look of [show, (context: Context) => exportRun(context, 'mermaid')]) {
      const { context, text, said } = contextOf(workspace);
      expect(await look(context)).toBe(2);
      expect(said()).toContain('Run r1 has no plan yet: a model is writing it.');
      expect(text()).toBe('');
    }
  });

  test('has a status, and says when nobody drives it', async () => {
    const { context, text } = contextOf(workspace);
    expect(await status(context)).toBe(0);
    expect(text()).toContain('planning · no plan yet');
    expect(text()).toContain('Its process is gone.');
  });
});
