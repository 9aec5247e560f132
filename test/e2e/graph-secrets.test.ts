/** Keys: where they must never be seen, also when a worker looks for them everywhere. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { MARK } from '../support/rig-processes.ts';
import { ACHIEVED, bash, planned, report } from '../support/rig-model-story.ts';
import { by, test } from '../support/rig-model.ts';
import { refuses } from '../support/wire-replies.ts';

/** In two parts each, so that they do not stand in this file's own compiled text as they are looked for. */
const KEYS = {
  GOALGRAPH_API_KEY: ['sk-rig-own', '4f1d8a20c6b35e97'].join('-'),
  OPENAI_API_KEY: ['sk-proj-rig', '9b07e3d2a1c84f65'].join('-'),
  ANTHROPIC_API_KEY: ['sk-ant-rig', 'c2e6a9d40b7f1358'].join('-'),
};

/** The same key under a name that says nothing. */
const COPY = { MY_SETTING: `token=${KEYS.GOALGRAPH_API_KEY}` };

/** Of this test's own processes only: what others have in their environment is nobody's business. */
const LOOK = [
  'env',
  'env > env.txt',
  'cat /proc/self/environ',
  `for p in /proc/[0-9]*; do grep -aqs "${MARK}=$${MARK}" $p/environ && tr '\\0' '\\n' < $p/environ; done`,
  // In pieces, as a key may come when output is read in chunks.
  `for p in /proc/[0-9]*; do grep -aqs "${MARK}=$${MARK}" $p/environ && dd bs=7 status=none < $p/environ; done`,
  'echo looked; echo done > a.txt',
].join('\n');

function holdsKey(text: string): boolean {
  return Object.values(KEYS).some((key) => text.includes(key));
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe.concurrent('a key in the environment', () => {
  for (const sandbox of ['auto', 'off']) {
    test(`F-190, F-191, F-199 is in no file, output, argument or request, though a worker looks for it: --sandbox ${sandbox}`, async ({
      rig,
      provider,
    }) => {
      provider.key = KEYS.GOALGRAPH_API_KEY;
      provider.tell([
        planned([{ slug: 'a', scope: [] }]),
        { role: 'worker', turn: 1, calls: [bash(LOOK)] },
        { role: 'worker', turn: 2, calls: [report({ evidence: [`I saw ${KEYS.OPENAI_API_KEY}`] })] },
        { role: 'skeptic', turn: 1, calls: [bash(LOOK)] },
        ...ACHIEVED,
      ]);
      const owner = rig.start([...by(provider, 'graph', 'Write a.txt', '--sandbox', sandbox), '--json'], {
        env: { ...KEYS, ...COPY },
      });
      const commands = new Set<string>();
      while (!owner.isOver()) {
        for (const { command } of rig.alive()) commands.add(command);
        await Promise.race([owner.ended, delay(50)]);
      }
      const { exit, stdout, stderr } = await owner.ended;
      expect(exit).toBe(0);

      const told = provider.chats().map(({ body }) => JSON.stringify(body));
      expect(told.some((body) => body.includes('looked'))).toBe(true);
      // Without a sandbox it does find them, in the program's own environment, and is not shown them.
      expect(told.some((body) => body.includes('OPENAI_API_KEY='))).toBe(sandbox === 'off');
      expect(told.filter(holdsKey)).toEqual([]);
      expect(holdsKey(stdout + stderr)).toBe(false);
      const human = await Promise.all([rig.run(['status']), rig.run(['log', 'a']), rig.run(['show'])]);
      expect(human.map((end) => holdsKey(end.stdout + end.stderr))).toEqual([false, false, false]);
      expect(commands.size).toBeGreaterThan(2);
      expect([...commands].filter(holdsKey)).toEqual([]);

      const files = filesUnder(rig.stateDir);
      expect(files.length).toBeGreaterThan(5);
      expect(files.filter((file) => holdsKey(readFileSync(file, 'latin1')))).toEqual([]);
      // Objects of the snapshots are compressed.
      const git = [
        '--git-dir',
        join(rig.stateDir, 'shadow.git'),
        'cat-file',
        '--batch-all-objects',
        '--batch',
      ];
      const { stdout: objects } = await execa('git', git, { encoding: 'latin1' });
      expect(objects).toContain('done');
      expect(holdsKey(objects)).toBe(false);
      expect(holdsKey(readFileSync(join(rig.workspace, 'env.txt'), 'utf8'))).toBe(false);
      expect(existsSync(join(rig.workspace, 'a.txt'))).toBe(true);
    });
  }

  test('that the provider repeats is not repeated', async ({ rig, provider }) => {
    const key = KEYS.GOALGRAPH_API_KEY;
    const env = { GOALGRAPH_API_KEY: key };
    provider.key = key;
    provider.tell([
      { ...planned([{ slug: 'a', spec: `Use ${key}` }]), text: `The key is ${key}`, reasoning: key },
      { role: 'worker', turn: 1, text: key, calls: [bash(`echo ${key}; echo done > a.txt`)] },
    ]);
    const message = `Incorrect API key provided: ${key}`;
    provider.misbehave(
      ({ key: { role, turn } }) => role === 'worker' && turn === 2,
      refuses(401, { message }),
    );
    const ends = [await rig.run([...by(provider, 'graph', 'Write a.txt'), '--json'], { env })];
    expect(ends[0]?.exit).toBe(5);
    ends.push(await rig.run(['status'], { env }), await rig.run(['log', 'a'], { env }));
    for (const { stdout, stderr } of ends) expect(holdsKey(stdout + stderr)).toBe(false);
    expect(filesUnder(rig.stateDir).filter((file) => holdsKey(readFileSync(file, 'latin1')))).toEqual([]);
    expect(provider.chats().filter(({ body }) => holdsKey(JSON.stringify(body)))).toEqual([]);
  });

  test('goes to the server that was configured, and nowhere else', async ({ rig, provider }) => {
    provider.key = KEYS.GOALGRAPH_API_KEY;
    provider.tell([planned([{ slug: 'a' }])]);
    const args = by(provider, 'graph', 'Write a.txt', '--approve');
    expect((await rig.run(args, { env: KEYS })).exit).toBe(3);
    const sent = provider.requests.map(({ headers }) => headers);
    expect(new Set(sent.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${KEYS.GOALGRAPH_API_KEY}`]),
    );
    const others = sent.map(({ authorization: _, ...rest }) => JSON.stringify(rest));
    expect(others.filter(holdsKey)).toEqual([]);
  });
});
