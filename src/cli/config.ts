/**
 * The configuration of a command: flags, then the environment, then `goalgraph.json` of the workspace, then the
 * person's own file, then defaults. A workspace's file is repository content: it names nothing outside the workspace.
 */

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Price } from '../contract/budget.ts';
import { NO_CEILINGS, type CeilingSettings, type Period } from '../contract/ceiling.ts';
import { fail, ok, type Fault, type Result } from '../contract/fault.ts';
import { DEFAULT_CAPS, DEFAULT_PANEL, type GoalCaps, type ModelSettings } from '../contract/settings.ts';
import type { SandboxMode } from '../contract/settings.ts';
import { misplacedKeys, parseValues, type ConfigSource, type Values } from './config-schema.ts';
import { CONFIG_FILE, DEFAULT_STATE_DIR } from './marks.ts';

export type Origin = 'flag' | 'environment' | ConfigSource | 'default';

export interface Settings {
  /** Absolute. */
  readonly stateDir: string;
  readonly concurrency: number;
  readonly caps: GoalCaps;
  readonly panel: ModelSettings['panel'];
  /** As the user named it; null when nobody did. */
  readonly model: string | null;
  /** Null: the same as `model`. */
  readonly verifierModel: string | null;
  /** Null: the preset's own. */
  readonly baseUrl: string | null;
  /** For `baseUrl`; null: the preset's own. */
  readonly keyVariable: string | null;
  readonly sandbox: SandboxMode;
  readonly allowNet: boolean;
  /** The person's own, by `preset/model`. */
  readonly prices: Readonly<Record<string, Price>>;
  /** Tokens of input and output together, by `preset/model`; the catalogue's where none is given. */
  readonly windows: Readonly<Record<string, number>>;
  /** The person's own command that is told what happens to runs; null: none. */
  readonly notify: string | null;
  /** The person's own folders of skills, beside the usual ones. */
  readonly skillDirs: readonly string[];
  /** Tokens that the questions of one shell may cost together. */
  readonly questions: number;
  /** The person's own ceilings above all runs. */
  readonly limits: CeilingSettings;
}

export interface Config extends Settings {
  /** Where each value comes from; `caps.rounds` and the like have one each. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Files that were read. */
  readonly files: readonly string[];
}

/** What was said on the command line; what was not is left out. */
export type ConfigFlags = Omit<
  Values,
  'stateDir' | 'prices' | 'windows' | 'keyVariable' | 'notify' | 'questions' | 'skillDirs' | 'limits'
>;

export interface ConfigOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly flags?: ConfigFlags;
}

export function readConfig(workspace: string, options: ConfigOptions = {}): Result<Config> {
  const { env = process.env, flags = {} } = options;
  const file = join(workspace, CONFIG_FILE);
  const own = userFile(env);
  const fromWorkspace = readFile(file, 'workspace', own);
  if (!fromWorkspace.ok) return fromWorkspace;
  const fromPerson = readFile(own, 'user', own);
  if (!fromPerson.ok) return fromPerson;
  const fromEnvironment = readEnvironment(env);
  if (!fromEnvironment.ok) return fromEnvironment;
  const settled = settle([
    { origin: 'flag', values: flags },
    { origin: 'environment', values: fromEnvironment.value },
    { origin: 'workspace', values: fromWorkspace.value ?? {} },
    { origin: 'user', values: fromPerson.value ?? {} },
  ]);
  const stateDir = placeOfState(workspace, settled.settings.stateDir);
  if (!stateDir.ok) return stateDir;
  const files = [...(fromWorkspace.value ? [file] : []), ...(fromPerson.value ? [own] : [])];
  return ok({ ...settled.settings, stateDir: stateDir.value, origins: settled.origins, files });
}

/** The person's own file, which need not be there. A relative path would be the workspace's choice. */
export function userFile(env: Readonly<Record<string, string | undefined>>): string {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  const folder = isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.config');
  return join(folder, 'goalgraph', 'config.json');
}

/**
 * The variable of the key for an address, `own` if it is the person's: there only theirs counts. A preset has its own,
 * for a workspace may choose another preset, and the key of one vendor must not be sent to the next.
 */
export function keyVariableFor(
  { keyVariable }: Pick<Settings, 'keyVariable'>,
  { own, preset }: { readonly own: boolean; readonly preset: string | null },
): string | null {
  return own && keyVariable !== null ? keyVariable : preset;
}

interface Layer {
  readonly origin: Origin;
  readonly values: Values;
}

/** A dozen or two of questions with a look around. */
const DEFAULT_QUESTIONS = 200_000;

