/** A state directory that came with the repository: nothing that its journal says is sent or run without a yes. */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { MAIN } from '../support/rig-cli.ts';
import { plainStory } from '../support/rig-model-story.ts';
import { by, test } from '../support/rig-model.ts';
import type { Rig } from '../support/rig.ts';
import { refuses } from '../support/wire-replies.ts';

/** Somebody else, on another machine as it were. */
function stranger(rig: Rig): { readonly env: Readonly<Record<string, string>> } {
  const home = join(rig.root, 'stranger');
  mkdirSync(home, { recursive: true });
  return { env: { HOME: home } };
}

const STRANGE = 'was not made by you on this machine';
const REFUSED = { exit: 2, stdout: '', stderr: expect.stringContaining(STRANGE) as string };

/** A run of a stranger whose first node has failed, and whose command would succeed now. */
async function strangersRun(rig: Rig): Promise<string> {
  const made = join(rig.workspace, 'made');
  const command = `test -f ${join(rig.root, 'go')} && echo made > made`;
  const plan = rig.plan({ nodes: [{ slug: 'a', run: command }] });
  expect((await rig.run(['run', plan], stranger(rig))).exit).toBe(1);
  expect((await rig.run(['retry', 'a'], stranger(rig))).exit).toBe(0);
  writeFileSync(join(rig.root, 'go'), '');
  return made;
}

describe.concurrent("a stranger's state", () => {
  test('is not gone on with: no request is made, and no command is run', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    provider.misbehave(({ key }) => key.role === 'worker', refuses(401, { message: 'Out of order' }));
    const begun = await rig.run(by(provider, 'graph', 'Write the file', '--budget', '1m'), stranger(rig));
    expect(begun.exit).toBe(5);
    const sent = provider.requests.length;
    const before = rig.journal().events.length;

    expect(await rig.run(['resume'])).toMatchObject(REFUSED);
    expect(await rig.run(['resume', '--detach'])).toMatchObject(REFUSED);
    // Nor is a question asked of whoever its journal names, with this person's key.
    const asked = await execa(process.execPath, [MAIN, '-C', rig.workspace], {
      input: 'what is this about?\n',
      env: { ...rig.env, GOALGRAPH_API_KEY: 'hunter2-hunter2' },
      extendEnv: false,
      reject: false,
    });
    expect(asked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--trust') as string });
    expect(provider.requests).toHaveLength(sent);
    expect(rig.journal().events).toHaveLength(before);

    expect((await rig.run(['resume', '--trust'])).exit).toBe(0);
    expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\n');
  });

  test('takes no new run and no approval, but may be looked at and given up', async ({ rig }) => {
    const made = await strangersRun(rig);
    const plan = rig.plan({ nodes: [{ slug: 'b', run: 'echo b > b' }] });
    for (const args of [['resume'], ['approve'], ['run', plan]]) {
      expect(await rig.run(args)).toMatchObject(REFUSED);
    }
    expect(existsSync(made)).toBe(false);
    for (const args of [['status'], ['log', 'a'], ['runs'], ['clear']]) {
      expect((await rig.run(args)).exit).toBe(0);
    }
    expect(await rig.run(['run', plan])).toMatchObject(REFUSED);
    expect((await rig.run(['run', plan, '--trust'])).exit).toBe(0);
    // Said once, it holds.
    expect((await rig.run(['run', plan])).exit).toBe(0);
    expect(existsSync(made)).toBe(false);
  });

  test('is not theirs by a link to what only they hold, and nothing is written through one', async ({
    rig,
  }) => {
    const made = await strangersRun(rig);
    const other = join(rig.root, 'other');
    mkdirSync(other);
    expect(
      (await rig.run(['run', rig.plan({ nodes: [{ slug: 'c', run: 'true' }] })], { dir: other })).exit,
    ).toBe(0);
    const own = join(rig.env['HOME'] ?? '', '.local/state/goalgraph/owner');
    const id = readFileSync(own, 'utf8');
    expect(id).toMatch(/^[0-9a-f]{32}\n$/);
    const file = join(rig.stateDir, 'owner');
    unlinkSync(file);
    symlinkSync(own, file);
    expect(await rig.run(['resume'])).toMatchObject(REFUSED);
    expect(existsSync(made)).toBe(false);
    unlinkSync(file);
    const precious = join(rig.root, 'precious');
    writeFileSync(precious, 'kept');
    symlinkSync(precious, file);
    expect((await rig.run(['resume', '--trust'])).exit).toBe(0);
    expect(readFileSync(precious, 'utf8')).toBe('kept');
    expect(lstatSync(file).isFile()).toBe(true);
  });
});

describe.concurrent('state of their own', () => {
  test('goes with a workspace that is moved', async ({ rig }) => {
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'test -f go' }] });
    expect((await rig.run(['run', plan])).exit).toBe(1);
    expect((await rig.run(['retry', 'a'])).exit).toBe(0);
    const moved = join(rig.root, 'moved');
    renameSync(rig.workspace, moved);
    writeFileSync(join(moved, 'go'), '');
    const { exit, stderr } = await rig.run(['resume'], { dir: moved });
    renameSync(moved, rig.workspace);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  });

  test('cannot be told from others without a home, and is not begun by mistake', async ({ rig }) => {
    const env = { XDG_STATE_HOME: join(rig.root, 'file') };
    writeFileSync(env.XDG_STATE_HOME, '');
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'true' }] });
    const { exit, stderr } = await rig.run(['run', plan], { env });
    expect({ exit, stderr }).toEqual({ exit: 5, stderr: expect.stringContaining('--trust') as string });
    expect(existsSync(join(rig.stateDir, 'journal.db'))).toBe(false);
    expect((await rig.run(['run', plan, '--trust'], { env })).exit).toBe(0);
  });

  test('is not begun by a request for a run that is not there', async ({ rig }) => {
    mkdirSync(rig.stateDir);
    expect(await rig.run(['pause'])).toMatchObject({ exit: 2 });
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'true' }] });
    expect((await rig.run(['run', plan])).exit).toBe(0);
  });
});
