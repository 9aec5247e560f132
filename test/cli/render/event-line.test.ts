import fc from 'fast-check';
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/contract/event.ts';
import { checkView, ended, nodeView, runView, START } from '../../support/views.ts';
import { eventLines } from '../../../src/cli/render/event-line.ts';
import { namesOf } from '../../../src/cli/render/event-told.ts';
import { FINAL_NODE, nodeId } from '../../../src/contract/ids.ts';
import { NO_LIMITS } from '../../../src/contract/limits.ts';

const csv = nodeId('csv');
const names = namesOf(
  runView([nodeView('csv', { checks: [checkView('npm test -- csv')] }), nodeView(FINAL_NODE)]),
);
const screen = { columns: Infinity, palette: picocolors.createColors(false), ascii: false };
const at = START + 61_000;
const fence = { at, node: csv, epoch: 1, attempt: 1 };
const tree = null;

const LINES: readonly (readonly [RunEvent, string])[] = [
  [
    {
      at,
      type: 'run.created',
      run: 'r-1',
      machine: 1,
      objective: 'Do\nit',
      models: null,
      flow: null,
      approve: false,
      plan: { version: 1, hash: 'c0ffee', objective: 'Do\nit', checks: [], workspace: null, nodes: [] },
      workspace: '/w',
      concurrency: 2,
      limits: NO_LIMITS,
    },
    'run r-1 created: Do (0 nodes, plan v1 c0ffee, workspace /w)',
  ],
  [{ at, type: 'run.restored' }, 'run restored: what was cut is ready again'],
  [
    { at, type: 'run.paused', why: 'user', detail: 'SIGINT', resetAt: null },
    'run paused (user): SIGINT paused it (Ctrl-C)',
  ],
  [
    { at, type: 'run.paused', why: 'stuck', detail: null, resetAt: null },
    'run paused (stuck): nothing left that can run',
  ],
  [
    { at, type: 'run.resumed', limits: NO_LIMITS, concurrency: 4, models: null, moves: 0 },
    'run resumed, 4 at a time',
  ],
  [{ at, type: 'run.completed' }, 'run complete'],
  [{ at, type: 'run.cleared' }, 'run cleared'],
  [{ ...fence, type: 'node.started', rerun: false }, 'csv: started'],
  [
    { ...fence, type: 'node.started', attempt: 2, rerun: true },
    'csv: started, attempt 2, again: its command was cut',
  ],
  [{ ...fence, ...ended(), type: 'work.ended', rerun: false }, 'csv: command done, 1.2s'],
  [
    { ...fence, ...ended({ exit: 2, tail: 'one\ntwo: no\r\n\n' }), type: 'work.ended', rerun: false },
    'csv: command exit 2, 1.2s: two: no',
  ],
  [
    { ...fence, ...ended({ outcome: 'timeout', exit: null, tail: '' }), type: 'work.ended', rerun: false },
    'csv: command timed out, 1.2s',
  ],
  [
    {
      ...fence,
      ...ended({ outcome: 'signal', exit: null, detail: 'SIGSEGV' }),
      type: 'work.ended',
      rerun: false,
    },
    'csv: command ended by SIGSEGV, 1.2s',
  ],
  [
    {
      ...fence,
      ...ended({ outcome: 'spawn', exit: null, detail: 'ENOENT' }),
      type: 'work.ended',
      rerun: false,
    },
    'csv: command not started (ENOENT), 1.2s',
  ],
  [
    { ...fence, ...ended({ outcome: 'aborted', exit: null }), type: 'work.ended', rerun: false },
    'csv: command cut, 1.2s',
  ],
  [
    { ...fence, ...ended(), type: 'check.ended', check: 0, tree, reused: false, restored: [] },
    'csv: check npm test -- csv: green, 1.2s',
  ],
  [
    { ...fence, ...ended(), type: 'check.ended', check: 3, tree, reused: false, restored: [] },
    'csv: check 4: green, 1.2s',
  ],
  [
    { ...fence, ...ended(), type: 'check.ended', check: 0, tree, reused: true, restored: [] },
    'csv: check npm test -- csv: green on this very tree, not run again',
  ],
  [
    {
      ...fence,
      ...ended({ exit: 1, tail: 'a\n\x1b[31mFAIL\x1b[0m x' }),
      type: 'check.ended',
      check: 0,
      tree,
      reused: false,
      restored: [],
    },
    'csv: check npm test -- csv: red, exit 1, 1.2s: \\x1b[31mFAIL\\x1b[0m x',
  ],
  [
    {
      ...fence,
      ...ended({ outcome: 'aborted', exit: null }),
      type: 'check.ended',
      check: 0,
      tree,
      reused: false,
      restored: [],
    },
    'csv: check npm test -- csv: cut, 1.2s',
  ],
  [{ at, type: 'node.achieved', node: csv }, 'csv: achieved ✓'],
  [
    { at, type: 'node.failed', node: csv, why: 'exit', detail: 'first\nexit 1: no', red: [] },
    'csv: failed: first: exit 1: no',
  ],
  [
    { at, type: 'node.failed', node: FINAL_NODE, why: 'check_red', detail: '', red: [csv] },
    'gn-final: failed (check_red): a check is red (red: csv)',
  ],
  [
    { at, type: 'node.blocked', node: csv, why: 'cut', detail: '' },
    'csv: blocked (cut): its command was cut and must not run again by itself',
  ],
  [{ at, type: 'node.retried', node: csv }, 'csv: retried'],
  [{ at, type: 'node.skipped', node: csv }, 'csv: skipped'],
  [
    { at, type: 'node.edited', node: csv, version: 2, hash: 'beef', spec: null, run: 'make', checks: [] },
    'csv: edited run, checks, plan v2 beef',
  ],
  [
    { ...fence, type: 'late', of: 'work.ended', check: null, outcome: 'exit', ms: 40 },
    'csv: command ended too late to count (exit), 40ms',
  ],
];

