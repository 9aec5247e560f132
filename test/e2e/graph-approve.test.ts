/** A plan that waits for a yes. */

import { describe, expect } from 'vitest';
import { MAIN } from '../support/rig-cli.ts';
import { typesOf } from '../support/rig-model-ledger.ts';
import { plainStory } from '../support/rig-model-story.ts';
import { by, test, type Provider } from '../support/rig-model.ts';
import { inTerminal, type Typist } from '../support/rig-pty.ts';
import type { Rig } from '../support/rig.ts';

const GRAPH = ['graph', 'Write the file', '--approve'] as const;

/** What a person is asked for is there to be seen, and nothing of it has begun. */
function mustWait(rig: Rig, provider: Provider): void {
  expect(provider.chats().map(({ key }) => key.role)).toEqual(['planner']);
  expect(typesOf(rig.journal().events)).not.toContain('node.started');
}

describe.concurrent('without a terminal', () => {
  test('shows the plan and ends with 3, and approve runs it', async ({ rig, provider }) => {
    provider.tell(plainStory('a', 'b'));
    const { exit, stdout } = await rig.run(by(provider, ...GRAPH));
    expect(exit).toBe(3);
    for (const words of ['a: Do a', 'grep -q done a.txt', 'b: Do b', 'goalgraph approve']) {
      expect(stdout).toContain(words);
    }
    expect((await rig.status()).status).toBe('approval');
    mustWait(rig, provider);
    // Neither of these is a yes.
    expect((await rig.run(['resume'])).exit).not.toBe(0);
    expect((await rig.run(['graph', 'Another', '--model', 'x', '--base-url', provider.baseUrl])).exit).toBe(
      2,
    );
    mustWait(rig, provider);
    expect((await rig.run(['approve'])).exit).toBe(0);
    expect(provider.chats('planner')).toHaveLength(1);
    const again = await rig.run(['approve']);
    expect(again.exit).toBe(2);
    expect(again.stderr).not.toBe('');
  });

  test('survives SIGKILL while it waits, and can be given up', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const owner = rig.start([...by(provider, ...GRAPH), '--json']);
    owner.onLine((line) => {
      if (line.includes('"run.planned"')) owner.kill('SIGKILL');
    });
    await owner.ended;
    expect((await rig.status()).status).toBe('approval');
    mustWait(rig, provider);
    expect((await rig.run(['clear'])).exit).toBe(0);
    expect((await rig.run(['approve'])).exit).toBe(2);
    mustWait(rig, provider);
  });
});

describe.concurrent('in a terminal', () => {
  function person(rig: Rig, provider: Provider): Typist {
    const argv = [process.execPath, MAIN, '-C', rig.workspace, ...by(provider, ...GRAPH)];
    return inTerminal({ argv, cwd: rig.root, env: rig.env, columns: 100, rows: 40 });
  }

  test('a yes runs it', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const typist = person(rig, provider);
    await typist.sees('Run this plan?');
    mustWait(rig, provider);
    typist.type('y\r');
    expect(await typist.ended).toEqual({ exit: 0, signal: 0 });
    expect((await rig.status()).status).toBe('complete');
  });

  for (const [what, keys] of [
    ['a no', 'n\r'],
    ['nothing', '\r'],
    ['another word', 'maybe\r'],
    ['the end of input', '\x04'],
    ['Ctrl-C', '\x03'],
  ] as const) {
    test(`${what} leaves it, and approve runs it later`, async ({ rig, provider }) => {
      provider.tell(plainStory('a'));
      const typist = person(rig, provider);
      await typist.sees('Run this plan?');
      typist.type(keys);
      expect(await typist.ended).toEqual({ exit: 3, signal: 0 });
      expect((await rig.status()).status).toBe('approval');
      mustWait(rig, provider);
      if (keys === 'n\r') expect((await rig.run(['approve'])).exit).toBe(0);
    });
  }
});
