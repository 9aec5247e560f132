/** Builds what the roles of a run are played with: models, snapshots, copies, sandbox. */

import { realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { ModelSettings } from '../contract/settings.ts';
import { DEFAULT_TIMEOUTS } from '../engine/perform.ts';
import type { World } from '../engine/play/world.ts';
import { sessionIndex } from '../engine/session-index.ts';
import { childEnv } from '../os/child-env.ts';
import { clearCopies, makeCopies } from '../os/copies.ts';
import { maskSecrets } from '../os/mask.ts';
import { createPipes } from '../os/pipes.ts';
import { makeRunner } from '../os/runner.ts';
import { sandboxPolicy } from '../os/sandbox-policy.ts';
import { openShadowGit, type ShadowGit } from '../os/shadow-git.ts';
import { isHalfWritten } from '../tool/open-inside.ts';
import { openCeilings, spendFile } from './ceilings.ts';
import type { Standing } from './drive-run.ts';
import { keyVariables, openModels } from './models.ts';
import { realClock } from './real-clock.ts';
import { secretsOf } from './secrets.ts';
import type { Session } from './session.ts';
import { findSkills } from './skills.ts';

export interface Opening {
  readonly session: Session;
  readonly run: string;
  readonly objective: string;
  readonly settings: ModelSettings;
  /** Whether to look first at what the servers serve. */
  readonly look: boolean;
  readonly standing: Standing;
}

export interface OpenWorld {
  readonly world: World;
  /** Sentences for the person before it begins. */
  readonly notices: readonly string[];
  /** Hears of what models do and journals do not keep; the last listener counts. */
  watch(heard: World['progress']): void;
  /** Steps of a script that nobody asked for. */
  unasked(): readonly string[];
}

/** The lease is held: nobody else works in the state directory. */
export async function openWorld(opening: Opening): Promise<Result<OpenWorld>> {
  const { session, run, objective, settings, look, standing } = opening;
  const { config, store } = session;
  const { stateDir } = config;
  const env = process.env;
  const begun = standing.created !== null;
  const above = { limits: config.limits, settings, file: spendFile(env), clock: realClock };
  const ceilings = openCeilings(above);
  if (!ceilings.ok) return ceilings;
  const models = await openModels(settings, { config, env, look, begun });
  if (!models.ok) return models;
  const workspace = realpathSync(session.workspace);
  const commands = await openCommands(opening, workspace);
  if (!commands.ok) return commands;
  const shadow = await openShadowGit({ root: workspace, stateDir, env });
  if (!shadow.ok) return fail({ code: 'workspace', message: shadow.fault.message });
  const cleared = await clearCopies(stateDir);
  if (!cleared.ok) return fail({ code: 'store_io', message: cleared.fault.message });
  const swept = await sweep(workspace, shadow.value);
  if (!swept.ok) return swept;
  const { skills } = await findSkills({
    workspace,
    env,
    skillDirs: config.skillDirs,
    instead: session.skillDirs ?? [],
  });
  const index = sessionIndex();
  for (const event of standing.events) index.add(event);
  let heard: World['progress'] = () => undefined;
  const world: World = {
    ...commands.value.world,
    run,
    objective,
    workspace,
    stateDir,
    worker: models.value.worker,
    verifier: models.value.verifier,
    shadow: shadow.value,
    copies: makeCopies({ shadow: shadow.value, root: workspace, stateDir }),
    timeouts: DEFAULT_TIMEOUTS,
    blobs: store.log,
    children: store.children,
    index,
    records: standing.records,
    skills: skills
      .filter(({ flow }) => flow === null)
      .map((skill) => ({ ...skill, folder: dirname(skill.path) })),
    ceilings: ceilings.value,
    clock: realClock,
    random: Math.random,
    progress: (event) => heard(event),
  };
  return ok({
    world,
    notices: commands.value.notices,
    watch: (listener) => (heard = listener),
    unasked: () => models.value.unasked(),
  });
}

/** Removes what a process of a run has left of a file that it was writing when it was killed. */
async function sweep(workspace: string, shadow: ShadowGit): Promise<Result<null>> {
  const files = await shadow.files();
  if (!files.ok) return fail({ code: 'workspace', message: files.fault.message });
  for (const path of files.value.filter(isHalfWritten)) {
    await rm(join(workspace, path), { force: true }).catch(() => undefined);
  }
  return ok(null);
}

interface Commands {
  readonly world: Pick<
    World,
    'runner' | 'runnerIn' | 'pipes' | 'env' | 'secrets' | 'wrap' | 'mask' | 'sandboxed'
  >;
  readonly notices: readonly string[];
}

/** How commands of the run are started, and what is taken out of what they say. */
async function openCommands(
  { session, run, settings }: Opening,
  workspace: string,
): Promise<Result<Commands>> {
  const { config, store } = session;
  const { stateDir } = config;
  const keys = keyVariables(config);
  const env = childEnv(process.env, keys);
  const policy = await sandboxPolicy({
    mode: settings.sandbox,
    allowNet: settings.allowNet,
    workspace,
    stateDir,
    run,
    home: homedir(),
    uid: process.getuid?.() ?? 0,
    env: process.env,
  });
  if (!policy.ok) return policy;
  const secrets = secretsOf(process.env, keys);
  const pipes = createPipes(env);
  const runnerIn = (root: string) =>
    makeRunner({
      workspace: root,
      stateDir,
      env,
      secrets,
      children: store.children,
      putBlob: (bytes) => store.log.putBlob(bytes),
      run,
      pipes,
      wrap: (command) => policy.wrap(command, root, { network: true, home: 'fresh' }),
    });
  const { why } = policy;
  const world = {
    runner: runnerIn(workspace),
    runnerIn,
    pipes,
    env,
    secrets,
    wrap: policy.wrap,
    mask: (text: string) => maskSecrets(text, secrets),
    sandboxed: why === null,
  };
  const unguarded = `Commands of models run without a sandbox (${why ?? ''}): they can write outside of the workspace and use the network.`;
  return ok({ world, notices: why === null ? [] : [unguarded] });
}
