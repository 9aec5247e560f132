/** Plans in which something fails: the same outcome at any concurrency, told with reasons, and a way on from each. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verdicts } from '../support/rig-journal.ts';
import { test, withRig, type PlanInput, type Rig } from '../support/rig.ts';

const node = (slug: string, deps: readonly string[] = [], run = `echo ${slug} > ${slug}`) => ({
  slug,
  deps,
  scope: [slug],
  run,
  checks: [{ run: `test -f ${slug}` }],
});

/** `bad` needs a file that is not there; `left` and `right` are held by it, `low` through them. */
const ONE_FAILS: PlanInput = {
  nodes: [
    node('root'),
    node('bad', ['root'], 'test -f fixed && echo bad > bad'),
    node('good', ['root']),
    node('left', ['bad']),
    node('right', ['good', 'bad']),
    node('low', ['left', 'right']),
    node('alone'),
    node('after', ['good', 'alone']),
  ],
};

async function fails(rig: Rig, concurrency: number): Promise<readonly string[]> {
  const { exit } = await rig.run(['run', rig.plan(ONE_FAILS), '--concurrency', String(concurrency)]);
  expect(exit).toBe(1);
  return verdicts(await rig.status());
}

describe('a plan with one failing node', () => {
  test('ends in the same states and reasons at concurrency 1, 3 and 8', async () => {
    const ends: (readonly string[])[] = [];
    for (const concurrency of [1, 3, 8]) ends.push(await withRig((rig) => fails(rig, concurrency)));
    expect(ends[0]).toEqual([
      'root achieved - yes yes yes',
      'bad failed exit 1 yes no no',
      'good achieved - yes yes yes',
      'left held held by bad no no no',
      'right held held by bad no no no',
      'low held held by bad no no no',
      'alone achieved - yes yes yes',
      'after achieved - yes yes yes',
      'gn-final held held by bad no no no',
      'paused stuck',
    ]);
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[2]).toEqual(ends[0]);
  });

  test('names it and what helps, and completes once it is mended and tried again', async ({ rig }) => {
    const { exit, stdout } = await rig.run(['run', rig.plan(ONE_FAILS)]);
    expect(exit).toBe(1);
    for (const words of [
      'bad: failed',
      'held by bad',
      'goalgraph retry bad',
      'goalgraph log bad',
      'goalgraph skip bad',
    ]) {
      expect(stdout).toContain(words);
    }
    expect((await rig.run(['resume'])).exit).toBe(1);
    writeFileSync(join(rig.workspace, 'fixed'), '');
    expect((await rig.run(['retry', 'bad'])).exit).toBe(0);
    expect((await rig.run(['resume'])).exit).toBe(0);
    expect(verdicts(await rig.status()).filter((line) => !line.includes('achieved - yes yes yes'))).toEqual([
      'complete -',
    ]);
  });

  test('completes without it when a person skips it, and the report says so', async ({ rig }) => {
    const bad = { ...node('bad', ['root'], 'touch tried; exit 7'), checks: [{ run: 'test -f tried' }] };
    const plan = rig.plan({ nodes: [node('root'), bad, node('after', ['bad'])] });
    expect((await rig.run(['run', plan])).exit).toBe(1);
    expect((await rig.run(['skip', 'bad'])).exit).toBe(0);
    const { exit, stdout } = await rig.run(['resume']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^\S+ bad +skipped/m);
    expect(stdout).toMatch(/1 skipped/);
  });

  test('can have it edited into one that works', async ({ rig }) => {
    await rig.run(['run', rig.plan(ONE_FAILS)]);
    expect((await rig.run(['edit', 'bad', '--run-command', 'echo better > bad'])).exit).toBe(0);
    expect((await rig.run(['resume'])).exit).toBe(0);
    expect(await rig.status()).toMatchObject({ status: 'complete', planVersion: 2 });
  });

  test('tries it as often as the plan says, and no more', async ({ rig }) => {
    const run = 'echo try >> tries; test "$(wc -l < tries)" -ge 3';
    const plan = (retries: number) => rig.plan({ nodes: [{ slug: 'a', run, retries }] });
    expect((await rig.run(['run', plan(1)])).exit).toBe(1);
    expect((await rig.status()).nodes[0]).toMatchObject({ status: 'failed', attempts: 2 });
    expect((await rig.run(['clear'])).exit).toBe(0);
    expect((await rig.run(['run', plan(1)])).exit).toBe(0);
    expect((await rig.status()).nodes[0]).toMatchObject({ status: 'achieved', attempts: 1 });
  });
});

describe('a final verification that goes red', () => {
  test('names the node whose check it is, and an achieved node can be tried again', async ({ rig }) => {
    const spoil = 'test -f spoilt || { rm one; touch spoilt; }; echo two > two';
    const plan = rig.plan({ nodes: [node('one'), node('two', ['one'], spoil), node('three')] });
    const { exit, stdout } = await rig.run(['run', plan]);
    expect(exit).toBe(1);
    expect(stdout).toContain('gn-final: failed');
    expect(stdout).toContain('(red: one)');
    expect(stdout).toContain('goalgraph retry one');
    expect((await rig.run(['retry', 'three'])).exit).toBe(2);
    expect((await rig.run(['retry', 'one'])).exit).toBe(0);
    expect(verdicts(await rig.status()).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'one ready',
      'two waiting',
      'three achieved',
      'gn-final waiting',
      'paused stuck',
    ]);
    expect((await rig.run(['resume'])).exit).toBe(0);
  });

  test('on a check of the plan itself is tried again after it was mended', async ({ rig }) => {
    const plan = rig.plan({ checks: [{ run: 'test -f whole' }], nodes: [node('one')] });
    const { exit, stdout } = await rig.run(['run', plan]);
    expect(exit).toBe(1);
    expect(stdout).toContain('test -f whole');
    writeFileSync(join(rig.workspace, 'whole'), '');
    expect((await rig.run(['retry', 'gn-final'])).exit).toBe(0);
    expect((await rig.run(['resume'])).exit).toBe(0);
    expect((await rig.status()).nodes[0]).toMatchObject({ slug: 'one', attempts: 1 });
  });
});
