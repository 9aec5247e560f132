/** Which flow is meant: the name of a skill, or a file. */

import { existsSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { fail, ok, type Fault, type Result } from '../contract/fault.ts';
import type { Flow } from '../contract/flow.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { nearest } from '../graph/nearest.ts';
import { readTextFile } from '../os/text-file.ts';
import { readConfig } from './config.ts';
import type { Context } from './context.ts';
import { isFlowFile, languageOf } from './flow-file.ts';
import { faultAt, findSkills, readSkill, type FoundSkill, type Skills } from './skills.ts';
import { workspaceHere } from './workspace.ts';

export interface FlowSource {
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly path: string;
  readonly flow: Flow;
}

/** Bytes of a chart. */
const MOST_BYTES = 1024 * 1024;

export async function findFlow(
  context: Context,
  name: string,
  instead: readonly string[],
): Promise<Result<FlowSource>> {
  const file = resolve(context.dir ?? '.', name);
  const isFile = name.includes('/') || isFlowFile(name) || extname(name).toLowerCase() === '.md';
  if (isFile && (existsSync(file) || name.includes('/'))) return flowOfFile(file);
  const skill = await findSkill(context, name, { instead, flowsOnly: true });
  return skill.ok ? flowOfSkill(skill.value) : skill;
}

export async function flowOfFile(path: string): Promise<Result<FlowSource>> {
  const language = languageOf(path);
  if (language === null) {
    const skill = await readSkill(path, { scope: 'extra' });
    return skill.ok ? flowOfSkill(skill.value) : skill;
  }
  const text = await readTextFile(path, MOST_BYTES);
  if (!text.ok) return text;
  const flow = parseFlow(language, text.value.replace(/^\ufeff/, ''));
  if (!flow.ok) return fail(faultAt(path, flow.fault));
  const name = basename(path, extname(path));
  return ok({ name, description: `the chart in ${basename(path)}`, path, flow: flow.value });
}

function flowOfSkill({ name, description, path, flow, flaw }: FoundSkill): Result<FlowSource> {
  if (flow !== null) return ok({ name, description, path, flow });
  if (flaw !== null) return fail(faultAt(path, flaw));
  const message = `${name} (${path}) is a skill of instructions only: it does not say type: flow. Use it with goalgraph skill ${name}`;
  return fail({ code: 'plan_file', message });
}

/** Folders that were named, which must be there: relative ones after `-C`, as all files. */
export function namedFolders(
  { dir }: Pick<Context, 'dir'>,
  folders: readonly string[],
): Result<readonly string[]> {
  const absolute = folders.map((folder) => resolve(dir ?? '.', folder));
  const missing = absolute.find((folder) => !existsSync(folder));
  if (missing === undefined) return ok(absolute);
  return fail({ code: 'usage', message: `--skills-dir: there is no folder ${missing}.` });
}

export async function skillsHere(context: Context, instead: readonly string[]): Promise<Result<Skills>> {
  const workspace = workspaceHere(context.dir);
  if (!workspace.ok) return workspace;
  const config = readConfig(workspace.value);
  if (!config.ok) return config;
  const { skillDirs } = config.value;
  return ok(await findSkills({ workspace: workspace.value, env: process.env, skillDirs, instead }));
}

/** Names are told apart whatever their case. */
export async function findSkill(
  context: Context,
  name: string,
  { instead, flowsOnly }: { readonly instead: readonly string[]; readonly flowsOnly: boolean },
): Promise<Result<FoundSkill>> {
  const found = await skillsHere(context, instead);
  if (!found.ok) return found;
  const { skills, warnings } = found.value;
  const skill = skills.find((one) => one.name.toLowerCase() === name.toLowerCase());
  const broken = warnings.find((warning) => warning.name.toLowerCase() === name.toLowerCase());
  if (!skill && broken) return fail({ code: 'plan_file', message: broken.message });
  return skill
    ? ok(skill)
    : fail(unknown(name, flowsOnly ? skills.filter(({ flow }) => flow !== null) : skills));
}

function unknown(name: string, skills: readonly FoundSkill[]): Fault {
  const near = nearest(
    name,
    skills.map((one) => one.name),
  );
  const help = near === null ? 'goalgraph flow list shows what is installed' : `did you mean ${near}?`;
  return { code: 'usage', message: `There is no skill ${name}: ${help}` };
}
