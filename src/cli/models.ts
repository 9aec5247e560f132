/** The models of a run: chosen from flags and configuration, opened with their keys, and looked at before any is asked. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Price } from '../contract/budget.ts';
import { fail, ok, type Result } from '../contract/fault.ts';
import type { ModelSettings } from '../contract/settings.ts';
import type { RoleModel } from '../engine/play/world.ts';
import { createBackOff, type BackOff } from '../model/back-off.ts';
import { chooseModel, type ModelChoice } from '../model/choose.ts';
import { openAiModel } from '../model/openai.ts';
import { findPreset, PRESETS } from '../model/presets.ts';
import { readScript } from '../model/script.ts';
import { scriptedModel } from '../model/scripted.ts';
import { keyVariableFor, type Config, type ConfigFlags } from './config.ts';
import { lookAtModel } from './model-look.ts';
import { realClock } from './real-clock.ts';

export interface ModelEnvironment {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface OpenModels {
  readonly worker: RoleModel;
  readonly verifier: RoleModel;
  /** Steps of a script that nobody asked for in this process. */
  unasked(): readonly string[];
}

/** Environment variables that hold keys of providers. */
export function keyVariables(config: Config): readonly string[] {
  const presets = PRESETS.flatMap(({ keyVariable }) => keyVariable ?? []);
  return config.keyVariable === null ? presets : [...presets, config.keyVariable];
}

/** Fixed for the run. `priced`: a money limit needs a price for each model. */
export async function settleModels(
  config: Config,
  { dir, priced }: { readonly dir: string | null; readonly priced: boolean },
): Promise<Result<ModelSettings>> {
  if (config.model === null) return fail({ code: 'model', message: NO_MODEL });
  const worker = named(config.model, dir);
  const verifier = named(config.verifierModel ?? config.model, dir);
  const { baseUrl, panel, caps, sandbox, allowNet } = config;
  for (const name of [worker, verifier]) {
    const choice = chooseModel(name, baseUrl);
    if (!choice.ok) return choice;
  }
  const prices = await pricesOf(config, { worker, verifier, priced });
  return prices.ok
    ? ok({ worker, verifier, baseUrl, prices: prices.value, panel, caps, sandbox, allowNet })
    : prices;
}

/** What was said on the command line instead of what a run has. */
export async function changedModels(
  old: ModelSettings,
  flags: ConfigFlags,
  { config, dir, priced }: { readonly config: Config; readonly dir: string | null; readonly priced: boolean },
): Promise<Result<ModelSettings>> {
  const worker = flags.model === undefined ? old.worker : named(flags.model, dir);
  const same = old.verifier === old.worker ? worker : old.verifier;
  const verifier = flags.verifierModel === undefined ? same : named(flags.verifierModel, dir);
  // Another provider by name has an address of its own.
  const stays = flags.model === undefined || !namesPreset(flags.model);
  const baseUrl = flags.baseUrl ?? (stays ? old.baseUrl : null);
  for (const name of [worker, verifier]) {
    const choice = chooseModel(name, baseUrl);
    if (!choice.ok) return choice;
  }
  const prices = await pricesOf(config, { worker, verifier, priced });
  if (!prices.ok) return prices;
  const { sandbox = old.sandbox, allowNet = old.allowNet } = flags;
  return ok({ ...old, worker, verifier, baseUrl, prices: prices.value, sandbox, allowNet });
}

function namesPreset(name: string): boolean {
  return findPreset(name.split('/')[0] ?? '') !== null;
}

const NO_MODEL =
  'No model is set. Give --model PRESET/MODEL (like openai/gpt-5 or ollama/qwen3), or set GOALGRAPH_MODEL, or "model" in the configuration; goalgraph doctor shows what is set.';

const SCRIPTED = 'scripted:';

/** A script by its absolute path, for whoever resumes stands elsewhere: after `-C` as all files are, else from here. */
function named(name: string, dir: string | null): string {
  if (!name.startsWith(SCRIPTED) || name === SCRIPTED) return name;
  const file = name.slice(SCRIPTED.length);
  const places = [resolve(dir ?? '.', file), resolve(file)];
  return `${SCRIPTED}${places.find((place) => existsSync(place)) ?? resolve(dir ?? '.', file)}`;
}

async function pricesOf(
  { prices }: Config,
  of: { readonly worker: string; readonly verifier: string; readonly priced: boolean },
): Promise<Result<ModelSettings['prices']>> {
  const { priceOf } = await import('../model/prices.ts');
  const found = { worker: priceOf(of.worker, prices), verifier: priceOf(of.verifier, prices) };
  const unpriced = new Set([
    ...(found.worker === null ? [of.worker] : []),
    ...(found.verifier === null ? [of.verifier] : []),
  ]);
  if (!of.priced || unpriced.size === 0) return ok(found);
  const message = `--max-cost cannot be kept: nobody knows the price of ${[...unpriced].join(' and ')}. Set it under "prices" in your own configuration, or limit by --budget.`;
  return fail({ code: 'model', message });
}

