import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/contract/fault.ts';
import type { TurnKey } from '../../../src/contract/model.ts';
import { playRig, type Story } from './play-rig.ts';

const check = { run: 'test -f y' };
const GOOD = { nodes: [{ slug: 'a', title: 'A', spec: 'Do a.', checks: [check] }] };
const BAD = { nodes: [{ slug: 'a', title: 'A', spec: 'Do a.', deps: ['nobody'], checks: [check] }] };

/** The same for every story but the planner's words. */
function others({ role, turn }: TurnKey): ReturnType<Story> {
  if (role === 'skeptic') return [['verdict', { verdict: 'achieved', why: 'it is there' }]];
  if (turn === 1) return [['write', { path: 'x', content: 'x' }]];
  return [['report', { status: 'done', summary: 'done', evidence: ['x'] }]];
}

const planner = (said: (key: TurnKey) => ReturnType<Story>): Story => {
  return (key) => (key.role === 'planner' ? said(key) : others(key));
};

const STORIES: readonly (readonly [string, Story])[] = [
  ['mended by the tool', planner(({ turn }) => [['submit_plan', turn === 1 ? BAD : GOOD]])],
  [
    'said in words, mended by the tool',
    planner(({ round }) => (round === 1 ? JSON.stringify(BAD) : [['submit_plan', GOOD]])),
  ],
  ['mended in words', planner(({ round }) => JSON.stringify(round === 1 ? BAD : GOOD))],
  ['refused twice', planner(() => [['submit_plan', BAD]])],
];

describe.each(STORIES)('a plan that is %s', (_, story) => {
  it('ends the same, wherever its owner dies or is paused', async () => {
    const uncut = playRig(story);
    const end = await uncut.play();
    const { events } = await uncut.load();
    const planned = events.findIndex(
      ({ event }) => event.type === 'run.planned' || event.type === 'run.paused',
    );
    expect(planned).toBeGreaterThan(5);
    for (let at = 1; at <= planned + 1; at++) {
      const killed = playRig(story);
      await killed.play({ dieAfter: at });
      expect([at, await killed.play()]).toEqual([at, end]);
      const paused = playRig(story);
      const first = await paused.play({
        onStored(_event, version, driving) {
          if (version !== at) return;
          const by = { type: 'run.paused', why: 'user', detail: null, resetAt: null } as const;
          driving.propose((_state, now) => ok({ ...by, at: now }));
        },
      });
      if (first !== end) expect([at, await paused.play()]).toEqual([at, end]);
    }
  });
});

it('pauses when the workspace goes away', async () => {
  const rig = playRig(STORIES[0]?.[1] ?? others);
  const end = await rig.play({
    onStored({ type }) {
      if (type === 'run.planned') rmSync(rig.workspace, { recursive: true });
    },
  });
  expect(end).toMatch(/^paused \(infra\): ENOENT/);
});

it('never takes a yes that rests on a call of a tool that there is not', async () => {
  const story = (key: TurnKey): ReturnType<Story> => {
    if (key.role === 'planner')
      return [['submit_plan', { nodes: [{ slug: 'a', title: 'A', spec: 'Do a.' }] }]];
    if (key.role === 'briefer') return 'No.';
    if (key.role === 'skeptic' && key.turn === 1) return [['look', {}]];
    if (key.role === 'worker' && key.turn === 1) return [['glob', { pattern: '**' }]];
    return others(key);
  };
  const rig = playRig(story, { changed: [] });
  expect(await rig.play()).toMatch(/^paused \(stuck\)/);
  const votes = (await rig.load()).events.flatMap(({ event }) =>
    event.type === 'vote.ended' ? [event.verdict] : [],
  );
  expect(votes).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
});
