/** Runs in a process of their own, and those who watch them: nothing that a watcher does touches the run. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../support/os.ts';
import { MAIN } from '../support/rig-cli.ts';
import { reckon } from '../support/rig-model-ledger.ts';
import { plainStory } from '../support/rig-model-story.ts';
import { by, test } from '../support/rig-model.ts';
import { inTerminal } from '../support/rig-pty.ts';
import type { Rig } from '../support/rig.ts';

const isWorker = ({ key }: { readonly key: { readonly role: string } }): boolean => key.role === 'worker';

function isOver(rig: Rig): Promise<void> {
  return until('nothing of it runs any more', () => rig.alive().length === 0, 30_000);
}

/** What `--detach --json` says. */
interface Told {
  readonly run: string;
  readonly pid: number;
  readonly output: string;
}

describe.concurrent('a run that is detached', () => {
  test('outlives its terminal, and is watched from another one', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(isWorker);
    const begun = await rig.run(
      by(provider, 'graph', 'Write the file', '--budget', '1m', '--detach', '--json'),
    );
    expect(begun).toMatchObject({ exit: 0, stderr: '' });
    const { run, pid, output } = JSON.parse(begun.stdout) as Told;
    expect(output).toBe(join(rig.stateDir, 'runs', run, 'output.log'));
    await held.arrived;
    expect(await rig.status()).toMatchObject({ run, status: 'running' });

    const watcher = rig.start(['attach']);
    await watcher.says(`process ${pid}`);
    watcher.kill('SIGINT');
    expect((await watcher.ended).exit).toBe(0);
    const again = rig.start(['attach', '--run', run]);
    const follower = rig.start(['logs', '-f', '--json']);
    await again.says(`process ${pid}`);
    await follower.says('run.created');
    const far = await rig.run(['logs']);
    expect(far.exit).toBe(0);
    expect(far.stdout).toContain('run');
    expect(rig.alive().map((one) => one.pid)).toContain(pid);

    held.release();
    const shown = await again.ended;
    expect([shown.exit, shown.stdout]).toEqual([0, expect.stringContaining('run complete') as string]);
    expect(shown.stdout).toContain('spent');
    const followed = await follower.ended;
    await isOver(rig);
    const { events } = rig.journal();
    expect(followed.exit).toBe(0);
    expect(followed.stdout.trim().split('\n')).toHaveLength(events.length);
    expect(reckon(events).charged).toEqual(provider.reported());
    expect(readFileSync(output, 'utf8')).toContain('"type":"run.completed"');
    expect(readdirSync(join(rig.stateDir, 'runs'))).toEqual([run]);
  });

  test('that is paused gives its exit code to whoever watches, and is resumed as it was begun', async ({
    rig,
    provider,
  }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(isWorker);
    const begun = await rig.run(by(provider, 'graph', 'Write the file', '--budget', '1m', '--detach'));
    expect(begun.stdout).toContain('goalgraph attach');
    await held.arrived;
    const watcher = rig.start(['attach']);
    await watcher.says('Ctrl-C');
    expect((await rig.run(['pause'])).exit).toBe(0);
    expect((await watcher.ended).exit).toBe(3);
    await isOver(rig);
    const resumed = await rig.run(['resume', '--detach', '--json']);
    const { run, output } = JSON.parse(resumed.stdout) as Told;
    const end = await rig.run(['attach']);
    expect([end.exit, end.stdout]).toEqual([0, expect.stringContaining(run) as string]);
    await isOver(rig);
    expect(readFileSync(output, 'utf8')).toContain('"type":"run.resumed"');
    expect(output).toBe(join(rig.stateDir, 'runs', run, 'output-2.log'));
    expect(readFileSync(join(rig.stateDir, 'runs', run, 'output.log'), 'utf8')).toContain('run paused');
  });

  test('that cannot be begun says why, with its exit code', async ({ rig, provider }) => {
    const missing = await rig.run(['run', 'missing.md', '--detach']);
    expect([missing.exit, missing.stderr]).toEqual([2, expect.stringContaining('missing.md') as string]);
    const bare = await rig.run(by(provider, 'graph', 'Write', '--unattended', '--detach'));
    expect([bare.exit, bare.stderr]).toEqual([2, expect.stringContaining('--no-budget') as string]);
    const runs = join(rig.stateDir, 'runs');
    expect(existsSync(runs) ? readdirSync(runs) : []).toEqual([]);
  });

  test('is told to be gone when its process was killed', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(isWorker);
    const begun = await rig.run(
      by(provider, 'graph', 'Write the file', '--budget', '1m', '--detach', '--json'),
    );
    const { pid } = JSON.parse(begun.stdout) as Told;
    await held.arrived;
    const watcher = rig.start(['attach']);
    await watcher.says('Ctrl-C');
    process.kill(pid, 'SIGKILL');
    const end = await watcher.ended;
    expect([end.exit, end.stderr]).toEqual([5, expect.stringContaining('goalgraph resume') as string]);
    await isOver(rig);
  });

  test('may be one of commands, in the workspace that its plan names', async ({ rig }) => {
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'echo done > a.txt' }] });
    const begun = await rig.run(['run', plan, '--detach']);
    expect(begun.exit).toBe(0);
    await isOver(rig);
    const [run = ''] = readdirSync(join(rig.stateDir, 'runs'));
    const output = join(rig.stateDir, 'runs', run, 'output.log');
    expect(begun.stdout).toContain(output);
    expect(readFileSync(output, 'utf8')).toContain('run complete');
    const [first] = (await rig.run(['logs', '-f'])).stdout.split('\n');
    expect(first).toContain('run');
  });
});

describe('in a terminal', () => {
  test('attach shows what runs, and one Ctrl-C gives the terminal back and leaves the run alone', async ({
    rig,
  }) => {
    const puppet = rig.puppet('a');
    const plan = rig.plan({ nodes: [{ slug: 'alpha', run: puppet.command }] });
    const begun = await rig.run(['run', plan, '--detach']);
    expect(begun.exit).toBe(0);
    const call = await puppet.called();
    const watch = () =>
      inTerminal({
        argv: [process.execPath, MAIN, '-C', rig.workspace, 'attach'],
        cwd: rig.root,
        env: rig.env,
        columns: 100,
        rows: 30,
        from: /Run \d{8}-/,
      });
    const person = watch();
    await person.sees('alpha  running');
    person.type('\x03');
    expect((await person.ended).exit).toBe(0);
    expect(person.screen.cursorShown()).toBe(true);
    expect(call.endedAt()).toBeNull();
    const again = watch();
    await again.sees('alpha  running');
    call.exit(0);
    expect((await again.ended).exit).toBe(0);
    expect(again.screen.text().join('\n')).toContain('complete');
    await isOver(rig);
  });
});
