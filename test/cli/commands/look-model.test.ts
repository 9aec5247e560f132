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
import { owed } from '../../../src/graph/owed.ts';
import { answer, GREEN, runOf } from '../../support/answers.ts';
import { created, plan, stepper } from '../../support/plans.ts';
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
async function workspaceOf(name: string, run: Pick<ModelRun, 'events'>): Promise<string> {
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
      'a: worker round 1 turn 1 · 900 in (0% cached), 100 out → read',
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

describe('goalgraph log planner', () => {
  test('tells what the planner was asked, said and used, what was refused, and the plan', async () => {
    const run = planningRun();
    const planner = { role: 'planner', node: null } as const;
    talk(run, { ...planner, usage, calls: ['read'] });
    const { epoch } = run.state().graph.context;
    const at = (run.events().at(-1)?.at ?? 0) + 5;
    run.step({ type: 'plan.refused', at, epoch, faults: ['cycle: a, b', 'empty: no nodes'] });
    run.resume();
    talk(run, { ...planner, usage, turn: 2 });
    const made = plan([{ slug: 'a', run: null }], [], true);
    const { epoch: next } = run.state().graph.context;
    run.step({ type: 'run.planned', at: at + 900, epoch: next, plan: made, warnings: [] });
    const { context, lines, said } = contextOf(await workspaceOf('planned', run));
    expect(await log(context, 'planner')).toBe(0);
    expect(said()).toBe('');
    const told = lines().map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
    const order = [
      'planner asked, round 1',
      '    asked 1',
      'planner turn 1 · 900 in (0% cached), 100 out → read',
      '    I read the file\\x1b[2J.',
      'plan refused: 2 faults',
      '    fault: cycle: a, b',
      '    fault: empty: no nodes',
      'planner turn 2 · 900 in (0% cached), 100 out',
    ];
    expect(
      told.filter((line) => order.includes(line)).filter((line, i, all) => all.indexOf(line) === i),
    ).toEqual(order);
    expect(told.at(-1)).toBe(`plan made: 2 nodes, plan v1 ${made.hash}`);
    expect(told.join()).not.toContain('a: started');
  });

  test('says of a run that no model planned that it has none', async () => {
    const { context, said } = contextOf(await workspaceOf('unplanned', worked()));
    expect(await log(context, 'planner')).toBe(2);
    expect(said()).toContain('has no planner: no model made its plan.');
  });

  test('is the log of a node of that name', async () => {
    const { context, text } = contextOf(await workspaceOf('named', modelRun([{ slug: 'planner' }])));
    expect(await log(context, 'planner')).toBe(0);
    expect(text()).toContain('planner: started');
  });
});

describe('goalgraph show', () => {
  const spec = Array.from({ length: 12 }, (_, i) => `What is to be done, part ${i + 1}`).join('\n');
  const nodes = [{ slug: 'a', run: null, spec }];

  test('of a plan that waits for a yes is all of it, and how to say yes', async () => {
    const run = planningRun({ approve: true });
    const { epoch } = run.state().graph.context;
    run.step({ type: 'run.planned', at: 2_000, epoch, plan: plan(nodes, [], true), warnings: [] });
    const { context, text } = contextOf(await workspaceOf('approval', run));
    expect(await show(context)).toBe(0);
    for (const part of [
      'part 1\n',
      'part 12\n',
      '    check: check a',
      'estimate ~',
      'goalgraph approve',
      '┌',
    ]) {
      expect(text()).toContain(part);
    }
    expect(text()).not.toContain('more line');
  });

  test('with --full has the specs of any plan under its drawing', async () => {
    const workspace = await workspaceOf('full', modelRun(nodes));
    const short = contextOf(workspace);
    await show(short.context);
    expect(short.text()).not.toContain('part 1');
    const full = contextOf(workspace);
    expect(await show(full.context, { full: true })).toBe(0);
    expect(full.text().startsWith(short.text())).toBe(true);
    expect(full.text()).toContain('part 12\n    writes a/**\n    check: check a');
    const json = contextOf(workspace, true);
    await show(json.context, { full: true });
    expect(JSON.parse(json.text())).toMatchObject({ run: 'r1', plan: { nodes: [{ spec }, {}] } });
  });
});

test('goalgraph status of a command plan that is complete says what the final node checked', async () => {
  const run = stepper(created(plan([{ slug: 'a' }])));
  for (const command of ['work a', 'check a', 'check a']) {
    const effect = owed(run.state()).find((one) => runOf(one) === command);
    if (effect) run.step(answer(effect, GREEN));
  }
  const { context, text } = contextOf(await workspaceOf('commands', run));
  expect(await status(context)).toBe(0);
  expect(text()).toContain('complete · plan v1');
  expect(text()).toContain('gn-final checked');
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