export interface Looking {
  /** Whether to ask the server first what it serves; nothing is spent by that. */
  readonly look: boolean;
  /** True for a run that goes on. */
  readonly begun: boolean;
}

export async function openModels(
  settings: ModelSettings,
  environment: ModelEnvironment & Looking,
): Promise<Result<OpenModels>> {
  const backOffs = new Map<string, BackOff>();
  const scripts: (() => readonly string[])[] = [];
  const opened = new Map<string, Opened>();
  for (const name of new Set([settings.worker, settings.verifier])) {
    const model = await openOne(name, { settings, ...environment, backOffs });
    if (!model.ok) return model;
    opened.set(name, model.value);
    scripts.push(model.value.unasked);
  }
  const role = (name: string, price: Price | null): RoleModel => {
    const one = opened.get(name);
    if (!one) throw new Error(`no model ${name}`);
    return { name, price, model: one.model, backOff: one.backOff, window: one.window };
  };
  return ok({
    worker: role(settings.worker, settings.prices.worker),
    verifier: role(settings.verifier, settings.prices.verifier),
    unasked: () => scripts.flatMap((unasked) => unasked()),
  });
}

type Opened = Pick<RoleModel, 'model' | 'backOff' | 'window'> & {
  readonly unasked: () => readonly string[];
};

interface Opening extends ModelEnvironment, Looking {
  readonly settings: ModelSettings;
  readonly backOffs: Map<string, BackOff>;
}

async function openOne(name: string, opening: Opening): Promise<Result<Opened>> {
  const choice = chooseModel(name, opening.settings.baseUrl);
  if (!choice.ok) return choice;
  return choice.value.kind === 'scripted'
    ? openScript(name, choice.value.file)
    : openServer(choice.value, opening);
}

/** Scripts have no window to speak of. */
const SCRIPT_WINDOW = 1_000_000;

async function openScript(name: string, file: string): Promise<Result<Opened>> {
  const script = await readScript(file);
  if (!script.ok) return script;
  const model = scriptedModel(name, script.value);
  return ok({ model, backOff: newBackOff(), window: SCRIPT_WINDOW, unasked: () => model.unasked() });
}

type ServerChoice = Extract<ModelChoice, { kind: 'server' }>;

async function openServer(choice: ServerChoice, opening: Opening): Promise<Result<Opened>> {
  const { config, env, look, begun, backOffs } = opening;
  const { name, model, baseUrl, quirks, window } = choice;
  const own = opening.settings.baseUrl !== null;
  const variable = keyVariableFor(config, { own, preset: choice.keyVariable });
  const key = keyOf(env, variable);
  if (key === null && choice.keyVariable !== null && isRequired(choice)) {
    const message = `${name} needs a key: set ${variable ?? choice.keyVariable} in the environment.`;
    return fail({ code: 'model', message });
  }
  const flaw = keyFlaw(key, variable);
  if (flaw !== null) return fail({ code: 'model', message: flaw });
  if (look) {
    const seen = await lookAtModel({ name, model, baseUrl, key, variable, begun });
    if (!seen.ok) return seen;
  }
  let backOff = backOffs.get(baseUrl);
  if (!backOff) backOffs.set(baseUrl, (backOff = newBackOff()));
  const server = openAiModel({ name, model, baseUrl, key, quirks, clock: realClock });
  return ok({ model: server, backOff, window: config.windows[name] ?? window, unasked: () => [] });
}

/** A server of one's own may want no key; a vendor's own address does. */
function isRequired({ baseUrl }: ServerChoice): boolean {
  return PRESETS.some((preset) => preset.baseUrl === baseUrl && preset.keyVariable !== null);
}

function keyOf(env: ModelEnvironment['env'], variable: string | null): string | null {
  const key = variable === null ? '' : (env[variable]?.trim() ?? '');
  return key === '' ? null : key;
}

/** Null when it can stand in a header. */
export function keyFlaw(key: string | null, variable: string | null): string | null {
  if (key === null || /^[\x21-\x7e]+$/.test(key)) return null;
  return `The key in ${variable ?? 'the environment'} holds a blank, a line break or another character that no key has. Copy it again.`;
}

function newBackOff(): BackOff {
  return createBackOff({ clock: realClock, random: Math.random });
}
