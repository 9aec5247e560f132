/** What a person can do for a node that models have failed at: begin it anew, change it, go on without it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { reckon } from '../support/rig-model-ledger.ts';
import { ACHIEVED, bash, planned, report, writer } from '../support/rig-model-story.ts';
import { by, test, type Provider } from '../support/rig-model.ts';
import type { Rig } from '../support/rig.ts';

/** `a` fails because its worker does nothing; `b` builds on it. */
async function stuck(rig: Rig, provider: Provider): Promise<number> {
  provider.tell([
    planned([
      { slug: 'a', spec: 'THE OLD SPEC' },
      { slug: 'b', deps: ['a'] },
    ]),
    { role: 'worker', node: 'a', text: 'Ready when you are.' },
  ]);
  expect((await rig.run(by(provider, 'graph', 'Write a.txt and b.txt'))).exit).toBe(1);
  provider.tell([...writer('a'), ...writer('b'), ...ACHIEVED]);
  return provider.chats().length;
}

function textsOf(provider: Provider, role: string, from: number): readonly string[] {
  return provider
    .chats(role)
    .filter(({ nth }) => nth > from)
    .map(({ body }) => JSON.stringify(body.messages));
}

describe.concurrent('a node that models have failed at', () => {
  test('begins anew with retry: a conversation of its own, the old tokens counted', async ({
    rig,
    provider,
  }) => {
    const asked = await stuck(rig, provider);
    const before = reckon(rig.journal().events).spent;
    expect((await rig.run(['retry', 'a'])).exit).toBe(0);
    expect(provider.chats()).toHaveLength(asked);
    expect((await rig.run(['resume'])).exit).toBe(0);
    const [first] = provider.chats('worker').filter(({ nth }) => nth > asked);
    expect(first?.body.messages).toHaveLength(2);
    const sums = reckon(rig.journal().events);
    expect(sums.charged).toEqual(provider.reported());
    expect(sums.spent).toBeGreaterThan(before);
  });

  test('is shown its new spec after edit, and nothing of the old one', async ({ rig, provider }) => {
    const asked = await stuck(rig, provider);
    const file = join(rig.root, 'spec.txt');
    writeFileSync(file, 'THE NEW SPEC: a.txt says done.');
    expect((await rig.run(['edit', 'a', '--spec-file', file])).exit).toBe(0);
    expect((await rig.run(['resume'])).exit).toBe(0);
    for (const role of ['worker', 'skeptic']) {
      const texts = textsOf(provider, role, asked);
      expect(texts.some((text) => text.includes('THE NEW SPEC'))).toBe(true);
      expect(texts.filter((text) => text.includes('THE OLD SPEC'))).toEqual([]);
    }
  });

  test('is named to whoever comes after it, when it is skipped', async ({ rig, provider }) => {
    const asked = await stuck(rig, provider);
    expect((await rig.run(['skip', 'a'])).exit).toBe(0);
    const { exit, stdout } = await rig.run(['resume']);
    expect(exit).toBe(0);
    expect(stdout).toContain('skipped');
    const finals = provider.chats('skeptic').filter(({ key }) => key.node === 'gn-final');
    for (const { body } of finals) expect(JSON.stringify(body.messages)).toMatch(/skipped/);
    expect(textsOf(provider, 'worker', asked)[0]).toMatch(/skipped/);
    expect(provider.chats('worker').filter(({ key, nth }) => key.node === 'a' && nth > asked)).toEqual([]);
  });

  test('can be retried while others run', async ({ rig, provider }) => {
    const asked = await stuck(rig, provider);
    provider.tell([
      { role: 'worker', node: 'a', turn: 1, calls: [bash('echo done > a.txt')] },
      { role: 'worker', turn: 2, calls: [report()] },
      ...writer('b'),
      ...ACHIEVED,
    ]);
    expect((await rig.run(['retry', 'a'])).exit).toBe(0);
    const held = provider.hold(({ key }) => key.role === 'worker' && key.node === 'a' && key.turn === 2);
    const owner = rig.start(['resume']);
    await held.arrived;
    // It is at work, so there is nothing to retry: refused, and the work goes on.
    expect((await rig.run(['retry', 'a'])).exit).toBe(2);
    held.release();
    expect((await owner.ended).exit).toBe(0);
    expect(provider.chats('worker').filter(({ nth }) => nth > asked)).toHaveLength(4);
  });
});
