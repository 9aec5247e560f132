/** The command line as a person sees it: in a terminal, started with `npm start`, stopped with Ctrl-C. */

import { describe, expect } from 'vitest';
import { CHECKOUT, MAIN } from '../support/rig-cli.ts';
import { inTerminal, type Typist } from '../support/rig-pty.ts';
import { test, type Rig } from '../support/rig.ts';

const CTRL_C = '\x03';

function typed(rig: Rig, argv: readonly string[], size = { columns: 100, rows: 30 }): Typist {
  const env = { ...rig.env, npm_config_update_notifier: 'false', npm_config_progress: 'false' };
  return inTerminal({ argv, cwd: CHECKOUT, env, ...size });
}

describe('npm start in a terminal', () => {
  test('shows what runs, and one Ctrl-C pauses in order and leaves no process behind', async ({ rig }) => {
    const [a, b] = [rig.puppet('a', 'stubborn'), rig.puppet('b')];
    const plan = rig.plan({
      nodes: [
        { slug: 'alpha', scope: ['a'], run: a.command },
        { slug: 'beta', scope: ['b'], run: b.command },
      ],
    });
    const person = typed(rig, ['npm', 'start', '--', '-C', rig.workspace, 'run', plan]);
    const calls = [await a.called(), await b.called()];
    await person.sees('alpha  running');
    await person.sees('beta  running');
    await person.sees('0/3 achieved');

    person.type(CTRL_C);
    await person.sees('SIGINT: pausing');
    expect(await person.ended).toEqual({ exit: 130, signal: 0 });
    expect(calls.map((call) => call.endedAt())).not.toContain(null);
    expect(rig.alive()).toEqual([]);
    const screen = person.screen.text().join('\n');
    expect(screen).toContain('paused (user)');
    expect(screen).toContain('goalgraph resume  go on');
    // The live area is gone, and the cursor is back.
    expect(screen).not.toContain('alpha  running');
    expect(person.screen.cursorShown()).toBe(true);

    const resumed = rig.start(['resume']);
    (await a.called()).exit(0);
    (await b.called()).exit(0);
    expect((await resumed.ended).exit).toBe(0);
  });
});

describe('a terminal that is closed', () => {
  test('pauses the run in order', async ({ rig }) => {
    const puppet = rig.puppet('a');
    const plan = rig.plan({ nodes: [{ slug: 'a', run: puppet.command }] });
    const person = typed(rig, [process.execPath, MAIN, '-C', rig.workspace, 'run', plan]);
    const call = await puppet.called();
    process.kill(person.pid, 'SIGHUP');
    expect((await person.ended).exit).toBe(143);
    expect(call.endedAt()).not.toBeNull();
    expect(rig.alive()).toEqual([]);
  });
});

describe('the live area', () => {
  test('stands whole at the end of the screen through resizes, and leaves the table', async ({ rig }) => {
    const puppets = ['one', 'two', 'three'].map((name) => rig.puppet(name));
    const plan = rig.plan({
      nodes: puppets.map((puppet, i) => ({ slug: `node-${i}`, scope: [`${i}`], run: puppet.command })),
    });
    const person = typed(rig, [process.execPath, MAIN, '-C', rig.workspace, 'run', plan]);
    const calls = await Promise.all(puppets.map((puppet) => puppet.called()));
    await person.sees('0/4 achieved');
    // Never so small that lines of the area leave at the top: what has scrolled away nobody can take back.
    for (const [columns, rows] of [
      [60, 30],
      [35, 24],
      [140, 40],
      [80, 16],
    ] as const) {
      // Right after a painting, so that the program hears of the new size before it paints again.
      await person.repainted();
      person.resize(columns, rows);
      await person.repainted();
    }
    calls.forEach((call) => call.exit(0));
    expect(await person.ended).toEqual({ exit: 0, signal: 0 });
    const lines = person.screen.text();
    // Each line that stays is there once: none was painted over, none left in double.
    for (const slug of ['node-0', 'node-1', 'node-2', 'gn-final']) {
      expect(lines.filter((line) => line.includes(`${slug}: achieved`))).toHaveLength(1);
    }
    expect(lines.filter((line) => line.includes('running'))).toEqual([]);
    expect(lines.filter((line) => line.includes('4/4'))).toEqual([]);
    expect(person.screen.cursorShown()).toBe(true);
  });
});