/** The first layer that says something of a value has the word. */
function settle(layers: readonly Layer[]): Pick<Config, 'origins'> & { settings: Settings } {
  const origins = new Map<string, Origin>();
  const pick = <T>(name: string, of: (values: Values) => T | undefined, otherwise: T): T => {
    for (const { origin, values } of layers) {
      const value = of(values);
      if (value === undefined) continue;
      origins.set(name, origin);
      return value;
    }
    origins.set(name, 'default');
    return otherwise;
  };
  const cap = (name: keyof GoalCaps) => pick(`caps.${name}`, ({ caps }) => caps?.[name], DEFAULT_CAPS[name]);
  const seats = (name: keyof ModelSettings['panel']) =>
    pick(`panel.${name}`, ({ panel }) => panel?.[name], DEFAULT_PANEL[name]);
  const ceiling = (name: Period) => pick(`limits.${name}`, ({ limits }) => limits?.[name], NO_CEILINGS[name]);
  const settings = {
    stateDir: pick('stateDir', (values) => values.stateDir, DEFAULT_STATE_DIR),
    concurrency: pick('concurrency', (values) => values.concurrency, 3),
    caps: { rounds: cap('rounds'), verifications: cap('verifications'), turns: cap('turns') },
    panel: { node: seats('node'), final: seats('final') },
    model: pick<string | null>('model', (values) => values.model, null),
    verifierModel: pick<string | null>('verifierModel', (values) => values.verifierModel, null),
    baseUrl: pick<string | null>('baseUrl', (values) => values.baseUrl, null),
    keyVariable: pick<string | null>('keyVariable', (values) => values.keyVariable, null),
    sandbox: pick<SandboxMode>('sandbox', (values) => values.sandbox, 'auto'),
    allowNet: pick('allowNet', (values) => values.allowNet, false),
    prices: pick<Settings['prices']>('prices', (values) => values.prices, {}),
    windows: pick<Settings['windows']>('windows', (values) => values.windows, {}),
    notify: pick<string | null>('notify', (values) => values.notify, null),
    skillDirs: pick<Settings['skillDirs']>('skillDirs', (values) => values.skillDirs, []),
    questions: pick('questions', (values) => values.questions, DEFAULT_QUESTIONS),
    limits: { day: ceiling('day'), month: ceiling('month') },
  };
  return { settings, origins };
}

const VARIABLES = {
  GOALGRAPH_MODEL: 'model',
  GOALGRAPH_VERIFIER_MODEL: 'verifierModel',
  GOALGRAPH_BASE_URL: 'baseUrl',
} as const;

/** One that is empty is not set. */
function readEnvironment(env: Readonly<Record<string, string | undefined>>): Result<Values> {
  const said: Values = {};
  for (const [variable, key] of Object.entries(VARIABLES)) {
    const value = env[variable] ?? '';
    if (value === '') continue;
    const parsed = parseValues({ [key]: value }, 'user');
    if (!parsed.ok) return fail(usage(`${variable} is wrong (${parsed.why}). Set it right or unset it.`));
    said[key] = value;
  }
  return ok(said);
}

/** Null when it is not there. */
function readFile(file: string, source: ConfigSource, own: string): Result<Values | null> {
  let json: unknown;
  try {
    if (!existsSync(file)) return ok(null);
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return fail(wrong(file, error instanceof Error ? error.message : String(error)));
  }
  const misplaced = misplacedKeys(json, source);
  if (misplaced.length > 0) {
    const keys = misplaced.join(', ');
    const where =
      source === 'workspace'
        ? `A workspace may not set it, for anybody may have written its files. It belongs in ${own}, or on the command line`
        : `It belongs in ${CONFIG_FILE} of a workspace`;
    return fail(usage(`${file} sets ${keys}. ${where}.`));
  }
  const parsed = parseValues(json, source);
  return parsed.ok ? ok(parsed.value) : fail(wrong(file, parsed.why));
}

function wrong(file: string, why: string): Fault {
  return usage(`${file}: ${why}. Mend the file or remove it.`);
}

function usage(message: string): Fault {
  return { code: 'usage', message };
}

function placeOfState(workspace: string, name: string): Result<string> {
  const file = join(workspace, CONFIG_FILE);
  const stateDir = resolve(workspace, name);
  // Links are repository content too.
  const inside = relative(realPlace(workspace), realPlace(stateDir));
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) {
    return fail(usage(`${file}: stateDir must be a folder inside the workspace.`));
  }
  if (isTaken(stateDir, inside)) {
    return fail(
      usage(`${file}: stateDir names ${stateDir}, which holds other things. Name a folder of its own.`),
    );
  }
  return ok(stateDir);
}

/** What may stand in a state directory without a journal; all but the first three are ours, and stay when that is moved aside. */
const HARMLESS = [
  '.gitignore',
  'README.md',
  'skills',
  'owner',
  'history',
  'shadow.git',
  'copies',
  'homes',
  'runs',
];

/** What another process that starts at the same time is about to call `.gitignore` or `owner`. */
const IN_WRITING = /^\.(?:\.gitignore|owner)\.[0-9a-f]+\.tmp$/;

/** The state directory ignores itself in git, so it must not be where a person keeps anything, nor in git's own folder. */
function isTaken(stateDir: string, inside: string): boolean {
  if (inside.split(sep)[0] === '.git') return true;
  const names = readNames(stateDir);
  if (names.some((name) => name.startsWith('journal.db'))) return false;
  return names.some(
    (name) => !HARMLESS.includes(name) && !name.startsWith('lease.db') && !IN_WRITING.test(name),
  );
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Where a path leads, or would lead once its folders are made. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPlace(parent), basename(path));
  }
}
