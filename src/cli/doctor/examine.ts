/** The examinations of `doctor`: each gives findings, and none changes anything that lasts. */

import { accessSync, constants, existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isNewEnough } from '../../os/shadow-git.ts';
import { makeGitRunner } from '../../os/shadow-git-run.ts';
import { sandboxPolicy } from '../../os/sandbox-policy.ts';
import { openReader } from '../../store/store.ts';
import { examineCeilings } from './ceilings.ts';
import type { Config } from '../config.ts';
import { userFile } from '../config.ts';
import { examineModels } from './models.ts';

export interface Finding {
  readonly name: string;
  /** `bad` stops a run; `note` is worth knowing. */
  readonly state: 'ok' | 'note' | 'bad';
  readonly text: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

export interface Examined {
  readonly workspace: string;
  readonly config: Config;
  readonly env: Env;
  readonly online: boolean;
}

const OLDEST_NODE = 20;
const PATIENCE = 10_000;

/** What can be told whatever the configuration says. */
export function examineBase(workspace: string): readonly Finding[] {
  const { node } = process.versions;
  const isNew = Number(node.split('.')[0]) >= OLDEST_NODE;
  const text = isNew ? node : `${node}; install Node ${OLDEST_NODE} or newer`;
  return [
    { name: 'workspace', state: 'ok', text: workspace },
    { name: 'node', state: isNew ? 'ok' : 'bad', text },
  ];
}

/** Only nodes of models need it, for their work is what lies between two snapshots. */
async function examineGit({ workspace, config, env }: Examined): Promise<Finding> {
  const state = config.model === null ? 'note' : 'bad';
  const ran = await makeGitRunner({ env, timeout: PATIENCE }).run({ args: ['version'], cwd: workspace });
  if (!ran.ok) return { name: 'git', state, text: ran.fault.message };
  const version = ran.value.bytes.toString('utf8').trim();
  if (isNewEnough(version)) return { name: 'git', state: 'ok', text: version };
  return { name: 'git', state, text: `this is ${version}; install git 2.38 or newer` };
}

export async function examineConfigured(spec: Examined): Promise<readonly Finding[]> {
  return [
    await examineGit(spec),
    ...examineFiles(spec),
    ...examineState(spec.config.stateDir),
    ...examineCeilings(spec),
    ...(await examineSandbox(spec)),
    ...(await examineModels(spec)),
  ];
}

function examineFiles({ config, env }: Examined): readonly Finding[] {
  const own = userFile(env);
  const files = config.files.map((file): Finding => ({ name: 'configuration', state: 'ok', text: file }));
  if (config.files.includes(own)) return files;
  return [...files, { name: 'configuration', state: 'ok', text: `no ${own}` }];
}

function examineState(stateDir: string): readonly Finding[] {
  const name = 'state directory';
  if (!existsSync(stateDir)) {
    const parent = nearestThere(stateDir);
    return canWrite(parent)
      ? [{ name, state: 'ok', text: `${stateDir} is made by the first run` }]
      : [{ name, state: 'bad', text: `${stateDir} cannot be made: ${parent} may not be written` }];
  }
  const trouble = tryWriting(stateDir);
  const state: Finding =
    trouble === null ? { name, state: 'ok', text: stateDir } : { name, state: 'bad', text: trouble };
  return [state, examineJournal(stateDir)];
}

function examineJournal(stateDir: string): Finding {
  const reader = openReader(stateDir);
  if (!reader.ok) return { name: 'journal', state: 'bad', text: reader.fault.message };
  if (reader.value === null) return { name: 'journal', state: 'ok', text: 'made by the first run' };
  const holder = reader.value.lease.holder();
  reader.value.close();
  if (!holder.ok) return { name: 'journal', state: 'bad', text: holder.fault.message };
  if (holder.value === null) return { name: 'journal', state: 'ok', text: 'opens' };
  const { pid, host, run } = holder.value;
  return { name: 'journal', state: 'ok', text: `opens; process ${pid} on ${host} drives run ${run}` };
}

/** Being allowed to is not enough on a full or read-only disk. */
function tryWriting(folder: string): string | null {
  try {
    rmdirSync(mkdtempSync(join(folder, 'doctor-')));
    return null;
  } catch (error) {
    return `${folder} cannot be written (${(error as Error).message})`;
  }
}

function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path));
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function examineSandbox({ workspace, config, env }: Examined): Promise<readonly Finding[]> {
  const name = 'sandbox';
  const policy = await sandboxPolicy({
    mode: config.sandbox,
    allowNet: config.allowNet,
    workspace,
    stateDir: config.stateDir,
    run: null,
    home: env['HOME'] || homedir(),
    uid: process.getuid?.() ?? 0,
    env,
  });
  if (!policy.ok) return [{ name, state: 'bad', text: policy.fault.message }];
  const works: Finding = {
    name,
    state: policy.why === null ? 'ok' : 'note',
    text: policy.why ?? 'works for what models do and for checks of their work',
  };
  const holds = policy.holds.map((text): Finding => ({ name, state: 'ok', text }));
  const missing = policy.missing.map((text): Finding => ({ name, state: 'note', text }));
  return [works, ...holds, ...missing];
}
