import { expect, it, onTestFinished } from 'vitest';
import { ok } from '../../../src/contract/fault.ts';
import { copyBash, workingTools } from '../../../src/engine/play/role-tools.ts';
import type { World } from '../../../src/engine/play/world.ts';
import { createPipes } from '../../../src/os/pipes.ts';
import { tempFolder } from '../../support/os.ts';

it('only the commands of a worker find what the ones before them left in HOME', async () => {
  const env = { PATH: process.env['PATH'] };
  const pipes = createPipes(env);
  onTestFinished(() => pipes.close());
  const [workspace, copy] = [tempFolder(), tempFolder()];
  const wrapped: unknown[] = [];
  const world = {
    run: 'r',
    workspace,
    stateDir: tempFolder(),
    env,
    pipes,
    secrets: [],
    skills: [],
    children: { record: () => ok(null), forget: () => undefined },
    copies: { copy: () => Promise.resolve(ok({ root: copy, remove: () => Promise.resolve() })) },
    wrap(command: string, ...how: unknown[]) {
      wrapped.push(how);
      return command;
    },
  } as unknown as World;
  const { signal } = new AbortController();
  const tools = await workingTools(world, { scope: [], key: 'k' });
  await tools.find(({ name }) => name === 'bash')?.run({ command: 'true' }, signal);
  await copyBash(world, { tree: 't', key: 'k' }).tool.run({ command: 'true' }, signal);
  expect(wrapped).toEqual([
    [workspace, { network: true, home: 'kept' }],
    [copy, { network: false, home: 'fresh' }],
  ]);
});
