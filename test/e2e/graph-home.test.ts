/** What a worker leaves in its HOME: for its own next command, and for nobody who judges it. */

import { spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { ACHIEVED, bash, planned, report } from '../support/rig-model-story.ts';
import { by, test } from '../support/rig-model.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', 'true']).status === 0;
if (!works) process.stderr.write('\nNOT TESTED, for there is no sandbox here: the home of checks\n');

describe.runIf(works)('the settings that a worker writes into its HOME', () => {
  test('are there for its next command, and neither for checks nor for skeptics', async ({
    rig,
    provider,
  }) => {
    const look = 'test -e ~/.npmrc && echo they are there || echo they are not there';
    const check = 'test ! -e ~/.npmrc && grep -q done a.txt';
    provider.tell([
      planned([{ slug: 'a', checks: [{ run: check }] }]),
      { role: 'worker', turn: 1, calls: [bash('echo script-shell=/bin/true > ~/.npmrc')] },
      { role: 'worker', turn: 2, calls: [bash(`echo done > a.txt; ${look}`)] },
      { role: 'worker', turn: 3, calls: [report()] },
      { role: 'skeptic', turn: 1, calls: [bash(look)] },
      ...ACHIEVED,
    ]);
    const end = await rig.run(by(provider, 'graph', 'Write a.txt', '--sandbox', 'required'));
    expect(end.exit).toBe(0);
    const told = (role: string) =>
      provider.chats(role).flatMap(({ body }) => body.messages.filter((message) => message.role === 'tool'));
    expect(JSON.stringify(told('worker'))).toContain('they are there');
    expect(JSON.stringify(told('skeptic'))).toContain('they are not there');
    expect(JSON.stringify(told('skeptic'))).not.toContain('they are there');
  });
});
