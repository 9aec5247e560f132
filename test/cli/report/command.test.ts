/** `goalgraph report` over a real store, and what it writes. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from '../../../src/cli/commands/report.ts';
import { readDiffs } from '../../../src/cli/report/read-diffs.ts';
import { reportRun } from '../../../src/cli/report/make-report.ts';
import { reportFolder, writeReports } from '../../../src/cli/report/write-reports.ts';
import { openReader } from '../../../src/store/store.ts';
import { filesBetween } from '../../../src/os/shadow-git-stat.ts';
import { openShadowGit } from '../../../src/os/shadow-git.ts';
import { modelRun, report as said } from '../../support/model-runs.ts';
import { REPORT_SCENES, REPORTS, sceneOf } from './scenes.ts';
import { contextOf, workspaceOf } from './workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'goalgraph-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { failed, done } = REPORT_SCENES;
const data = REPORTS['command-failed'];
if (!failed || !done || !data) throw new Error('no scenes');
const env = { PATH: process.env['PATH'] };

describe('goalgraph report', () => {
  let workspace = '';
  let stateDir = '';
  beforeAll(async () => {
    workspace = await workspaceOf(folder, 'failed', failed.events);
    stateDir = join(workspace, '.goalgraph');
  });

  test('writes both, and says where they are', async () => {
    const { context, lines, said: words } = contextOf(workspace);
    expect(await report(context)).toBe(0);
    expect(words()).toBe('');
    const paths = ['md', 'html'].map((format) => join(stateDir, 'runs/r1', `report.${format}`));
    expect(lines()).toEqual(paths);
    expect(readFileSync(paths[0] ?? '', 'utf8')).toContain('# Clean the prices and report on them');
    expect(readFileSync(paths[1] ?? '', 'utf8')).toContain('<h1>Clean the prices and report on them</h1>');
    expect(statSync(join(stateDir, 'runs/r1')).mode & 0o077).toBe(0);
  });

  test('writes one of them when asked for one, and writes it anew', async () => {
    const path = join(stateDir, 'runs/r1/report.html');
    writeFileSync(path, 'old');
    const { context, lines } = contextOf(workspace);
    expect(await report(context, { html: true })).toBe(0);
    expect(lines()).toEqual([path]);
    expect(readFileSync(path, 'utf8')).toContain('<!doctype html>');
  });

  test('as JSON is what it is made of, and writes nothing', async () => {
    rmSync(join(stateDir, 'runs'), { recursive: true, force: true });
    const { context, lines } = contextOf(workspace, { json: true });
    expect(await report(context)).toBe(0);
    expect(JSON.parse(lines().join(''))).toMatchObject({ run: 'r1', status: 'paused', why: 'stuck' });
    expect(existsSync(join(stateDir, 'runs'))).toBe(false);
  });

  test('says of a run that is not there that it is not', async () => {
    const { context, said: words } = contextOf(workspace, { run: 'other' });
    expect(await report(context)).toBe(2);
    expect(words()).toContain('There is no run other');
  });

  test('is a fault, and no crash, where it cannot be written', async () => {
    writeFileSync(join(stateDir, 'runs'), 'a file');
    const { context, said: words } = contextOf(workspace);
    expect(await report(context)).toBe(5);
    expect(words()).toContain('The report could not be written');
    rmSync(join(stateDir, 'runs'));
  });

  test('is not written where a link leads that came with the folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'goalgraph-outside-'));
    rmSync(join(stateDir, 'runs'), { recursive: true, force: true });
    symlinkSync(outside, join(stateDir, 'runs'));
    const { context, said: words } = contextOf(workspace);
    expect(await report(context)).toBe(5);
    expect(words()).toContain('leads elsewhere by a link');
    expect(existsSync(join(outside, 'r1', 'report.html'))).toBe(false);
    rmSync(join(stateDir, 'runs'));
    rmSync(outside, { recursive: true });
  });

  test('can be had from an open store by whoever has driven the run', async () => {
    const reader = openReader(stateDir);
    if (!reader.ok || !reader.value) throw new Error('no reader');
    const written = await reportRun({ log: reader.value.log, run: 'r1', stateDir, env, formats: ['md'] });
    reader.value.close();
    expect(written).toEqual({
      ok: true,
      value: [{ format: 'md', path: join(stateDir, 'runs/r1/report.md') }],
    });
  });
});

describe('writing reports', () => {
  test('leaves nothing half written behind', async () => {
    const where = join(folder, 'half');
    mkdirSync(join(where, 'report.html'), { recursive: true });
    const written = await writeReports(where, data);
    expect(written).toMatchObject({ ok: false, fault: { code: 'store_io' } });
    expect(readdirSync(where).sort()).toEqual(['report.html', 'report.md']);
  });

  test('takes no run for a way out of the folder', () => {
    for (const run of ['../x', 'a/b', '..', '.', '', 'a\0', '-rf', 'x'.repeat(200)]) {
      expect(reportFolder('/s', run)).toMatchObject({ ok: false });
    }
    expect(reportFolder('/s', '20260301-2200-7f3a')).toEqual({
      ok: true,
      value: '/s/runs/20260301-2200-7f3a',
    });
  });
});

describe('what was changed', () => {
  test('comes from the snapshots: in total, and of each node since its own base', async () => {
    const root = join(folder, 'tree');
    const stateDir = join(root, '.goalgraph');
    mkdirSync(stateDir, { recursive: true });
    const shadow = await openShadowGit({ root, stateDir, env });
    if (!shadow.ok) throw new Error(shadow.fault.message);
    const snapshot = async (file: string, text: string) => {
      writeFileSync(join(root, file), text);
      const taken = await shadow.value.snapshot();
      if (!taken.ok) throw new Error(taken.fault.message);
      return taken.value;
    };
    const base = await snapshot('a.txt', 'one\ntwo\n');
    const middle = await snapshot('a.txt', 'one\nthree\nfour\n');
    const end = await snapshot('b.bin', '\0\0');
    const run = modelRun([
      { slug: 'a', checks: [] },
      { slug: 'b', deps: ['a'], checks: [] },
    ]);
    run.base(base);
    run.brief();
    run.round('claim', { report: said(), tree: middle });
    run.vote('achieved', { tree: middle });
    run.base(middle);
    run.brief();
    run.round('claim', { report: said(), tree: end });
    const { events } = sceneOf(run);
    const diffs = await readDiffs({ stateDir, env }, events);
    expect(diffs?.missing).toBeNull();
    expect(diffs?.total?.map(({ path, added, removed }) => [path, added, removed])).toEqual([
      ['a.txt', 2, 1],
      ['b.bin', null, null],
    ]);
    expect([...(diffs?.nodes.values() ?? [])].map((files) => files.map(({ path }) => path))).toEqual([
      ['a.txt'],
      ['b.bin'],
    ]);
    expect(await filesBetween({ stateDir, env }, base, base)).toEqual({ ok: true, value: [] });
    expect(await filesBetween({ stateDir, env }, base, '--help')).toMatchObject({ ok: false });
  });

  test('is said to be missing when the snapshots are gone, and stops nothing', async () => {
    const diffs = await readDiffs({ stateDir: join(folder, 'none'), env }, done.events);
    expect(diffs).toMatchObject({ total: null });
    expect(diffs?.missing).toContain('not there any more');
  });

  test('is nothing for a run without snapshots', async () => {
    expect(await readDiffs({ stateDir: folder, env }, failed.events)).toBeNull();
  });
});
