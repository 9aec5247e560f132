/** From what a person says (`--model`, `--base-url`) to whom is asked for what, with which key. */

import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import { findPreset, PRESETS, traitsOf } from './presets.ts';
import type { ModelTraits } from './presets.ts';

export type ModelChoice =
  | { readonly kind: 'scripted'; readonly file: string }
  | ({
      readonly kind: 'server';
      /** As the user named it. */
      readonly name: string;
      /** As the provider calls it. */
      readonly model: string;
      readonly baseUrl: string;
      /** Environment variable of the key; null when none is wanted. */
      readonly keyVariable: string | null;
    } & ModelTraits);

const SCRIPTED = 'scripted:';

/** The variable of the key for a base URL that belongs to no preset; it may be unset. */
export const OWN_KEY_VARIABLE = 'GOALGRAPH_API_KEY';

/** `preset/model`, where the model may contain slashes; with a base URL of one's own the preset may be left out. */
export function chooseModel(name: string, baseUrl: string | null): Result<ModelChoice> {
  if (name.startsWith(SCRIPTED)) {
    const file = name.slice(SCRIPTED.length);
    return file === ''
      ? bad('--model scripted: needs a file: scripted:FILE.')
      : ok({ kind: 'scripted', file });
  }
  if (baseUrl !== null && !isHttp(baseUrl)) {
    return bad(`--base-url ${baseUrl} is no address. Give one like http://127.0.0.1:8080/v1.`);
  }
  const slash = name.indexOf('/');
  const preset = slash < 0 ? null : findPreset(name.slice(0, slash));
  const model = preset === null ? name : name.slice(slash + 1);
  if (model === '') return bad(`--model ${name} names no model. Give it as PRESET/MODEL.`);
  const address = baseUrl ?? preset?.baseUrl ?? null;
  if (address === null) {
    const known = PRESETS.map((one) => one.name).join(', ');
    return bad(`--model ${name} names no provider. Give it as PRESET/MODEL (${known}), or set --base-url.`);
  }
  const keyVariable = preset === null ? OWN_KEY_VARIABLE : preset.keyVariable;
  return ok({ kind: 'server', name, model, baseUrl: address, keyVariable, ...traitsOf(preset, model) });
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

function bad(message: string): Result<never> {
  return fail({ code: 'usage', message });
}