describe('one line an event', () => {
  test.each(LINES.map(([event, line]) => [line, event] as const))('%s', (line, event) => {
    expect(eventLines(event, names, screen)).toEqual([`22:01:01 ${line}`]);
  });

  test('the time comes from the formatter when there is one', () => {
    const time = (moment: number): string => `T${moment - START}`;
    expect(eventLines({ at, type: 'run.completed' }, names, { ...screen, time })).toEqual([
      'T61000 run complete',
    ]);
  });

  test('is clipped to the columns of a terminal', () => {
    const event = { at, type: 'node.achieved', node: csv } as const;
    expect(eventLines(event, names, { ...screen, columns: 16 })).toEqual(['22:01:01 csv: a…']);
  });

  test.each([
    ['TAP version 13\nok 1\nnot ok 2 - adds\n# fail 1\n# duration_ms 527.53', 'not ok 2 - adds'],
    ['ok 1\n# fail 0\n# duration_ms 527.53', '# duration_ms 527.53'],
    ['0 failures\nno errors\nError: ENOENT\nbye', 'Error: ENOENT'],
    ['Tests: 0 failed, 3 passed\n3 passing (0 failing)\nthe end', 'the end'],
    ['  AssertionError [ERR]: 1 == 2\r\n  expected 3', 'AssertionError [ERR]: 1 == 2'],
    ['0 errors, 2 failures\nthe end', '0 errors, 2 failures'],
    ['one\ntwo\n\n', 'two'],
  ])('a red check is summed up by what went wrong: %j', (tail, line) => {
    const end = { ...ended({ exit: 1, tail }), check: 0, tree, reused: false, restored: [] };
    const event: RunEvent = { ...fence, ...end, type: 'check.ended' };
    expect(eventLines(event, names, screen)).toEqual([
      `22:01:01 csv: check npm test -- csv: red, exit 1, 1.2s: ${line}`,
    ]);
  });

  test('what took too long is summed up by what it did last', () => {
    const end = ended({ outcome: 'timeout', exit: null, tail: 'error 1\nstill at it' });
    const event: RunEvent = { ...fence, ...end, type: 'work.ended', rerun: false };
    expect(eventLines(event, names, screen)).toEqual(['22:01:01 csv: command timed out, 1.2s: still at it']);
  });

  test('a node nobody knows is named by its id', () => {
    expect(eventLines({ at, type: 'node.skipped', node: 'gn-x' }, names, screen)).toEqual([
      '22:01:01 gn-x: skipped',
    ]);
  });

  test('a tail in one endless line is cut', () => {
    const event = {
      ...fence,
      ...ended({ exit: 1, tail: 'x'.repeat(2_000) }),
      type: 'work.ended',
      rerun: false,
    } as const;
    expect(eventLines(event, names, screen).join().length).toBeLessThan(300);
  });

  test('is one line of ASCII when asked to be, whatever the output was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tail) => {
        const event = {
          ...fence,
          ...ended({ exit: 1, tail }),
          type: 'check.ended',
          check: 0,
          tree,
          reused: false,
          restored: [],
        } as const;
        expect(eventLines(event, names, { ...screen, ascii: true }).join('')).toMatch(/^[\x20-\x7e]*$/);
        expect(eventLines(event, names, screen).join('')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
