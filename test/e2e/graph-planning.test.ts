/** What a planner hands in, in every shape, and what is shown of what it and the others say. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventsIn } from '../support/rig-journal.ts';
import { reckon } from '../support/rig-model-ledger.ts';
import { ACHIEVED, bash, planned, report, verdict, writer, type Step } from '../support/rig-model-story.ts';
import { by, MODEL, test } from '../support/rig-model.ts';
import { refuses } from '../support/wire-replies.ts';

const GRAPH = ['graph', 'Write a.txt'] as const;
const NODE = {
  slug: 'a',
  title: 'Do a',
  spec: 'a.txt has a line that says done.',
  scope: ['a.txt'],
  checks: [{ run: 'grep -q done a.txt' }],
};
const PLAN = JSON.stringify({ nodes: [NODE] });
const submit = (args: unknown): Step => ({ role: 'planner', calls: [{ name: 'submit_plan', args }] });

describe.concurrent('a plan', () => {
  const taken: readonly (readonly [string, readonly Step[]])[] = [
    [
      'F-76, F-158 in a fence, in words',
      [{ role: 'planner', text: `Here it is:\n\n\`\`\`json\n${PLAN}\n\`\`\`\nDone.` }],
    ],
    ['F-76 with a BOM and CRLF', [{ role: 'planner', text: `\uFEFF${PLAN.replaceAll(',', ',\r\n')}\r\n` }]],
    ['under another name', [submit({ plan: { nodes: [NODE] } })]],
    [
      'after one that was refused',
      [
        { ...submit({ nodes: [{ ...NODE, deps: ['b'] }] }), turn: 1 },
        { ...submit({ nodes: [NODE] }), turn: 2 },
      ],
    ],
    [
      'after arguments that nobody can read',
      [
        { ...submit('{"nodes": ['), turn: 1 },
        { ...submit({ nodes: [NODE] }), turn: 2 },
      ],
    ],
    [
      'with a command and a budget of its own, which are not taken',
      [submit({ nodes: [{ ...NODE, run: 'touch hacked', budget: '1m' }] })],
    ],
  ];
  for (const [what, steps] of taken) {
    test(`is taken: ${what}`, async ({ rig, provider }) => {
      provider.tell([...steps, ...writer('a'), ...ACHIEVED]);
      const { exit } = await rig.run(by(provider, ...GRAPH));
      expect({ exit, unknown: provider.unknown }).toEqual({ exit: 0, unknown: [] });
      expect((await rig.status()).nodes.map(({ slug }) => slug)).toEqual(['a', 'gn-final']);
      expect(existsSync(join(rig.workspace, 'hacked'))).toBe(false);
      expect(existsSync(join(rig.workspace, 'a.txt'))).toBe(true);
    });
  }

  const refusals: readonly (readonly [string, Step, string])[] = [
    ['F-59 without a node', submit({ nodes: [] }), 'node'],
    ['F-67 with nothing for a node', submit({ nodes: [null, {}] }), 'node'],
    ['F-67 with an object for its nodes', submit({ nodes: {} }), 'nodes'],
    ['that takes the name of the final node', submit({ nodes: [{ ...NODE, slug: 'gn-final' }] }), 'gn-final'],
    ['that is none', { role: 'planner', text: 'I cannot plan this.' }, 'plan'],
  ];
  for (const [what, step, words] of refusals) {
    test(`is refused, and nothing runs: ${what}`, async ({ rig, provider }) => {
      provider.tell([step]);
      const { exit, stdout } = await rig.run(by(provider, ...GRAPH));
      expect(exit).toBe(5);
      expect(stdout).toContain(words);
      expect(provider.chats().length).toBeLessThanOrEqual(3);
      expect(provider.chats().filter(({ key }) => key.role !== 'planner')).toEqual([]);
      expect(await rig.status()).toMatchObject({ status: 'paused', why: 'infra', nodes: [] });
    });
  }
});

describe('what models say', () => {
  const NASTY = '\x1b[31mred\x1b]0;title\x07\x1b[2J<img src=x onerror=alert(1)>\u202e';

  test('F-193 is shown without its controls, wherever it is shown', async ({ rig, provider }) => {
    provider.tell([
      { ...planned([{ slug: 'a', spec: `done ${NASTY}` }]), text: NASTY, reasoning: NASTY },
      {
        role: 'worker',
        round: 1,
        turn: 1,
        text: NASTY,
        calls: [bash(`printf '\\033[31mred\\007'; echo done > a.txt`)],
      },
      { role: 'worker', calls: [report({ summary: `did ${NASTY}`, discovered: [`more ${NASTY}`] })] },
      { role: 'skeptic', node: 'a', round: 1, turn: 1, calls: [bash('ls')] },
      {
        role: 'skeptic',
        node: 'a',
        round: 1,
        turn: 2,
        calls: [verdict('refuted', [`gap ${NASTY}`], { injection: NASTY })],
      },
      { role: 'skeptic', turn: 1, calls: [{ name: `tool${NASTY}` }, bash('ls')] },
      ...ACHIEVED,
    ]);
    // Once more what changes the tree, or the second claim would be the first one.
    provider.misbehave(
      ({ key }) => key.role === 'worker' && key.round === 2,
      refuses(400, { message: `bad ${NASTY}` }),
    );
    const said = [await rig.run(by(provider, ...GRAPH))];
    for (const words of [['status'], ['log', 'a'], ['show'], ['runs'], ['export', '--format', 'mermaid']]) {
      said.push(await rig.run(words));
    }
    for (const { stdout, stderr } of said)
      expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202e]/);
    expect(said[0]?.stdout).toContain('red');
    expect(provider.chats().some(({ key }) => key.round === 2)).toBe(true);
  });
});

describe('a verifier of its own', () => {
  test('judges, and nobody else is asked to', async ({ rig, provider }) => {
    provider.models = [MODEL, 'judge'];
    provider.tell([planned([{ slug: 'a' }]), ...writer('a'), ...ACHIEVED]);
    const { exit, stdout } = await rig.run([
      ...by(provider, ...GRAPH),
      '--verifier-model',
      'judge',
      '--json',
    ]);
    expect(exit).toBe(0);
    for (const { key, body } of provider.chats())
      expect(body.model).toBe(key.role === 'skeptic' ? 'judge' : MODEL);
    const { budget } = await rig.status();
    expect(budget?.models.map(({ model }) => model).sort()).toEqual(['judge', MODEL]);
    expect(reckon(eventsIn(stdout)).charged).toEqual(provider.reported());
  });

  test('that is not served is told before anything is asked', async ({ rig, provider }) => {
    const { exit, stderr } = await rig.run([...by(provider, ...GRAPH), '--verifier-model', 'judge']);
    expect(exit).toBe(2);
    expect(stderr).toContain('does not serve judge');
    expect(provider.chats()).toEqual([]);
  });
});
