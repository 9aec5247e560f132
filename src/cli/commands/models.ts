/** `goalgraph models`: what the configured endpoint serves. */

import { fail, ok, type Result } from '../../contract/fault.ts';
import { chooseModel, OWN_KEY_VARIABLE } from '../../model/choose.ts';
import { listModels } from '../../model/list-models.ts';
import { findPreset, PRESETS } from '../../model/presets.ts';
import { keyVariableFor, readConfig, type ConfigFlags } from '../config.ts';
import { complain, visible, type Context } from '../context.ts';
import { keyFlaw } from '../models.ts';
import { safeJson } from '../safe-json.ts';
import { workspaceHere } from '../workspace.ts';

/** Milliseconds. */
const PATIENCE = 20_000;

export async function models(context: Context, preset: string | null, flags: ConfigFlags): Promise<number> {
  const { output, json } = context;
  const endpoint = endpointOf(context, preset, flags);
  if (!endpoint.ok) return complain(context, endpoint.fault);
  const { baseUrl, variable } = endpoint.value;
  const key = variable === null ? null : (process.env[variable]?.trim() ?? '') || null;
  const flaw = keyFlaw(key, variable);
  if (flaw !== null) return complain(context, { code: 'model', message: flaw });
  const signal = AbortSignal.timeout(PATIENCE);
  const list = await listModels({ baseUrl, key, now: Date.now, signal });
  if (!list.ok) {
    const isAuth = list.fault.code === 'auth';
    const hint = isAuth && variable !== null ? ` Set ${variable} in the environment.` : '';
    return complain(context, {
      code: isAuth ? 'model' : 'provider',
      message: `${list.fault.message}${hint}`,
    });
  }
  if (json) output.out(safeJson({ baseUrl, models: list.value }));
  else list.value.forEach((name) => output.out(visible(name)));
  return 0;
}

interface Endpoint {
  readonly baseUrl: string;
  readonly variable: string | null;
}

function endpointOf(context: Context, name: string | null, flags: ConfigFlags): Result<Endpoint> {
  const workspace = workspaceHere(context.dir);
  if (!workspace.ok) return workspace;
  const config = readConfig(workspace.value, { flags });
  if (!config.ok) return config;
  const { baseUrl, keyVariable, model } = config.value;
  if (name !== null) {
    const preset = findPreset(name);
    const known = PRESETS.map((one) => one.name).join(', ');
    if (!preset) return fail({ code: 'usage', message: `${name} is no preset. There are ${known}.` });
    const own = flags.baseUrl !== undefined;
    const variable = keyVariableFor(config.value, { own, preset: preset.keyVariable });
    return ok({ baseUrl: flags.baseUrl ?? preset.baseUrl, variable });
  }
  if (model === null && baseUrl !== null) {
    return ok({ baseUrl, variable: keyVariable ?? OWN_KEY_VARIABLE });
  }
  const choice = model === null ? null : chooseModel(model, baseUrl);
  if (choice && !choice.ok) return choice;
  if (choice?.value.kind !== 'server') {
    const message =
      'No endpoint is set: name a preset (goalgraph models ollama), or give --base-url, or set a model.';
    return fail({ code: 'model', message });
  }
  const preset = choice.value.keyVariable;
  const variable = keyVariableFor(config.value, { own: baseUrl !== null, preset });
  return ok({ baseUrl: choice.value.baseUrl, variable });
}
