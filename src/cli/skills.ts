/**
 * The skills that are installed for a workspace: looked for in folders in an order, and the first of a name counts.
 * A broken file is no reason to do without the others: it is left out, or is one of instructions, with a warning.
 */

import { existsSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { fail, ok, type Fault, type Result } from '../contract/fault.ts';
import { parseSkill, type Skill } from '../flow/skill.ts';
import { gitRoot } from '../os/git-root.ts';
import { readTextFile } from '../os/text-file.ts';
import { userFile } from './config.ts';

type Env = Readonly<Record<string, string | undefined>>;

export type SkillScope = 'project' | 'user' | 'extra';

export interface FoundSkill extends Skill {
  readonly scope: SkillScope;
  /** Absolute, of its Markdown file. */
  readonly path: string;
  /** Whole, as the file is now. */
  readonly text: string;
}

export interface Skills {
  /** By name. */
  readonly skills: readonly FoundSkill[];
  /** One for each file that is not what it should be. */
  readonly warnings: readonly SkillWarning[];
}

export interface SkillWarning {
  /** The name that it would have, or has. */
  readonly name: string;
  /** `FILE:LINE:COLUMN: what is wrong`, as far as there is a place. */
  readonly message: string;
}

export interface Searching {
  readonly workspace: string;
  readonly env: Env;
  /** Folders of the person's own configuration. */
  readonly skillDirs: readonly string[];
  /** Absolute; instead of those of the project and of the user; empty for none. */
  readonly instead: readonly string[];
}

const BRANDS = ['.kimi', '.claude', '.codex'].map((brand) => join(brand, 'skills'));

interface Root {
  readonly scope: SkillScope;
  readonly folder: string;
  /** Repository content may not lead elsewhere: it would be read for whoever put it there. Null for a person's own. */
  readonly within: string | null;
}

/** Also a folder of skills that is a link itself. */
function leadsOut(path: string, within: string | null): boolean {
  if (within === null) return false;
  try {
    const inside = relative(realpathSync(within), realpathSync(path));
    return inside.startsWith('..') || isAbsolute(inside);
  } catch {
    // It is told as what cannot be read.
    return false;
  }
}

/** In the order in which they are looked through; a folder that two of them lead to is looked through once. */
export function skillRoots({ workspace, env, skillDirs, instead }: Searching): readonly Root[] {
  const project = gitRoot(workspace) ?? workspace;
  const home = env['HOME'] || homedir();
  const at = (scope: SkillScope, base: string, names: readonly string[]): Root[] =>
    names.map((name) => ({
      scope,
      folder: withHome(name, base, home),
      within: scope === 'project' ? project : null,
    }));
  const generic = ['.config/agents/skills', '.agents/skills'].find((name) => existsSync(join(home, name)));
  const usual = [
    ...at('project', project, [join('.goalgraph', 'skills'), ...BRANDS, join('.agents', 'skills')]),
    ...at('user', home, [join(dirname(userFile(env)), 'skills'), ...BRANDS]),
    ...at('user', home, generic === undefined ? [] : [generic]),
  ];
  const first = instead.length > 0 ? at('extra', workspace, instead) : usual;
  const seen = new Set<string>();
  return [...first, ...at('extra', project, skillDirs)].filter(({ folder, within }) => {
    const real = realIfThere(folder);
    if (real === null || seen.has(real)) return false;
    // The person's own may be the same folder.
    if (!leadsOut(folder, within)) seen.add(real);
    return true;
  });
}

function realIfThere(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}

function withHome(name: string, base: string, home: string): string {
  if (name === '~' || name.startsWith('~/')) return join(home, name.slice(1));
  return isAbsolute(name) ? name : resolve(base, name);
}

export async function findSkills(searching: Searching): Promise<Skills> {
  const found = new Map<string, FoundSkill>();
  const warnings: SkillWarning[] = [];
  for (const root of skillRoots(searching)) {
    for (const file of await filesOf(root.folder)) {
      const skill = leadsOut(file.path, root.within)
        ? fail({
            code: 'plan_file',
            message: `${file.path} leads out of the project. Put a copy there, or remove it.`,
          })
        : await readSkill(file.path, { scope: root.scope, name: file.name });
      if (!skill.ok) {
        warnings.push({ name: file.name, message: skill.fault.message });
        continue;
      }
      const key = skill.value.name.toLowerCase();
      if (found.has(key)) continue;
      found.set(key, skill.value);
      const { name, flaw } = skill.value;
      if (flaw) warnings.push({ name, message: faultAt(file.path, flaw).message });
    }
  }
  return { skills: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), warnings };
}

interface SkillFile {
  readonly path: string;
  /** Of a skill that does not say its own. */
  readonly name: string;
}

/** Skills of one folder: those with a folder of their own, then single files. A folder that cannot be read has none. */
async function filesOf(folder: string): Promise<readonly SkillFile[]> {
  const entries = (await readdir(folder).catch(() => [])).sort();
  const own = entries
    .map((name) => ({ path: join(folder, name, 'SKILL.md'), name }))
    .filter(({ path }) => existsSync(path));
  const flat = entries
    .filter((name) => extname(name).toLowerCase() === '.md' && name.toLowerCase() !== 'skill.md')
    .map((name) => ({ path: join(folder, name), name: basename(name, extname(name)) }));
  return [...own, ...flat.filter(({ path }) => !existsSync(join(path, 'SKILL.md')))];
}

const MOST_BYTES = 1024 * 1024;

export async function readSkill(
  path: string,
  { scope, name }: { readonly scope: SkillScope; readonly name?: string },
): Promise<Result<FoundSkill>> {
  const text = await readTextFile(path, MOST_BYTES);
  if (!text.ok) return text;
  const folder = basename(dirname(resolve(path)));
  const file = basename(path, extname(path));
  const skill = parseSkill(text.value, name ?? (file.toLowerCase() === 'skill' ? folder : file));
  if (!skill.ok) return fail(faultAt(path, skill.fault));
  return ok({ ...skill.value, scope, path: resolve(path), text: text.value });
}

/** Both are 1-based; null where there is none. */
interface Flaw {
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** `FILE:LINE:COLUMN: what is wrong`, as far as there is a place. */
export function faultAt(file: string, { line, column, message }: Flaw): Fault {
  const place = [file, line, column].filter((part) => part !== null).join(':');
  return { code: 'plan_file', message: `${place}: ${message}`, place: { file, line, column } };
}
