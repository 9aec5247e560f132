/** Workspaces that cannot be worked in: a clear message, nothing started, nothing made, nothing lost. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { asOrdinaryUser, test } from '../support/rig.ts';

const TOUCH = { nodes: [{ slug: 'a', run: 'touch started' }] };

describe('a workspace that may not be written', () => {
  test('is refused by name, and stays empty', async ({ rig }) => {
    const who = asOrdinaryUser(rig);
    const plan = rig.plan(TOUCH);
    chmodSync(rig.workspace, 0o555);
    const { exit, stdout, stderr } = await rig.run(['run', plan], who);
    expect([exit, stdout]).toEqual([5, '']);
    expect(stderr).toContain(rig.stateDir);
    expect(stderr).toContain('permission denied');
    expect(readdirSync(rig.workspace)).toEqual([]);
    expect((await rig.run(['resume'], who)).exit).toBe(2);
    chmodSync(rig.workspace, 0o755);
    expect((await rig.run(['run', plan], who)).exit).toBe(0);
  });

  test('may not even be entered', async ({ rig }) => {
    const who = asOrdinaryUser(rig);
    const outer = join(rig.workspace, 'outer');
    mkdirSync(join(outer, 'inner'), { recursive: true });
    chmodSync(outer, 0o000);
    const dir = join(outer, 'inner');
    for (const args of [['run', rig.plan(TOUCH)], ['status'], ['resume']]) {
      const { exit, stdout, stderr } = await rig.run(args, { ...who, dir });
      expect({ args, exit, stdout }).toEqual({ args, exit: 2, stdout: '' });
      expect(stderr).toContain(dir);
    }
    chmodSync(outer, 0o755);
  });
});

describe('a state directory that cannot be used', () => {
  test('because it belongs to somebody else is named', async ({ rig }) => {
    const who = asOrdinaryUser(rig);
    mkdirSync(rig.stateDir);
    chmodSync(rig.stateDir, 0o555);
    const { exit, stderr } = await rig.run(['run', rig.plan(TOUCH)], who);
    expect(exit).toBe(5);
    expect(stderr).toContain(rig.stateDir);
    expect(readdirSync(rig.stateDir)).toEqual([]);
    expect(existsSync(join(rig.workspace, 'started'))).toBe(false);
  });

  test('because it is a file is named, and the file is left as it is', async ({ rig }) => {
    writeFileSync(rig.stateDir, 'mine');
    for (const args of [['run', rig.plan(TOUCH)], ['resume'], ['status']]) {
      const { exit, stdout, stderr } = await rig.run(args);
      expect({ args, exit, stdout }).toEqual({ args, exit: 5, stdout: '' });
      expect(stderr).toContain(rig.stateDir);
    }
    expect(readdirSync(rig.workspace)).toEqual(['.goalgraph']);
  });

  test('that becomes unwritable under a paused run loses nothing', async ({ rig }) => {
    const who = asOrdinaryUser(rig);
    const a = rig.puppet('a');
    const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }] })], who);
    await a.called();
    owner.kill('SIGINT');
    expect((await owner.ended).exit).toBe(130);
    const { events } = rig.journal();
    const journal = join(rig.stateDir, 'journal.db');
    chmodSync(journal, 0o444);
    chmodSync(rig.stateDir, 0o555);
    const { exit, stderr } = await rig.run(['resume'], who);
    expect(exit).toBe(5);
    expect(stderr).toContain(rig.stateDir);
    chmodSync(rig.stateDir, 0o755);
    chmodSync(journal, 0o644);
    expect(rig.journal().events).toEqual(events);
    const resumed = rig.start(['resume'], who);
    (await a.called()).exit(0);
    expect((await resumed.ended).exit).toBe(0);
  });
});

describe('a configuration that is wrong', () => {
  test('is named, and nothing is started', async ({ rig }) => {
    const file = join(rig.workspace, 'goalgraph.json');
    const plan = rig.plan(TOUCH);
    const rows: readonly (readonly [string, string])[] = [
      ['{ "concurrency": ', 'JSON'],
      ['', 'JSON'],
      ['[]', 'expected object'],
      ['{ "concurency": 2 }', 'concurency'],
      ['{ "concurrency": 0 }', 'concurrency'],
      ['{ "concurrency": "2" }', 'concurrency'],
      ['{ "stateDir": "" }', 'stateDir'],
      ['{ "stateDir": "." }', 'inside the workspace'],
      ['{ "stateDir": "../elsewhere" }', 'inside the workspace'],
      [`{ "stateDir": "${join(rig.root, 'elsewhere')}" }`, 'inside the workspace'],
    ];
    for (const [text, words] of rows) {
      writeFileSync(file, text);
      const { exit, stdout, stderr } = await rig.run(['run', plan]);
      expect({ text, exit, stdout }).toEqual({ text, exit: 2, stdout: '' });
      expect(stderr).toContain(file);
      expect(stderr).toContain(words);
    }
    for (const args of [['status'], ['resume']]) expect((await rig.run(args)).exit).toBe(2);
    expect(readdirSync(rig.workspace)).toEqual(['goalgraph.json']);
    expect(existsSync(join(rig.root, 'elsewhere'))).toBe(false);
  });

  test('may be a folder', async ({ rig }) => {
    mkdirSync(join(rig.workspace, 'goalgraph.json'));
    const { exit, stderr } = await rig.run(['run', rig.plan(TOUCH)]);
    expect(exit).toBe(2);
    expect(stderr).toContain(join(rig.workspace, 'goalgraph.json'));
  });

  test('may not lead out of the workspace through a link', async ({ rig }) => {
    const elsewhere = join(rig.root, 'elsewhere');
    mkdirSync(elsewhere);
    const plan = rig.plan(TOUCH);
    for (const [link, config] of [
      ['link', '{ "stateDir": "link/state" }'],
      ['.goalgraph', '{}'],
    ] as const) {
      symlinkSync(elsewhere, join(rig.workspace, link));
      writeFileSync(join(rig.workspace, 'goalgraph.json'), config);
      const { exit, stderr } = await rig.run(['run', plan]);
      expect({ link, exit }).toEqual({ link, exit: 2 });
      expect(stderr).toContain('inside the workspace');
    }
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('a workspace that goes away under the run', () => {
  test('by being removed ends the run with a message', async ({ rig }) => {
    const [a, b] = [rig.puppet('a'), rig.puppet('b')];
    const plan = rig.plan({
      nodes: [
        { slug: 'a', run: a.command },
        { slug: 'b', deps: ['a'], run: b.command },
      ],
    });
    const owner = rig.start(['run', plan]);
    const call = await a.called();
    rmSync(rig.workspace, { recursive: true });
    call.exit(0);
    const { exit, stderr } = await owner.ended;
    expect(exit).toBe(5);
    expect(stderr).toContain(`${rig.stateDir}/journal.db was removed`);
    expect(b.calls()).toBe(0);
    expect(existsSync(rig.workspace)).toBe(false);
  });

  test('by being moved ends it, and it is gone on with where it is now', async ({ rig }) => {
    const [a, b] = [rig.puppet('a'), rig.puppet('b')];
    const plan = rig.plan({
      nodes: [
        { slug: 'a', run: a.command },
        { slug: 'b', deps: ['a'], run: b.command },
      ],
    });
    const owner = rig.start(['run', plan]);
    const call = await a.called();
    const moved = join(rig.root, 'moved');
    renameSync(rig.workspace, moved);
    call.exit(0);
    const { exit, stderr } = await owner.ended;
    expect(exit).toBe(5);
    expect(stderr).toContain(rig.workspace);
    // Its end could not be stored, so it is repeated.
    const resumed = rig.start(['resume'], { dir: moved });
    (await a.called()).exit(0);
    (await b.called()).exit(0);
    expect((await resumed.ended).exit).toBe(0);
  });

  test('in part, by a command that cleans too much, does not end as if all were well', async ({ rig }) => {
    const b = rig.puppet('b');
    const clean = { slug: 'a', run: 'rm -rf .goalgraph' };
    const plan = rig.plan({ nodes: [clean, { slug: 'b', deps: ['a'], run: b.command }] });
    const { exit, stderr } = await rig.run(['run', plan]);
    expect(exit).toBe(5);
    expect(stderr).toContain('journal.db was removed');
    expect(b.calls()).toBe(0);
    expect((await rig.run(['status'])).exit).toBe(2);
  });
});
