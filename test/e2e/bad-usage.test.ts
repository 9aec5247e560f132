/** The command line, mistyped: exit code 2, what is wrong and how it is written, and nothing started or made. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { inLanes, test } from '../support/rig.ts';

const PLAN = 'the plan';

describe('a mistyped command line', () => {
  test('is told what is wrong, and nothing is started', async ({ rig }) => {
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'touch started' }] });
    const rows: readonly (readonly [readonly string[], readonly string[]])[] = [
      [
        ['rnu', PLAN],
        ['unknown command', 'rnu', 'run'],
      ],
      [['run'], ['file']],
      [['run', PLAN, 'another'], ['too many arguments']],
      [
        ['run', PLAN, '--fast'],
        ['unknown option', '--fast'],
      ],
      [
        ['run', PLAN, '--concurency', '3'],
        ['--concurency', '--concurrency'],
      ],
      [
        ['run', PLAN, '--max-time'],
        ['--max-time', 'argument missing'],
      ],
      ...['10', '-5m', '5 parsecs', '', '1h1h', '0s', '1e9s'].map(
        (value) =>
          [
            ['run', PLAN, `--max-time=${value}`],
            ['--max-time', '2h30m'],
          ] as const,
      ),
      ...['25:00', '7', 'tomorrow', '12:60', '2026-02-30T07:00', ''].map(
        (value) =>
          [
            ['run', PLAN, `--until=${value}`],
            ['--until', '07:00'],
          ] as const,
      ),
      ...['2x', '-1', '1.0001', '', '1m2k', '0x10', 'Infinity'].map(
        (value) =>
          [
            ['run', PLAN, `--budget=${value}`],
            ['--budget', '500k'],
          ] as const,
      ),
      ...['5', '-5usd', '5eur', ''].map(
        (value) =>
          [
            ['run', PLAN, `--max-cost=${value}`],
            ['--max-cost', '5usd'],
          ] as const,
      ),
      ...['0', '65', '3.5', '-1', 'three', ''].map(
        (value) =>
          [
            ['run', PLAN, `--concurrency=${value}`],
            ['--concurrency', 'from 1 to 64'],
          ] as const,
      ),
      [
        ['resume', '--max-time=soon'],
        ['--max-time', '2h30m'],
      ],
      [['retry'], ['node']],
      [
        ['edit', 'a'],
        ['--spec-file', '--run-command', '--check'],
      ],
      [
        ['edit', 'a', '--spec-file', 'missing.txt'],
        ['missing.txt', 'does not exist'],
      ],
      [['export'], ['--format']],
      [
        ['export', '--format', 'svg'],
        ['svg', 'mermaid'],
      ],
      [['status', 'extra'], ['too many arguments']],
      [['-C'], ['-C']],
    ];
    await inLanes(3, rows, async ([args, words]) => {
      const { exit, stdout, stderr } = await rig.run(args.map((arg) => (arg === PLAN ? plan : arg)));
      expect({ args, exit, stdout }).toEqual({ args, exit: 2, stdout: '' });
      for (const word of words) expect(stderr, args.join(' ')).toContain(word);
    });
    expect(readdirSync(rig.workspace)).toEqual([]);
  });

  test('is shown without the controls that were typed into it', async ({ rig }) => {
    for (const args of [
      ['run', '\x1b[31mred\x07'],
      ['\x1b]0;title\x07'],
      ['run', 'x', '--\x1b[2J'],
      ['status', '--run', '\x1b[A'],
    ]) {
      const { exit, stdout, stderr } = await rig.run(args);
      expect([exit, stdout]).toEqual([2, '']);
      expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    }
  });

  test('names a folder for -C that is missing, or is a file', async ({ rig }) => {
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'true' }] });
    const file = join(rig.root, 'file');
    writeFileSync(file, '');
    for (const dir of [join(rig.root, 'missing'), file]) {
      for (const args of [['run', plan], ['status'], ['resume']]) {
        const { exit, stderr } = await rig.run(args, { dir });
        expect({ args, exit }).toEqual({ args, exit: 2 });
        expect(stderr).toContain(dir);
      }
    }
    expect(existsSync(join(rig.root, 'missing'))).toBe(false);
  });
});

describe('what is asked for in JSON', () => {
  test('fails in JSON too', async ({ rig }) => {
    const { exit, stdout } = await rig.run(['status', '--json']);
    expect(exit).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ fault: { code: 'no_run' } });
  });
});
